#include <fmt/format.h>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;

std::string written(const Expression& expression);

// With parentheses where it does not hold together as `least` does.
std::string within(const Expression& expression, Binding least) {
  const std::string text = written(expression);
  return binding(expression) < least ? '(' + text + ')' : text;
}

// "log2 p"
bool bare(const Expression& expression) {
  return expression.kind == Kind::call && expression.word == "log2" &&
         (expression.parts[0].kind == Kind::name || expression.parts[0].kind == Kind::number);
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

}  // namespace

std::string text_of(const ClosedForm& form) {
  std::string text = written(form.value);
  for (const Definition& definition : form.definitions) {
    text += &definition == &form.definitions.front() ? ", where " : ", ";
    text += definition.name + " = " + written(definition.value);
  }
  return text;
}

}  // namespace vnode
