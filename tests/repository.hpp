#pragma once

#include <filesystem>
#include <string>

/// Returns the folder of the sources, whatever folder the tests are built and run in.
std::filesystem::path repository();

/// Returns the command that starts this build's programs here, for the shell; empty, unless they are another
/// processor's.
std::string emulator();
/// Returns whether there is one, which answers for the kernel, and not always as it would: a test that cannot
/// work so asks, and says what it leaves out.
bool under_emulation();
