#include "base/bytes.hpp"

#include <string>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const std::size_t bytes = parse_bytes(text, "--bytes");
    fuzz::require(parse_bytes(std::to_string(bytes)) == bytes, "what is written is read as the same");
  });
}
