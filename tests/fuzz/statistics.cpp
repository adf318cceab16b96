#include <vnode/lab/statistics_json.hpp>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Statistics statistics = statistics_from_json(text);
    fuzz::require(statistics_from_json(statistics.json()) == statistics,
                  "what is written is read as the same");
  });
}
