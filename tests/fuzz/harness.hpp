#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <vnode/error.hpp>

/// What a fuzzer calls for each input. A harness is a file NAME.cpp with this function, which gives the input
/// to a parser and checks what must hold for everything that the parser accepts; its seeds are the files of
/// corpus/NAME.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace vnode::fuzz {

/// Gives the input to `body`. A refusal, UsageError, is an answer; any other exception is a fault and ends
/// the program.
template <class Body>
int tried(const std::uint8_t* data, std::size_t size, Body&& body) {
  try {
    body(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const UsageError&) {
  }
  return 0;
}

/// Ends the program unless it holds.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
  std::abort();
}

}  // namespace vnode::fuzz
