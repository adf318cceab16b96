#include "cluster/joint_end.hpp"

#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/is_a.hpp"
#include "base/message_buffer.hpp"
#include "base/sentence.hpp"
#include "transport/shutdown_timeout.hpp"
#include "watch/cluster_deadlock_detector.hpp"
#include "watch/mismatch.hpp"

namespace vnode {

JointEnd::JointEnd(Transport& transport, Fabric& fabric)
    : transport_(transport),
      processes_(*fabric.processes()),
      fabric_(fabric),
      remotes_(fabric.cluster_detector()->remotes()) {}

bool JointEnd::take_in() {
  bool all = true;
  for (Remote* remote : remotes_) all = remote->take_in() && all;
  return all;
}

void JointEnd::poll() {
  for (Remote* remote : remotes_) remote->poll();
}

std::uint64_t JointEnd::sum(std::uint64_t (Wire::*count)(int) const, int process) const {
  std::uint64_t sum = 0;
  for (const Remote* remote : remotes_) sum += (remote->wire().*count)(process);
  return sum;
}

JointEnd::Compared JointEnd::meet() {
  std::optional<ShutdownTimeout> wait;
  // A process that has failed waits until the others have received its messages.
  const auto shutdown_timeout = [&]() -> ShutdownTimeout& {
    return wait ? *wait : wait.emplace(*remotes_.front());
  };
  // It throws nothing: what waits meanwhile has lent its memory to the transport.
  const std::function<void()> look = [&] {
    try {
      if (!fabric_.aborted()) {
        poll();
        return fabric_.cluster_detector()->look_at_end();
      }
      static_cast<void>(take_in());
      // Others may not know of a deadlock yet, and wait until all do.
      fabric_.cluster_detector()->look();
    } catch (const std::bad_alloc&) {
      // What has come is still there.
    } catch (const SystemError&) {
      fabric_.abort(first(), std::current_exception());
      shutdown_timeout().wire_has_failed();
    }
    if (fabric_.aborted()) shutdown_timeout().look();
  };
  // What has interrupted the caller of the run is nobody's exception.
  try {
    if (fabric_.aborted()) remotes_.front()->tell_abort();
  } catch (const std::exception&) {
    // The other processes are told below.
  }
  const auto history = [&](Rank node) {
    return fabric_.world().member_state(node).history.load(std::memory_order_relaxed);
  };
  MessageBuffer own;
  own.add(std::uint64_t{fabric_.aborted()});
  own.add(std::uint64_t{is_a<Mismatch>(fabric_.failure()) || is_a<Deadlock>(fabric_.failure())});
  own.add(sentence_of(fabric_.failure()));
  for (int process = 0; process < processes_.count(); ++process) own.add(sum(&Wire::sent, process));
  for (Rank node = first(); node < last(); ++node) own.add(history(node));
  const auto all = transport_.exchange(own.bytes(), look);
  Compared compared;
  bool failed = false, alike = true;
  std::optional<std::uint64_t> any;
  for (int process = 0; process < processes_.count(); ++process) {
    MessageBuffer said(at(all, process));
    const bool has_failed = said.number() != 0;
    failed = failed || has_failed;
    compared.ended_by_calls = said.number() != 0 || compared.ended_by_calls;
    std::string why = said.text();
    const bool here = process == processes_.here();
    if (has_failed && !here)
      fabric_.abort_from_outside(why.empty() ? processes_.text(process) + " has failed" : why);
    std::uint64_t sent = 0;
    for (int to = 0; to < processes_.count(); ++to)
      if (const std::uint64_t count = said.number(); to == processes_.here()) sent = count;
    for (Rank node = processes_.first(process); node < processes_.last(process); ++node) {
      const std::uint64_t told = said.number();
      alike = alike && told == any.value_or(told);
      any = told;
      if (!here) fabric_.world().member_state(node).learn(told);
    }
    while (!here && sum(&Wire::received, process) < sent) {
      look();
      std::this_thread::yield();
    }
  }
  if (compared.ended_by_calls || (!failed && !alike)) compared.differ = compare_calls(look);
  return compared;
}

/// Exchanges what the journals of all nodes know, and which calls were found to be different. Returns the
/// same text in all processes: that on the calls found by the first process that has found any.
std::string JointEnd::compare_calls(const std::function<void()>& look) {
  told_.clear();
  MessageBuffer own;
  const std::optional<DifferentCalls> found = fabric_.different();
  const auto [me, peer, context, call] = found.value_or(DifferentCalls{});
  for (const std::uint64_t value :
       {std::uint64_t{found.has_value()}, static_cast<std::uint64_t>(me), static_cast<std::uint64_t>(peer),
        std::uint64_t{context}, std::uint64_t{call}})
    own.add(value);
  for (Rank node = first(); node < last(); ++node) RemoteJournals::tell(own, fabric_.shared(node).journal);
  std::optional<DifferentCalls> first_found;
  for (int process = 0; const auto& bytes : transport_.exchange(own.bytes(), look)) {
    MessageBuffer said(bytes);
    const bool has = said.number() != 0;
    DifferentCalls different{};
    different.me = static_cast<Rank>(said.number());
    different.peer = static_cast<Rank>(said.number());
    different.context = static_cast<std::uint16_t>(said.number());
    different.call = static_cast<std::uint32_t>(said.number());
    if (has && !first_found) first_found = different;
    if (process != processes_.here())
      for (Rank node = processes_.first(process); node < processes_.last(process); ++node)
        told_.hear(said, fabric_.shared(node).journal);
    ++process;
  }
  if (!first_found) return {};
  const auto& [one, other, in, number] = *first_found;
  return mismatch_text(fabric_, one, other, in, number);
}

std::exception_ptr JointEnd::conclude(std::exception_ptr wrong) {
  ShutdownTimeout wait(*remotes_.front());
  const auto look = [&] {
    if (fabric_.aborted()) wait.look();
  };
  for (bool all = false; !all; look()) {
    try {
      all = take_in();
    } catch (const std::bad_alloc&) {
      // What has come is still there.
    } catch (const SystemError&) {
      fabric_.abort(first(), std::current_exception());
      if (!wrong) wrong = std::current_exception();
      wait.wire_has_failed();
    }
    if (!all) std::this_thread::yield();
  }
  MessageBuffer own;
  own.add(sentence_of(wrong));
  // A process that is done may have begun the next run: its messages are not read before this one is
  // forgotten.
  const auto all = transport_.exchange(own.bytes(), look);
  for (Remote* remote : remotes_) remote->end_run();
  fabric_.cluster_detector()->end_run();
  if (wrong) return wrong;
  for (const auto& bytes : all)
    if (const std::string why = MessageBuffer(bytes).text(); !why.empty())
      return std::make_exception_ptr(Mismatch(why));
  return nullptr;
}

}  // namespace vnode
