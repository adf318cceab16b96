#pragma once

#include <string>

#include "repository.hpp"

/// 2 packages, each a NUMA node of 16 GiB with 2 L3 of 2 cores of 2 PUs; PUs 0-7 are the cores' first, 8-15
/// their second.
inline const std::string two_packages_xml = (repository() / "tests/data/two_packages.xml").string();
