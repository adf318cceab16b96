#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "numa/kernel.hpp"
#include "sentence.hpp"

using namespace vnode;

namespace {

/// Fills a NUMA node and some of the others' memory.
class Filling {
 public:
  explicit Filling(int numa) : bytes_(kernel::bytes_of(numa, "MemFree") + beyond), memory_(bytes_) {
    kernel::prefer(numa, memory_.begin(), bytes_);
    std::fill_n(memory_.begin(), bytes_, std::byte{1});
    numas_ = kernel::numas_of_pages(memory_.begin(), bytes_);
  }
  /// Pages that found no room on the NUMA node `numa`.
  std::ptrdiff_t elsewhere(int numa) const {
    return std::ranges::count_if(numas_, [=](int page) { return page != numa; });
  }

 private:
  static constexpr std::size_t beyond = std::size_t{8} << 20;
  std::size_t bytes_;
  kernel::Untouched memory_;
  std::vector<int> numas_;
};

}  // namespace

TEST_CASE("a team on a NUMA node that is full has its memory elsewhere, and works") {
  constexpr int full_numa = 3;
  const Machine machine = Machine::discover();
  TeamOptions options = vnode_test::patient();
  for (const Pu& pu : machine.pus)
    if (machine.numas[static_cast<std::size_t>(pu.numa)].os_index == full_numa)
      options.pus.push_back(static_cast<int>(&pu - machine.pus.data()));
  const Filling filling(full_numa);
  REQUIRE(filling.elsewhere(full_numa) > 0);

  Team team(static_cast<int>(options.pus.size()), shapes::full{}, options);
  team.run([&](Node& me) {
    CHECK(kernel::here().numa == full_numa);
    constexpr std::size_t count = std::size_t{2} << 20;
    const std::vector<float> ones(count, 1);
    std::vector<float> sum(count);
    me.all_reduce(ones, sum, std::plus<>{});
    CHECK(std::ranges::count(sum, static_cast<float>(me.size())) == count);
    const std::vector<int> numas =
        kernel::numas_of_pages(reinterpret_cast<const std::byte*>(sum.data()), count * sizeof(float));
    CHECK(std::ranges::count(numas, full_numa) < static_cast<std::ptrdiff_t>(numas.size()));
  });
}
