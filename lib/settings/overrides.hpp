#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/algorithms.hpp>

namespace vnode {

/// Holds the user's rules for the choice of algorithms: "reduce=direct:64K-max;barrier=central".
class Overrides {
 public:
  /// A rule names the algorithm for calls of some sizes.
  struct Rule {
    const Algorithm* algorithm;  ///< the one to use
    std::string hierarchy;       ///< hierarchy of a hierarchical algorithm, as text; empty: the usual one
    std::size_t min, max;        ///< bytes
  };

  /// Parses rules separated by ';'. Each is COLLECTIVE=ALGORITHM, a hierarchical one optionally with its
  /// hierarchy in brackets, "hierarchical(4x8,inner=ring)", optionally followed by :MIN-MAX in bytes (K, M, G
  /// are powers of 1024, max is no limit). The algorithm is named with or without its collective. Throws
  /// UsageError that names the rule.
  static Overrides parse(std::string_view text);

  /// Returns the first rule that applies, or nullptr.
  const Rule* find(Collective collective, std::size_t bytes) const;

 private:
  std::vector<Rule> rules_;
};

}
