#include <vnode/lab/notation.hpp>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Schedule schedule = schedule_from_text(text);
    fuzz::require(schedule_from_text(to_text(schedule)) == schedule, "what is written is read as the same");
  });
}
