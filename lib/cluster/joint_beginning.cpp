#include "cluster/joint_beginning.hpp"

#include <fmt/format.h>
#include <string>

#include <vnode/error.hpp>

#include "base/sentence.hpp"
#include "channel/processes.hpp"

namespace vnode {

std::vector<MessageBuffer> JointBeginning::step(const std::exception_ptr& failure, const MessageBuffer& own) {
  MessageBuffer told;
  told.add(sentence_of(failure));
  told.add(own);
  std::vector<MessageBuffer> all;
  for (const auto& bytes : transport_.exchange(told.bytes(), [] {})) all.emplace_back(bytes);
  return all;
}

std::vector<MessageBuffer> JointBeginning::exchange(const MessageBuffer& own) {
  std::vector<MessageBuffer> all = step(nullptr, own);
  for (int process = 0; MessageBuffer & said : all) {
    if (const std::string why = said.text(); !why.empty()) {
      failed_ = true;
      throw SystemError(
          fmt::format("{} cannot make its part of the team: {}", Processes(transport_).text(process), why));
    }
    ++process;
  }
  return all;
}

void JointBeginning::fail(const std::exception_ptr& reason) {
  if (!failed_) step(reason, {});
}

}  // namespace vnode
