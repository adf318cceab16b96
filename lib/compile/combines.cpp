#include "compile/combines.hpp"

namespace vnode {

void add_combines(Program& program, const ByPlace<std::vector<Operand>>& places,
                  const ByPlace<ReturnedResult>& returned) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  for (const auto& [place, operands] : places) {
    Combine combine{count(program.operands), count(operands), count(program.forwards)};
    if (const auto found = returned.find(place); found != returned.end()) {
      const auto& [messages, kept] = found->second;
      program.forwards.insert(program.forwards.end(), messages.begin(), messages.end());
      combine.forwards = count(messages);
      combine.kept = kept;
    }
    program.operands.insert(program.operands.end(), operands.begin(), operands.end());
    program.combines.push_back(combine);
  }
}

}  // namespace vnode
