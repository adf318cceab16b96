#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace vnode {

/// A text put together by the compiler: what a row derives of another row's formulas.
class Text {
 public:
  constexpr Text() = default;
  template <class... Parts>
  constexpr explicit Text(const Parts&... parts) {
    (append(parts), ...);
  }
  constexpr operator std::string_view() const { return {letters_.data(), size_}; }

 private:
  constexpr void append(std::string_view part) {
    for (const char letter : part) letters_[size_++] = letter;
  }

  std::array<char, 192> letters_{};  // more than that does not compile
  std::size_t size_ = 0;
};

/// Returns where a word begins in a text, or the text's end. (The library's search compares addresses with
/// null, which gcc does not do at compile time under its sanitizer of undefined behaviour.)
constexpr std::size_t place_of(std::string_view word, std::string_view text) {
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i)
    if (text.substr(i, word.size()) == word) return i;
  return text.size();
}

/// "b, where q = 2^d" is the formula "b" and the rest.
constexpr std::string_view formula_of(std::string_view text) {
  return text.substr(0, place_of(", where", text));
}
constexpr std::string_view where_of(std::string_view text) { return text.substr(formula_of(text).size()); }

/// Returns whether a formula needs brackets to be a factor.
constexpr bool is_sum(std::string_view formula) {
  int depth = 0;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] == '(' || formula[i] == '[') ++depth;
    if (formula[i] == ')' || formula[i] == ']') --depth;
    if (depth == 0 && (formula[i] == '+' || formula[i] == '-')) return true;
  }
  return false;
}

/// `before` times the formula of `text`, times `after`.
constexpr Text product(std::string_view before, std::string_view text, std::string_view after) {
  const std::string_view formula = formula_of(text);
  return is_sum(formula) ? Text(before, "(", formula, ")", after, where_of(text))
                         : Text(before, formula, after, where_of(text));
}

/// `text` with `what` after its formula.
constexpr Text plus(std::string_view text, std::string_view what) {
  return Text(formula_of(text), what, where_of(text));
}

/// Returns a formula in which all that is received is combined: t_w becomes t_w + t_op.
constexpr Text combining_words(std::string_view formula) {
  constexpr std::string_view word = "t_w";
  const std::size_t place = place_of(word, formula);
  if (place == formula.size()) return Text(formula);
  return Text(formula.substr(0, place), "(t_w + t_op)", formula.substr(place + word.size()));
}

}  // namespace vnode
