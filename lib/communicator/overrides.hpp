#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>

namespace vnode {

/// What a user has laid down about the choice of algorithms: "reduce=direct:64K-max;barrier=central".
class Overrides {
 public:
  /// Rules are separated by ';'; each is COLLECTIVE=ALGORITHM, optionally :MIN-MAX in bytes (K, M, G are
  /// powers of 1024, max is no limit). The algorithm is named with or without its collective. Throws
  /// UsageError that names the rule.
  static Overrides parse(std::string_view text);

  /// The algorithm of the first rule that applies, or nullptr.
  const Algorithm* find(Collective collective, std::size_t bytes) const;

 private:
  struct Rule {
    const Algorithm* algorithm;
    std::size_t min, max;
  };
  std::vector<Rule> rules_;
};

}
