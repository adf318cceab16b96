#pragma once

#include <filesystem>

/// The folder of the sources, whatever folder the tests are built and run in.
std::filesystem::path repository();
