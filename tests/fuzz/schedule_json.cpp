#include <vnode/lab/notation.hpp>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Schedule schedule = schedule_from_json(text);
    fuzz::require(schedule_from_json(to_json(schedule)) == schedule, "what is written is read as the same");
    fuzz::require(schedule_from_text(to_text(schedule)) == schedule, "both forms say the same");
  });
}
