#include "repository.hpp"

std::filesystem::path repository() { return VNODE_REPOSITORY; }

std::string emulator() { return VNODE_EMULATOR; }

bool under_emulation() { return !emulator().empty(); }
