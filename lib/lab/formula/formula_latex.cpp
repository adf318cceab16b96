#include <fmt/format.h>
#include <map>

#include <vnode/lab/formula.hpp>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;

std::string set(const Expression& expression);

std::string enclosed(const std::string& text) { return "\\left( " + text + " \\right)"; }

std::string set_within(const Expression& expression, Binding least) {
  return binding(expression) < least ? enclosed(set(expression)) : set(expression);
}

std::string listed(const std::vector<Expression>& arguments) {
  std::string text;
  for (const Expression& argument : arguments)
    text += (&argument == &arguments.front() ? "" : ", ") + set(argument);
  return text;
}

std::string set_call(const Expression& expression) {
  const std::string& name = expression.word;
  const std::string inner = listed(expression.parts);
  if (name == "ceil") return "\\lceil " + inner + " \\rceil";
  if (name == "floor") return "\\lfloor " + inner + " \\rfloor";
  if (name == "abs") return "\\lvert " + inner + " \\rvert";
  if (name == "sqrt") return "\\sqrt{" + inner + '}';
  if (name == "mod")
    return enclosed(set_within(expression.parts[0], Binding::product) + " \\bmod " +
                    set_within(expression.parts[1], Binding::power));
  if (name == "sum") return "\\sum_{\\mathrm{extent}} " + enclosed(inner);
  const bool bare =
      name == "log2" && (expression.parts[0].kind == Kind::name || expression.parts[0].kind == Kind::number);
  return (name == "log2" ? "\\log_2" : '\\' + name) + (bare ? ' ' + inner : enclosed(inner));
}

// Numbers do not run together.
std::string set_product(const std::vector<Expression>& factors) {
  std::string text;
  for (const Expression& factor : factors) {
    const std::string next =
        factor.kind == Kind::quotient ? set(factor) : set_within(factor, Binding::product);
    if (&factor != &factors.front())
      text += next.front() >= '0' && next.front() <= '9' ? " \\cdot " : " \\, ";
    text += next;
  }
  return text;
}

std::string set_sum(const std::vector<Expression>& parts) {
  std::string text;
  for (const Expression& part : parts) {
    const bool negative = part.kind == Kind::negative;
    if (negative || &part != &parts.front()) text += negative ? " - " : " + ";
    text += negative ? set_within(part.parts[0], Binding::product) : set(part);
  }
  return text;
}

std::string set(const Expression& expression) {
  static const std::map<std::string_view, std::string> comparisons{
      {"<", "<"}, {"<=", "\\le"}, {">", ">"}, {">=", "\\ge"}, {"=", "="}, {"!=", "\\ne"}};
  const std::vector<Expression>& parts = expression.parts;
  switch (expression.kind) {
    case Kind::number:
      return expression.word;
    case Kind::name:
      return latex_of_symbol(expression.word);
    case Kind::negative:
      return '-' + set_within(parts[0], Binding::product);
    case Kind::quotient:
      return "\\frac{" + set(parts[0]) + "}{" + set(parts[1]) + '}';
    case Kind::power: {
      const bool simple = parts[0].kind == Kind::name || parts[0].kind == Kind::number;
      return (simple ? set(parts[0]) : enclosed(set(parts[0]))) + "^{" + set(parts[1]) + '}';
    }
    case Kind::condition:
      return '[' + set(parts[0]) + ' ' + comparisons.at(expression.word) + ' ' + set(parts[1]) + ']';
    case Kind::call:
      return set_call(expression);
    case Kind::product:
      return set_product(parts);
    case Kind::sum:
      break;
  }
  return set_sum(parts);
}

}  // namespace

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

std::string latex_of(const ClosedForm& form) {
  std::string text = set(form.value);
  for (const Definition& definition : form.definitions) {
    text += &definition == &form.definitions.front() ? ", \\quad \\text{where } " : ", \\; ";
    text += latex_of_symbol(definition.name) + " = " + set(definition.value);
  }
  return text;
}

}  // namespace vnode
