#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <vnode/error.hpp>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t most_characters = 4096;
constexpr int most_levels = 100;

struct Function {
  std::string_view name;
  std::size_t least, most;  // arguments
};

// Returns the function of that name, or nullptr.
const Function* function(std::string_view name) {
  constexpr std::size_t any = 16;
  static constexpr Function functions[] = {{"abs", 1, 1},  {"ceil", 1, 1},  {"floor", 1, 1},
                                           {"log2", 1, 1}, {"max", 2, any}, {"min", 2, any},
                                           {"mod", 2, 2},  {"sqrt", 1, 1},  {"sum", 1, 1}};
  const auto found = std::ranges::find(functions, name, &Function::name);
  return found == std::end(functions) ? nullptr : found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// One part is itself, several are a product or a sum.
Expression joined(Kind kind, std::vector<Expression> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return {kind, 0, {}, std::move(parts)};
}

// Recursive descent: sum, product, power, primary.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ClosedForm form() {
    if (text_.size() > most_characters)
      throw UsageError(fmt::format("a formula of {} characters is too long: {} are the most", text_.size(),
                                   most_characters));
    ClosedForm form{sum()};
    if (take(',')) {
      if (const std::size_t begin = place(); word() != "where") refuse(begin, "expected \"where\"");
      do form.definitions.push_back(definition(form));
      while (take(','));
    }
    if (!ends()) refuse(place(), fmt::format("{} is not expected here", next()));
    return form;
  }

 private:
  [[noreturn]] void refuse(std::size_t place, const std::string& reason) const {
    throw UsageError(fmt::format("column {}: {}", place + 1, reason));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  std::size_t place() {
    skip_spaces();
    return at_;
  }
  bool ends() { return place() == text_.size(); }
  char peek() { return ends() ? '\0' : text_[at_]; }
  bool take(char wanted) {
    if (ends() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) refuse(place(), fmt::format("expected \"{}\", not {}", wanted, next()));
  }
  // Returns what stands here, for a sentence.
  std::string next() {
    if (ends()) return "the end";
    const char c = text_[at_];
    return c > ' ' && c <= '~' ? fmt::format("\"{}\"", c) : "a character that no formula has";
  }

  std::string_view word() {
    const std::size_t begin = place();
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Definition definition(const ClosedForm& form) {
    const std::size_t begin = place();
    if (!is_letter(peek())) refuse(begin, fmt::format("expected a name to define, not {}", next()));
    Definition defined{std::string(word()), {}};
    const auto same = [&](const Definition& other) { return other.name == defined.name; };
    if (function(defined.name) || defined.name == "extent" || std::ranges::any_of(form.definitions, same))
      refuse(begin, fmt::format("{} has a meaning already", defined.name));
    expect('=');
    defined.value = sum();
    return defined;
  }

  Expression sum() {
    if (++level_ > most_levels) refuse(place(), fmt::format("more than {} levels", most_levels));
    std::vector<Expression> parts;
    bool minus = take('-');
    do {
      Expression part = product();
      if (minus)
        parts.push_back({Kind::negative, 0, {}, {std::move(part)}});
      else if (part.kind == Kind::sum)
        std::ranges::move(part.parts, std::back_inserter(parts));
      else
        parts.push_back(std::move(part));
      minus = peek() == '-';
    } while (take('+') || take('-'));
    --level_;
    return joined(Kind::sum, std::move(parts));
  }

  bool begins_factor() {
    const char c = peek();
    return is_digit(c) || is_letter(c) || c == '(' || c == '[';
  }

  Expression product() {
    std::vector<Expression> factors;
    while (factors.empty() || begins_factor()) {
      Expression factor = power();
      if (factor.kind == Kind::product)
        std::ranges::move(factor.parts, std::back_inserter(factors));
      else
        factors.push_back(std::move(factor));
    }
    Expression result = joined(Kind::product, std::move(factors));
    while (take('/')) {
      Expression below = power();
      result = {Kind::quotient, 0, {}, {std::move(result), std::move(below)}};
      if (begins_factor()) refuse(place(), "this may be read in two ways: write (a / b) c or a / (b c)");
    }
    return result;
  }

  Expression power() {
    if (++level_ > most_levels) refuse(place(), fmt::format("more than {} levels", most_levels));
    bool bare = false;
    Expression base = primary(bare);
    if (const std::size_t begin = place(); take('^')) {
      if (bare) refuse(begin, "this may be read in two ways: write (log2 p)^2 or log2(p^2)");
      Expression exponent = power();
      base = {Kind::power, 0, {}, {std::move(base), std::move(exponent)}};
    }
    --level_;
    return base;
  }

  // `bare`: whether it is a function without parentheses.
  Expression primary(bool& bare) {
    const std::size_t begin = place();
    if (take('(')) {
      Expression inner = sum();
      expect(')');
      return inner;
    }
    if (take('[')) return condition();
    if (is_digit(peek())) return number();
    if (!is_letter(peek())) refuse(begin, fmt::format("expected a number, a name or \"(\", not {}", next()));
    const std::string name(word());
    if (function(name)) return call(*function(name), bare);
    if (name == "where") refuse(begin, "a comma is missing before \"where\"");
    if (name == "extent" && !in_sum_) refuse(begin, "extent has a meaning in sum(...) only");
    return {Kind::name, 0, name};
  }

  Expression number() {
    constexpr std::size_t most_digits = 15;
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view digits = text_.substr(begin, at_ - begin);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.back() == '.' ||
        digits.size() > most_digits)
      refuse(begin, fmt::format("{} is not a number of at most {} digits", digits, most_digits));
    return {Kind::number, value, std::string(digits)};
  }

  Expression condition() {
    Expression left = sum();
    const std::size_t begin = place();
    std::string comparison;
    for (const char* known : {"<=", ">=", "!=", "<", ">", "="})
      if (comparison.empty() && text_.substr(begin).starts_with(known)) comparison = known;
    if (comparison.empty())
      refuse(begin, fmt::format("expected a comparison, < <= > >= = or !=, not {}", next()));
    at_ += comparison.size();
    Expression right = sum();
    expect(']');
    return {Kind::condition, 0, comparison, {std::move(left), std::move(right)}};
  }

  Expression call(const Function& function, bool& bare) {
    Expression result{Kind::call, 0, std::string(function.name)};
    const std::size_t begin = place();
    const bool over_extents = function.name == "sum";
    if (over_extents && std::exchange(in_sum_, true)) refuse(begin, "a sum cannot contain a sum");
    if (take('(')) {
      do result.parts.push_back(sum());
      while (take(','));
      expect(')');
    } else if (function.name == "log2" && (is_digit(peek()) || (is_letter(peek())))) {
      bare = true;
      Expression argument = is_digit(peek()) ? number() : Expression{Kind::name, 0, std::string(word())};
      if (vnode::function(argument.word) || argument.word == "where")
        refuse(begin, "expected a name, a number or \"(\" after log2");
      if (argument.word == "extent" && !in_sum_) refuse(begin, "extent has a meaning in sum(...) only");
      result.parts.push_back(std::move(argument));
    } else {
      refuse(begin, fmt::format("expected \"(\" after {}, not {}", function.name, next()));
    }
    if (over_extents) in_sum_ = false;
    if (result.parts.size() < function.least || result.parts.size() > function.most)
      refuse(begin, fmt::format("{} has {} to {} arguments, not {}", function.name, function.least,
                                function.most, result.parts.size()));
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int level_ = 0;
  bool in_sum_ = false;
};

}  // namespace

ClosedForm parse_closed_form(std::string_view text) { return Parser(text).form(); }

}  // namespace vnode
