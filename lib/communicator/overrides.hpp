#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/algorithms.hpp>

namespace vnode {

/// What a user has laid down about the choice of algorithms: "reduce=direct:64K-max;barrier=central".
class Overrides {
 public:
  /// What is laid down for some calls.
  struct Rule {
    const Algorithm* algorithm;  ///< which one
    std::string hierarchy;       ///< its hierarchy as text, of a hierarchical one; empty: the usual
    std::size_t min, max;        ///< bytes
  };

  /// Rules are separated by ';'; each is COLLECTIVE=ALGORITHM, a hierarchical one optionally with its
  /// hierarchy in brackets, "hierarchical(4x8,inner=ring)", optionally :MIN-MAX in bytes (K, M, G are powers
  /// of 1024, max is no limit). The algorithm is named with or without its collective. Throws UsageError that
  /// names the rule.
  static Overrides parse(std::string_view text);

  /// The first rule that applies, or nullptr.
  const Rule* find(Collective collective, std::size_t bytes) const;

 private:
  std::vector<Rule> rules_;
};

}
