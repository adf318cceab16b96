#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <vnode/rank.hpp>
#include <vnode/team.hpp>

namespace vnode::bench {

/// Holds one vector for each caller. Vectors are page-aligned, and no byte is touched before its owner writes
/// it, so that the pages are the owner's.
class Vectors {
 public:
  /// Makes vectors of as many bytes as `bytes` says, by rank.
  explicit Vectors(const std::vector<std::size_t>& bytes);
  /// Makes vectors of `bytes` bytes each.
  Vectors(int callers, std::size_t bytes);
  /// Makes vectors in which that of a rank has messages[rank] messages of `bytes` bytes; each of them is cut
  /// into a piece for every port of the node in `team`, on that port's bank.
  Vectors(const std::vector<int>& messages, std::size_t bytes, const Team& team);
  std::byte* operator[](Rank rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return placed_.empty() ? memory_[at].get() : placed_[at].pages().data();
  }
  int callers() const { return static_cast<int>(bytes_.size()); }
  std::size_t bytes(Rank rank) const { return bytes_[static_cast<std::size_t>(rank)]; }
  /// Returns the size of each vector, where all are alike.
  std::size_t bytes() const { return bytes_.front(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::vector<std::size_t> bytes_;
  std::vector<std::unique_ptr<std::byte, Free>> memory_;
  std::vector<PlacedBuffer<std::byte>> placed_;  // instead
};

/// Describes part `index` of `parts` nearly equal parts of a vector, which are whole cache lines, as long as
/// there are any.
struct Part {
  std::size_t begin, size;
};
Part part_of(std::size_t bytes, int index, int parts);

}  // namespace vnode::bench
