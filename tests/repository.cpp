#include "repository.hpp"

std::filesystem::path repository() { return VNODE_REPOSITORY; }
