#include "compile/combines.hpp"

namespace vnode {

void add_combines(Program& program, const ByPlace<Operand>& places, const ByPlace<std::uint32_t>& returned) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  for (const auto& [place, operands] : places) {
    Combine combine{count(program.operands), count(operands), count(program.forwards), 0};
    if (const auto forwards = returned.find(place); forwards != returned.end()) {
      program.forwards.insert(program.forwards.end(), forwards->second.begin(), forwards->second.end());
      combine.forwards = count(forwards->second);
    }
    program.operands.insert(program.operands.end(), operands.begin(), operands.end());
    program.combines.push_back(combine);
  }
}

}  // namespace vnode
