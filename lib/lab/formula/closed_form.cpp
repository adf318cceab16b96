#include "formula/closed_form.hpp"

#include <algorithm>

namespace vnode {

const Function* function(std::string_view name) {
  constexpr std::size_t any = 16;
  static constexpr Function functions[] = {{"abs", 1, 1},  {"ceil", 1, 1},  {"floor", 1, 1},
                                           {"log2", 1, 1}, {"max", 2, any}, {"min", 2, any},
                                           {"mod", 2, 2},  {"sqrt", 1, 1},  {"sum", 1, 1}};
  const auto found = std::ranges::find(functions, name, &Function::name);
  return found == std::end(functions) ? nullptr : found;
}

Binding binding(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::sum:
    case Expression::Kind::negative:
      return Binding::sum;
    case Expression::Kind::product:
    case Expression::Kind::quotient:
      return Binding::product;
    case Expression::Kind::power:
      return Binding::power;
    default:
      return Binding::atom;
  }
}

}  // namespace vnode
