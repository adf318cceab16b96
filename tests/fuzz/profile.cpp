#include <vnode/model/profile.hpp>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const MachineProfile profile = profile_from_json(text);
    fuzz::require(profile_from_json(to_json(profile)) == profile, "what is written is read as the same");
  });
}
