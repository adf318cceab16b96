#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vnode {

/// Holds a formula as a tree. Products and sums are flat; a part of a sum may be `negative`.
struct Expression {
  enum class Kind { number, name, sum, negative, product, quotient, power, call, condition };

  Kind kind = Kind::number;
  double number = 0;
  std::string word{};               ///< the number as written, the name, the function or the comparison
  std::vector<Expression> parts{};  ///< numerator and denominator; base and exponent; arguments; both sides
};

/// Holds a definition that stands after "where": `name` = `value`.
struct Definition {
  std::string name;
  Expression value;
};

/// Holds an expression and the definitions of its names.
struct ClosedForm {
  Expression value;
  std::vector<Definition> definitions{};
};

ClosedForm parse_closed_form(std::string_view text);

}  // namespace vnode
