#include <cmath>

#include <vnode/error.hpp>
#include <vnode/lab/formula.hpp>

#include "harness.hpp"

using namespace vnode;

namespace {

/// Some value for every symbol.
SymbolValues some_values(const Formula& formula) {
  SymbolValues values{.extents = {3, 4}};
  double next = 2;
  for (const std::string& symbol : formula.symbols()) values.named[symbol] = next++;
  return values;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Formula formula = Formula::parse(text);
    fuzz::require(Formula::parse(formula.text()).text() == formula.text(),
                  "what is written is read as the same");
    fuzz::require(!formula.latex().empty(), "there is a text for TeX");
    fuzz::require(std::isfinite(formula.value(some_values(formula))), "a value is a number");
  });
}
