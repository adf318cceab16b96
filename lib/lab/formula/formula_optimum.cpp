#include <algorithm>
#include <array>
#include <utility>

#include <vnode/lab/formula.hpp>

#include "formula/closed_form.hpp"

namespace vnode {
namespace {

using Kind = Expression::Kind;
using Expressions = std::vector<Expression>;

bool has(const Expression& expression, std::string_view symbol) {
  return (expression.kind == Kind::name && expression.word == symbol) ||
         std::ranges::any_of(expression.parts, [&](const Expression& part) { return has(part, symbol); });
}

bool is_number(const Expression& expression, double number) {
  return expression.kind == Kind::number && expression.number == number;
}

// [p > 1]: where there is one node, nothing is sent.
bool is_not_alone(const Expression& expression) {
  return expression.kind == Kind::condition && expression.word == ">" &&
         expression.parts[0].kind == Kind::name && expression.parts[0].word == "p" &&
         is_number(expression.parts[1], 1);
}

// Flat, and without ones.
Expression product_of(const Expressions& factors) {
  Expressions flat;
  for (const Expression& factor : factors) {
    if (factor.kind == Kind::product)
      flat.insert(flat.end(), factor.parts.begin(), factor.parts.end());
    else if (!is_number(factor, 1))
      flat.push_back(factor);
  }
  if (flat.empty()) return {Kind::number, 1, "1"};
  return flat.size() == 1 ? std::move(flat.front()) : Expression{Kind::product, 0, {}, std::move(flat)};
}

Expression negative(const Expression& part) {
  return part.kind == Kind::negative ? part.parts[0] : Expression{Kind::negative, 0, {}, {part}};
}

// What is negative comes last.
Expression sum_of(Expressions parts) {
  std::stable_partition(parts.begin(), parts.end(),
                        [](const Expression& part) { return part.kind != Kind::negative; });
  return parts.size() == 1 ? std::move(parts.front()) : Expression{Kind::sum, 0, {}, std::move(parts)};
}

// An expression as terms of symbol^-1, symbol^0 and symbol^1, each a sum, or nothing.
struct Powers {
  static constexpr std::size_t by = 0, without = 1, times = 2;
  std::array<Expressions, 3> terms;
};

std::optional<Powers> powers(const Expression& expression, std::string_view symbol);

std::optional<Powers> powers_of_sum(const Expressions& parts, std::string_view symbol) {
  Powers result;
  for (const Expression& part : parts) {
    const bool minus = part.kind == Kind::negative;
    auto own = powers(minus ? part.parts[0] : part, symbol);
    if (!own) return std::nullopt;
    for (std::size_t i = 0; i < own->terms.size(); ++i)
      for (Expression& term : own->terms[i])
        result.terms[i].push_back(minus ? negative(term) : std::move(term));
  }
  return result;
}

// Sums of equal power stay together: (p - 2) t_w m, not p t_w m - 2 t_w m.
std::optional<Powers> powers_of_product(const Expressions& factors, std::string_view symbol) {
  Expressions others;
  Powers result;
  result.terms[Powers::without] = {product_of({})};
  for (const Expression& factor : factors) {
    if (is_not_alone(factor)) continue;
    if (!has(factor, symbol)) {
      others.push_back(factor);
      continue;
    }
    const auto own = powers(factor, symbol);
    if (!own) return std::nullopt;
    Powers next;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        if (result.terms[i].empty() || own->terms[j].empty()) continue;
        if (i + j < 1 || i + j > 3) return std::nullopt;
        next.terms[i + j - 1].push_back(product_of({sum_of(result.terms[i]), sum_of(own->terms[j])}));
      }
    result = std::move(next);
  }
  for (Expressions& terms : result.terms)
    if (!terms.empty()) {
      Expression grouped = sum_of(std::move(terms));
      const bool minus = grouped.kind == Kind::negative;
      if (minus) grouped = negative(grouped);
      Expressions all = others;
      all.insert(grouped.kind == Kind::sum ? all.begin() : all.end(), std::move(grouped));
      terms = {minus ? negative(product_of(all)) : product_of(all)};
    }
  return result;
}

std::optional<Powers> powers_of_quotient(const Expression& above, const Expression& below,
                                         std::string_view symbol) {
  auto result = powers(above, symbol);
  if (!result) return std::nullopt;
  if (below.kind == Kind::name && below.word == symbol) {
    if (!result->terms[Powers::by].empty()) return std::nullopt;
    std::rotate(result->terms.begin(), result->terms.begin() + 1, result->terms.end());
    return result;
  }
  if (has(below, symbol)) return std::nullopt;
  for (Expressions& terms : result->terms)
    if (!terms.empty()) terms = {{Kind::quotient, 0, {}, {sum_of(terms), below}}};
  return result;
}

std::optional<Powers> powers(const Expression& expression, std::string_view symbol) {
  Powers result;
  if (!has(expression, symbol)) {
    result.terms[Powers::without] = {expression};
    return result;
  }
  switch (expression.kind) {
    case Kind::name:
      result.terms[Powers::times] = {product_of({})};
      return result;
    case Kind::negative:
      return powers_of_sum({expression}, symbol);
    case Kind::sum:
      return powers_of_sum(expression.parts, symbol);
    case Kind::product:
      return powers_of_product(expression.parts, symbol);
    case Kind::quotient:
      return powers_of_quotient(expression.parts[0], expression.parts[1], symbol);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Formula> Formula::optimum(std::string_view symbol) const {
  for (const Definition& definition : form_->definitions)
    if (definition.name == symbol || has(definition.value, symbol)) return std::nullopt;
  const auto time = powers(form_->value, symbol);
  if (!time || time->terms[Powers::by].empty() || time->terms[Powers::times].empty()) return std::nullopt;
  const Expression above = sum_of(time->terms[Powers::by]), below = sum_of(time->terms[Powers::times]);
  ClosedForm best{{Kind::call, 0, "sqrt", {{Kind::quotient, 0, {}, {above, below}}}}, form_->definitions};
  return Formula(std::make_shared<const ClosedForm>(std::move(best)));
}

}  // namespace vnode
