#include "campaign/results.hpp"

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Results results = results_from_json(text);
    fuzz::require(results_from_json(to_json(results)) == results, "what is written is read as the same");
    fuzz::require(results.outcomes.size() <= experiments(results.campaign).size(),
                  "no experiment has two outcomes");
  });
}
