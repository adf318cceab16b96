#pragma once

#include <string>
#include <string_view>

/// Returns what is wrong with a text as XML, or "": every element is closed in order, attributes are quoted
/// and named once, and only the five names and numbers stand behind an ampersand.
std::string xml_fault(std::string_view text);
