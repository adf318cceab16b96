#include "campaign/campaign.hpp"

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Campaign campaign = campaign_from_json(text);
    fuzz::require(campaign_from_json(to_json(campaign)) == campaign, "what is written is read as the same");
    const std::size_t count = experiments(campaign).size();
    fuzz::require(count >= 1 && count <= most_experiments, "there are experiments, and not too many");
  });
}
