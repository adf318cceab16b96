#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/formula.hpp>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;

bool holds(const std::string& comparison, double left, double right) {
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">") return left > right;
  if (comparison == ">=") return left >= right;
  return (comparison == "=") == (left == right);
}

// The values of the symbols at hand, and of the names defined so far.
class Evaluation {
 public:
  explicit Evaluation(const SymbolValues& values) : values_(values) {}

  void define(const Definition& definition) { defined_[definition.name] = of(definition.value); }

  double of(const Expression& expression) {
    const std::vector<Expression>& parts = expression.parts;
    switch (expression.kind) {
      case Kind::number:
        return expression.number;
      case Kind::name:
        return symbol(expression.word);
      case Kind::negative:
        return -of(parts[0]);
      case Kind::quotient:
        return quotient(parts[0], parts[1]);
      case Kind::power:
        return std::pow(of(parts[0]), of(parts[1]));
      case Kind::condition:
        return holds(expression.word, of(parts[0]), of(parts[1]));
      case Kind::call:
        return call(expression.word, parts);
      case Kind::product:
        return product(parts);
      case Kind::sum:
        break;
    }
    double sum = 0;
    for (const Expression& part : parts) sum += of(part);
    return sum;
  }

 private:
  double symbol(const std::string& name) const {
    if (name == "extent") return extent_;
    if (const auto defined = defined_.find(name); defined != defined_.end()) return defined->second;
    if (const auto given = values_.named.find(name); given != values_.named.end()) return given->second;
    throw UsageError(fmt::format("{} has no value in this formula", name));
  }

  // A condition that does not hold makes it 0, even where another factor has no value.
  double product(const std::vector<Expression>& factors) {
    for (const Expression& factor : factors)
      if (factor.kind == Kind::condition && of(factor) == 0) return 0;
    double product = 1;
    for (const Expression& factor : factors)
      if (factor.kind != Kind::condition) product *= of(factor);
    return product;
  }

  double quotient(const Expression& above, const Expression& below) {
    const double dividend = of(above);
    const bool never = dividend == 0 && is_conditional(above);
    return never ? 0 : dividend / of(below);
  }

  // Tells whether a condition is among its factors.
  static bool is_conditional(const Expression& expression) {
    if (expression.kind == Kind::condition) return true;
    if (expression.kind == Kind::quotient) return is_conditional(expression.parts[0]);
    return expression.kind == Kind::product && std::ranges::any_of(expression.parts, is_conditional);
  }

  double call(const std::string& name, const std::vector<Expression>& arguments) {
    if (name == "sum") {
      double sum = 0;
      for (const int extent : values_.extents) {
        extent_ = extent;
        sum += of(arguments[0]);
      }
      return sum;
    }
    const double first = of(arguments[0]);
    if (name == "ceil") return std::ceil(first);
    if (name == "floor") return std::floor(first);
    if (name == "log2") return std::log2(first);
    if (name == "sqrt") return std::sqrt(first);
    if (name == "abs") return std::abs(first);
    if (name == "mod") {
      const double second = of(arguments[1]);
      return first - second * std::floor(first / second);
    }
    double extreme = first;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const double next = of(arguments[i]);
      extreme = name == "min" ? std::min(extreme, next) : std::max(extreme, next);
    }
    return extreme;
  }

  const SymbolValues& values_;
  std::map<std::string, double, std::less<>> defined_;
  double extent_ = 0;
};

void collect(const Expression& expression, std::set<std::string>& names) {
  if (expression.kind == Kind::name && expression.word != "extent") names.insert(expression.word);
  for (const Expression& part : expression.parts) collect(part, names);
}

}  // namespace

Formula::Formula(std::shared_ptr<const ClosedForm> form) : form_(std::move(form)) {}

Formula Formula::parse(std::string_view text) {
  return Formula(std::make_shared<const ClosedForm>(parse_closed_form(text)));
}

double Formula::value(const SymbolValues& values) const {
  Evaluation evaluation(values);
  for (const Definition& definition : form_->definitions) evaluation.define(definition);
  const double value = evaluation.of(form_->value);
  if (!std::isfinite(value)) throw UsageError(fmt::format("{} has no finite value here", text()));
  return value;
}

std::string Formula::text() const { return text_of(*form_); }

std::string Formula::latex() const { return latex_of(*form_); }

std::vector<std::string> Formula::symbols() const {
  std::set<std::string> names, defined;
  for (const Definition& definition : form_->definitions) {
    std::set<std::string> used;
    collect(definition.value, used);
    std::ranges::set_difference(used, defined, std::inserter(names, names.end()));
    defined.insert(definition.name);
  }
  std::set<std::string> used;
  collect(form_->value, used);
  std::ranges::set_difference(used, defined, std::inserter(names, names.end()));
  return {names.begin(), names.end()};
}

}  // namespace vnode
