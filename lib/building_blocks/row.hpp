#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <vnode/model/algorithms.hpp>

#include "building_blocks/formula.hpp"
#include "building_blocks/names.hpp"

namespace vnode {

/// Holds a text put together by the compiler: what a row derives of another row's formulas.
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

/// Return the formula "b" of "b, where q = 2^d", and the rest.
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

/// Returns `before` times the formula of `text`, times `after`.
constexpr Text product(std::string_view before, std::string_view text, std::string_view after) {
  const std::string_view formula = formula_of(text);
  return is_sum(formula) ? Text(before, "(", formula, ")", after, where_of(text))
                         : Text(before, formula, after, where_of(text));
}

/// Returns `text` with `what` after its formula.
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

/// Holds a function that a row states, or none. It knows without a look at the pointer: under its sanitizer
/// of undefined behaviour gcc does not compare addresses with null at compile time.
template <class Function>
class Given {
 public:
  constexpr Given() = default;
  template <class Stated>
  constexpr Given(Stated function) requires std::is_convertible_v<Stated, Function> : function_(function),
                                                                                      stated_(true) {}
  constexpr Function otherwise(Function base) const { return stated_ ? function_ : base; }
  constexpr bool stated() const { return stated_; }

 private:
  Function function_ = nullptr;
  bool stated_ = false;
};

/// Holds a count, or its text alone, where what it is derived from has the value.
struct OwnCount {
  std::string_view text = {};
  Given<Count::Formula> value = {};

  constexpr OwnCount() = default;
  constexpr OwnCount(const char* text_) : text(text_) {}
  constexpr OwnCount(std::string_view text_, Given<Count::Formula> value_) : text(text_), value(value_) {}
  constexpr OwnCount(const Count& count) : OwnCount(count.text, count.value) {}
};

/// States what a row of the registry has of its own. The fields are Algorithm's, and are explained there;
/// what is left out, or has its default, is as in the row from which this one is derived. Who builds another
/// schedule says anew whether nodes are alike.
struct RowOverrides {
  std::string_view name = {};  ///< begins with that of the collective
  Given<Schedule (*)(const Parameters&)> build = {};
  Given<Cost (*)(const Parameters&)> cost = {};
  std::string_view rounds = {};
  OwnCount transfers = {};
  std::string_view time = {}, best_segments = {};
  std::span<const Symbol> symbols = {};
  Given<bool (*)(const Parameters&, int round, Rank from, Rank to)> peers = {};
  Given<bool (*)(const Parameters&)> alike = {};
  Ports ports = Ports::single;
  std::span<const Need> needs = {};
  bool dimension_order = false, segments = false, radix = false;
  KeepsOrder keeps_order = KeepsOrder::always;
  bool at_once = false;
  std::span<const Carrier> carriers = {};
  int sweep_to = usual_sweep;
  std::string_view best_for = {}, source = {};
};

constexpr Count changed(Count base, const OwnCount& own) {
  return {own.text.empty() ? base.text : own.text, own.value.otherwise(base.value)};
}

/// Returns `base` under its own name, with what is its own.
constexpr Algorithm derived(const Algorithm& base, const RowOverrides& own) {
  const auto either = [](auto mine, auto otherwise, auto nothing_said) {
    return mine == nothing_said ? otherwise : mine;
  };
  const auto list = [](auto mine, auto otherwise) { return mine.empty() ? otherwise : mine; };
  return {
      .name = list(own.name, base.name),
      .collective = own.name.empty() ? base.collective : collective_of(own.name),
      .build = own.build.otherwise(base.build),
      .cost = own.cost.otherwise(base.cost),
      .rounds = list(own.rounds, base.rounds),
      .transfers = changed(base.transfers, own.transfers),
      .time = list(own.time, base.time),
      .best_segments = list(own.best_segments, base.best_segments),
      .symbols = list(own.symbols, base.symbols),
      .peers = own.peers.otherwise(base.peers),
      .alike = own.alike.otherwise(own.build.stated() ? nullptr : base.alike),
      .ports = either(own.ports, base.ports, Ports::single),
      .needs = list(own.needs, base.needs),
      .dimension_order = own.dimension_order || base.dimension_order,
      .segments = own.segments || base.segments,
      .radix = own.radix || base.radix,
      .keeps_order = either(own.keeps_order, base.keeps_order, KeepsOrder::always),
      .at_once = own.at_once || base.at_once,
      .carriers = list(own.carriers, base.carriers),
      .sweep_to = either(own.sweep_to, base.sweep_to, usual_sweep),
      .best_for = list(own.best_for, base.best_for),
      .source = list(own.source, base.source),
  };
}

/// Returns a row that is derived from no other.
constexpr Algorithm row(const RowOverrides& own) { return derived(Algorithm{}, own); }

/// Returns a row like that of a pattern which it shares: it has other burdens on the same way, or is another
/// operation.
template <const Algorithm& base>
constexpr Algorithm row_like(const RowOverrides& own) {
  return derived(base, own);
}

/// Everybody sends in each of these rounds.
template <const Count& rounds>
inline constexpr Text everybody_text = product("p ", rounds.text, "");
template <const Count& rounds>
inline constexpr Count everybody_in_each{everybody_text<rounds>, [](const Parameters& parameters) {
                                           return parameters.nodes * rounds.value(parameters);
                                         }};

// The rounds of these rows make cost and time: somebody gets a whole message in every round; or a segment of
// it; or the busiest port passes, all rounds together, a message for each other node.

template <const Count& rounds>
inline constexpr Text message_time = product("(t_s + t_w m) ", rounds.text, "");
template <const Count& rounds>
inline constexpr Text segment_time = product("", rounds.text, " (t_s + t_w m / k)");
template <const Count& rounds>
inline constexpr Text block_time = plus(product("t_s ", rounds.text, ""), " + t_w m (p - 1)");

template <const Count& rounds>
constexpr Algorithm message_row(const RowOverrides& own) {
  const RowOverrides burden{
      .cost = message_in_each<rounds>, .rounds = rounds.text, .time = message_time<rounds>};
  return derived(row(burden), own);
}
template <const Count& rounds>
constexpr Algorithm segment_row(const RowOverrides& own) {
  const RowOverrides burden{.cost = segment_in_each<rounds>,
                            .rounds = rounds.text,
                            .transfers = one_per_segment,
                            .time = segment_time<rounds>,
                            .segments = true};
  return derived(row(burden), own);
}
template <const Count& rounds>
constexpr Algorithm block_row(const RowOverrides& own) {
  const RowOverrides burden{.cost =
                                [](const Parameters& parameters) {
                                  return one_block_per_other_node(rounds.value(parameters), parameters.nodes);
                                },
                            .rounds = rounds.text,
                            .transfers = everybody_in_each<rounds>,
                            .time = block_time<rounds>};
  return derived(row(burden), own);
}

}  // namespace vnode
