#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
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

// How tightly an expression holds together: as far as parentheses are needed around it.
enum class Binding { sum, product, power, atom };

Binding binding(const Expression& expression) {
  switch (expression.kind) {
    case Kind::sum:
    case Kind::negative:
      return Binding::sum;
    case Kind::product:
    case Kind::quotient:
      return Binding::product;
    case Kind::power:
      return Binding::power;
    default:
      return Binding::atom;
  }
}

// Tells whether a function or a power needs no parentheses around it.
bool is_word(const Expression& expression) {
  return expression.kind == Kind::name || expression.kind == Kind::number;
}

// Tells whether a call is written without parentheses: "log2 p".
bool bare(const Expression& expression) {
  return expression.kind == Kind::call && expression.word == "log2" && is_word(expression.parts[0]);
}

// Writes formulas as plain text, or for TeX's math mode.
class Writer {
 public:
  explicit Writer(bool tex) : tex_(tex) {}

  std::string form(const ClosedForm& form) const {
    std::string text = written(form.value);
    for (const Definition& definition : form.definitions) {
      if (&definition == &form.definitions.front())
        text += tex_ ? ", \\quad \\text{where } " : ", where ";
      else
        text += tex_ ? ", \\; " : ", ";
      text += name(definition.name) + " = " + written(definition.value);
    }
    return text;
  }

 private:
  std::string written(const Expression& expression) const {
    static const std::map<std::string_view, std::string> signs{
        {"<=", "\\le"}, {">=", "\\ge"}, {"!=", "\\ne"}};
    const std::vector<Expression>& parts = expression.parts;
    switch (expression.kind) {
      case Kind::number:
        return expression.word;
      case Kind::name:
        return name(expression.word);
      case Kind::negative:
        return '-' + within(parts[0], Binding::product);
      case Kind::quotient:
        if (tex_) return "\\frac{" + written(parts[0]) + "}{" + written(parts[1]) + '}';
        return within(parts[0], Binding::product) + " / " + within(parts[1], Binding::power);
      case Kind::power:
        if (tex_) return within(parts[0], Binding::atom, !is_word(parts[0])) + "^{" + written(parts[1]) + '}';
        return within(parts[0], Binding::atom, bare(parts[0])) + '^' +
               within(parts[1], Binding::power, bare(parts[1]));
      case Kind::condition: {
        const auto sign = tex_ ? signs.find(expression.word) : signs.end();
        return fmt::format("[{} {} {}]", written(parts[0]),
                           sign != signs.end() ? sign->second : expression.word, written(parts[1]));
      }
      case Kind::call:
        if (tex_) return called_in_tex(expression);
        return bare(expression) ? "log2 " + parts[0].word : called(expression);
      case Kind::product:
        return product(parts);
      case Kind::sum:
        break;
    }
    return sum(parts);
  }

  std::string name(const std::string& symbol) const { return tex_ ? latex_of_symbol(symbol) : symbol; }

  std::string enclosed(const std::string& text) const {
    return tex_ ? "\\left( " + text + " \\right)" : '(' + text + ')';
  }
  // Puts parentheses around an expression that binds less tightly than `least`, and where they are `wanted`.
  std::string within(const Expression& expression, Binding least, bool wanted = false) const {
    const std::string text = written(expression);
    return wanted || binding(expression) < least ? enclosed(text) : text;
  }

  std::string listed(const std::vector<Expression>& arguments) const {
    std::string text;
    for (const Expression& argument : arguments)
      text += (&argument == &arguments.front() ? "" : ", ") + written(argument);
    return text;
  }
  std::string called(const Expression& expression) const {
    return expression.word + enclosed(listed(expression.parts));
  }
  std::string called_in_tex(const Expression& expression) const {
    const std::string& name = expression.word;
    const std::string inner = listed(expression.parts);
    if (name == "ceil") return "\\lceil " + inner + " \\rceil";
    if (name == "floor") return "\\lfloor " + inner + " \\rfloor";
    if (name == "abs") return "\\lvert " + inner + " \\rvert";
    if (name == "sqrt") return "\\sqrt{" + inner + '}';
    if (name == "mod")
      return enclosed(within(expression.parts[0], Binding::product) + " \\bmod " +
                      within(expression.parts[1], Binding::power));
    if (name == "sum") return "\\sum_{\\mathrm{extent}} " + enclosed(inner);
    return (name == "log2" ? "\\log_2" : '\\' + name) + (bare(expression) ? ' ' + inner : enclosed(inner));
  }

  // In plain text it is "log2(p) m": nobody takes m for a part of the logarithm. In TeX numbers do not run
  // together.
  std::string product(const std::vector<Expression>& factors) const {
    std::string text;
    for (const Expression& factor : factors) {
      const bool quotient = factor.kind == Kind::quotient, last = &factor == &factors.back();
      const std::string next = !tex_ && bare(factor) && !last
                                   ? called(factor)
                                   : within(factor, Binding::product, quotient && !tex_);
      const bool number = next.front() >= '0' && next.front() <= '9';
      if (&factor != &factors.front()) text += !tex_ ? " " : number ? " \\cdot " : " \\, ";
      text += next;
    }
    return text;
  }

  std::string sum(const std::vector<Expression>& parts) const {
    std::string text;
    for (const Expression& part : parts) {
      const bool first = &part == &parts.front(), negative = part.kind == Kind::negative;
      if (negative)
        text += first && !tex_ ? "-" : " - ";
      else if (!first)
        text += " + ";
      text += negative ? within(part.parts[0], Binding::product) : written(part);
    }
    return text;
  }

  bool tex_;
};

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

std::string Formula::text() const { return Writer(false).form(*form_); }

std::string Formula::latex() const { return Writer(true).form(*form_); }

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

std::string latex_of_symbol(std::string_view symbol) {
  const auto upright = [](std::string_view part) {
    std::string text;
    for (const char c : part) text += c == '_' ? std::string("\\_") : std::string(1, c);
    return part.size() > 1 ? "\\mathrm{" + text + '}' : text;
  };
  const std::size_t underscore = symbol.find('_');
  if (underscore == std::string_view::npos || underscore + 1 == symbol.size()) return upright(symbol);
  return upright(symbol.substr(0, underscore)) + "_{" + upright(symbol.substr(underscore + 1)) + '}';
}

}  // namespace vnode
