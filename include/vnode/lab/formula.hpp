#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

struct ClosedForm;

/// What the symbols of a formula stand for.
struct SymbolValues {
  std::map<std::string, double, std::less<>> named{};  ///< "p" -> 8, "t_s" -> 150e-9
  std::vector<int> extents{};                          ///< what sum(...) goes over, slowest first
};

/// A formula as people write it: "(p - 2 + k) (t_s + t_w m / k)".
///
/// The grammar: factors side by side are multiplied; + - / ^; parentheses; the functions ceil, floor, log2,
/// sqrt, abs of one argument, min and max of several, mod of two; log2 also without parentheses before a name
/// or a number. sum(...) adds up its argument for every extent of the mesh, which is `extent` in it. A
/// condition in square brackets, [p > 1], is 1 where it holds and 0 where it does not (Iverson), and then its
/// product is 0 whatever the other factors are. At the end, after ", where", names may be defined, each by
/// those before it: "log2 q + 2 [p != q], where q = 2^floor(log2 p)". What could be read in two ways is
/// refused: a / b c, log2 p^2.
///
/// In the registry a formula is a promise. `rounds` and `transfers` are those of the schedule, and `time` is
/// the textbook's T, startups t_s + words t_w m + combined t_op m in the words of Cost: all ports of a node
/// work at the same time, so that `received` is not in it. Its symbols: p, m, t_s, t_w, t_op; k, the
/// segments, or the radix of a k-nomial tree; q, the shift, mod p; r and c, the rows and columns of a mesh of
/// two dimensions; and the algorithm's own.
class Formula {
 public:
  /// UsageError with the column if it is none. It takes at most 4096 characters, and 100 levels.
  static Formula parse(std::string_view text);

  /// Its value; definitions count before `values`. UsageError if a symbol has none or it is no finite number.
  double value(const SymbolValues& values) const;
  /// The same formula, normalised: parse(text()).text() == text().
  std::string text() const;
  /// For TeX, to stand in mathematics: "\lceil \log_2 p \rceil".
  std::string latex() const;
  /// The symbols that values are needed for, in alphabetical order; `extent` is none of them.
  std::vector<std::string> symbols() const;
  /// Where a time A / k + B + C k, with k for `symbol`, is least: k* = sqrt(A / C), for p > 1. So for
  /// (a + b k) (t_s + t_w m / k) it is sqrt(a t_w m / (b t_s)). nullopt if the formula is no such time.
  std::optional<Formula> optimum(std::string_view symbol) const;

 private:
  explicit Formula(std::shared_ptr<const ClosedForm> form);

  std::shared_ptr<const ClosedForm> form_;
};

/// A symbol for TeX: t_{s} for t_s.
std::string latex_of_symbol(std::string_view symbol);

}  // namespace vnode
#pragma GCC visibility pop
