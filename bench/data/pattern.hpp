#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "timing/contestant.hpp"

namespace vnode::bench {

/// Holds the data that callers write before a call, and checks what must come out. Element j of rank r in
/// iteration i is table[(offset(r, i) + j) mod period]: other ranks, iterations and displaced blocks show
/// other values, and writing costs little more than a memcpy. With an operator the values are such that every
/// order of combining gives exactly the same; without one they are random bits.
class Pattern {
 public:
  static constexpr std::size_t period = 4093;  // a prime: no displaced power of two looks right

  Pattern(Arithmetic datatype, std::optional<StandardOperator> op, std::uint64_t seed);

  /// Stands for what `rank` wrote, from byte `first` on.
  struct Source {
    Rank rank;
    std::size_t first = 0;
  };

  void write(std::byte* vector, std::size_t bytes, Rank rank, Iteration iteration) const;
  /// Returns how many elements differ from what `source` stands for.
  std::size_t differing(const std::byte* vector, std::size_t bytes, const Source& source,
                        Iteration iteration) const;
  /// Returns how many elements differ from the combination of what `sources` stand for.
  std::size_t differing_from_combination(const std::byte* vector, std::size_t bytes,
                                         std::span<const Source> sources, Iteration iteration) const;
  /// Returns two periods of the data, which others must know to write the same.
  std::span<const std::byte> table() const { return table_; }

 private:
  std::size_t offset(const Source& source, Iteration iteration) const;
  std::size_t differing(const std::byte* vector, std::size_t bytes, const std::byte* expected) const;

  const Arithmetic datatype_;
  const std::size_t element_;
  const std::optional<StandardOperator> op_;
  const std::uint64_t seed_;
  std::vector<std::byte> table_;  // two periods, so that one can be read from any offset
};

}  // namespace vnode::bench
