#include <fmt/format.h>
#include <map>

#include <vnode/lab/formula.hpp>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;

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

// The functions from here on write plain text.

std::string written(const Expression& expression);

// Puts parentheses around an expression that binds less tightly than `least`.
std::string within(const Expression& expression, Binding least) {
  const std::string text = written(expression);
  return binding(expression) < least ? '(' + text + ')' : text;
}

std::string called(const Expression& expression) {
  std::string text = expression.word + '(';
  for (const Expression& argument : expression.parts)
    text += (&argument == &expression.parts.front() ? "" : ", ") + written(argument);
  return text + ')';
}

std::string product(const std::vector<Expression>& factors) {
  std::string text;
  for (const Expression& factor : factors) {
    const bool last = &factor == &factors.back();
    if (&factor != &factors.front()) text += ' ';
    if (bare(factor) && !last)
      text += called(factor);  // "log2(p) m": nobody takes m for a part of it
    else
      text += factor.kind == Kind::quotient ? '(' + written(factor) + ')' : within(factor, Binding::product);
  }
  return text;
}

std::string sum(const std::vector<Expression>& parts) {
  std::string text;
  for (const Expression& part : parts) {
    const bool first = &part == &parts.front(), negative = part.kind == Kind::negative;
    if (negative)
      text += first ? "-" : " - ";
    else if (!first)
      text += " + ";
    text += negative ? within(part.parts[0], Binding::product) : written(part);
  }
  return text;
}

std::string written(const Expression& expression) {
  const std::vector<Expression>& parts = expression.parts;
  switch (expression.kind) {
    case Kind::number:
    case Kind::name:
      return expression.word;
    case Kind::negative:
      return '-' + within(parts[0], Binding::product);
    case Kind::quotient:
      return within(parts[0], Binding::product) + " / " + within(parts[1], Binding::power);
    case Kind::power: {
      const auto tight = [](const Expression& part, Binding least) {
        return bare(part) ? '(' + written(part) + ')' : within(part, least);
      };
      return tight(parts[0], Binding::atom) + '^' + tight(parts[1], Binding::power);
    }
    case Kind::condition:
      return '[' + written(parts[0]) + ' ' + expression.word + ' ' + written(parts[1]) + ']';
    case Kind::call:
      return bare(expression) ? "log2 " + parts[0].word : called(expression);
    case Kind::product:
      return product(parts);
    case Kind::sum:
      break;
  }
  return sum(parts);
}

// The functions from here on write LaTeX.

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
  return (name == "log2" ? "\\log_2" : '\\' + name) + (bare(expression) ? ' ' + inner : enclosed(inner));
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
    case Kind::power:
      return (is_word(parts[0]) ? set(parts[0]) : enclosed(set(parts[0]))) + "^{" + set(parts[1]) + '}';
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

std::string text_of(const ClosedForm& form) {
  std::string text = written(form.value);
  for (const Definition& definition : form.definitions) {
    text += &definition == &form.definitions.front() ? ", where " : ", ";
    text += definition.name + " = " + written(definition.value);
  }
  return text;
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

std::string latex_of(const ClosedForm& form) {
  std::string text = set(form.value);
  for (const Definition& definition : form.definitions) {
    text += &definition == &form.definitions.front() ? ", \\quad \\text{where } " : ", \\; ";
    text += latex_of_symbol(definition.name) + " = " + set(definition.value);
  }
  return text;
}

}  // namespace vnode
