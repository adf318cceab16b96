#include "settings/overrides.hpp"

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Overrides overrides = Overrides::parse(text);
    for (const Collective collective : collectives())
      if (const Overrides::Rule* const found = overrides.find(collective, 4096))
        fuzz::require(found->algorithm->collective == collective,
                      "a rule chooses an algorithm of its collective");
  });
}
