#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

struct ClosedForm;

/// Describes the values of a formula's symbols.
struct SymbolValues {
  std::map<std::string, double, std::less<>> named{};  ///< "p" -> 8, "t_s" -> 150e-9
  std::vector<int> extents{};                          ///< the extents that sum(...) runs over, slowest first
};

/// Describes a formula as people write it: "(p - 2 + k) (t_s + t_w m / k)".
///
/// The grammar: factors side by side are multiplied; + - / ^; parentheses; the functions ceil, floor, log2,
/// sqrt, abs of one argument, min and max of several, mod of two; log2 also without parentheses before a name
/// or a number. sum(...) adds up its argument over the extents of the mesh, each of which is `extent` in it.
/// A condition in square brackets, [p > 1], is 1 where it holds and 0 where it does not (Iverson); a product
/// with a 0 of that kind is 0 whatever the other factors are. At the end, after ", where", names may be
/// defined, each by those before it: "log2 q + 2 [p != q], where q = 2^floor(log2 p)". Ambiguous text is
/// refused: a / b c, log2 p^2.
///
/// In the registry a formula is a promise. `rounds` and `transfers` are those of the schedule, and `time` is
/// the textbook's T, startups t_s + words t_w m + combined t_op m in the terms of Cost: all ports of a node
/// work at the same time, so that `received` is not in it. Its symbols: p, m, t_s, t_w, t_op; k, the
/// segments, or the radix of a k-nomial tree; q, the shift mod p; r and c, the rows and columns of a mesh of
/// two dimensions; and the algorithm's own.
class Formula {
 public:
  /// Reads a formula of at most 4096 characters and 100 levels. Throws UsageError, with the column, if `text`
  /// is none.
  static Formula parse(std::string_view text);

  /// Returns the formula's value; definitions have precedence over `values`. Throws UsageError if a symbol
  /// has no value or the result is not finite.
  double value(const SymbolValues& values) const;
  /// Returns the formula normalised: parse(text()).text() == text().
  std::string text() const;
  /// Returns the formula for TeX's math mode: "\lceil \log_2 p \rceil".
  std::string latex() const;
  /// Returns the symbols that need values, in alphabetical order; `extent` is not among them.
  std::vector<std::string> symbols() const;

 private:
  explicit Formula(std::shared_ptr<const ClosedForm> form);

  std::shared_ptr<const ClosedForm> form_;
};

/// Returns a symbol for TeX: t_{s} for t_s.
std::string latex_of_symbol(std::string_view symbol);

}  // namespace vnode
#pragma GCC visibility pop
