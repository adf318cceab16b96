#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/schedule.hpp>

namespace vnode {

/// Throws UsageError unless a schedule can run there: both have as many nodes, and each machine has as many.
void check_fits(const Schedule& schedule, const Interconnect& interconnect);

/// Numbers the links that messages take as they come into use: a topology may have too many for a table. With
/// half-duplex links both directions have the number of one.
class Links {
 public:
  explicit Links(const Interconnect& interconnect) : interconnect_(interconnect) {}

  /// Returns the numbers of the links on the way from `from` to `to`, in order; they are valid until the next
  /// call.
  std::span<const int> way(Rank from, Rank to) {
    way_.clear();
    if (interconnect_.machines == 1)
      interconnect_.topology.append_route(from, to, interconnect_.routing, way_);
    else if (const int out = interconnect_.machine_of(from), in = interconnect_.machine_of(to); out != in)
      way_ = {2 * out, 2 * in + 1};
    for (int& link : way_) {
      const int directed_link = interconnect_.duplex == Duplex::half ? link & ~1 : link;
      const auto [number, unseen] = numbers_.try_emplace(directed_link, static_cast<int>(size()));
      if (unseen) directed_links_.push_back(directed_link);
      link = number->second;
    }
    return way_;
  }
  /// Returns how many links are in use so far.
  std::size_t size() const { return directed_links_.size(); }
  /// Returns a link's number in the topology, or among those of the machines; of a half-duplex link it is the
  /// even one.
  int directed_link(std::size_t link) const { return directed_links_[link]; }

 private:
  Interconnect interconnect_;
  std::unordered_map<int, int> numbers_;
  std::vector<int> directed_links_;
  std::vector<int> way_;
};

}  // namespace vnode
