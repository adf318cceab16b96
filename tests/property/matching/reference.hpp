#pragma once

#include <limits>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

namespace vnode_test {

/// Is a message of a program, between two ranks of a group.
struct Sent {
  int group = 0;
  vnode::Rank from = 0, to = 0;
  int tag = 0;
  std::size_t count = 1;  ///< of ints, each of them its number
  int phase = 0;
  enum class Form { isend, issend, send } form = Form::isend;
};

/// Describes what a receive or probe asks for.
struct Asked {
  vnode::Rank source = vnode::any_source;
  int tag = vnode::any_tag;

  bool fits(const Sent& sent) const {
    return (source == vnode::any_source || source == sent.from) && (tag == vnode::any_tag || tag == sent.tag);
  }
  bool overlaps(const Asked& other) const {
    return (source == vnode::any_source || other.source == vnode::any_source || source == other.source) &&
           (tag == vnode::any_tag || other.tag == vnode::any_tag || tag == other.tag);
  }
};

/// Describes what a node has seen of a receive or probe, at times of its own: they count its steps.
struct Seen {
  static constexpr int never = std::numeric_limits<int>::max();
  Asked asked{};
  bool probe = false;     ///< the message stayed where it was
  int posted = 0;         ///< when it was started
  int complete = never;   ///< when the node knew that it had been matched
  int cancelled = never;  ///< when it was taken back
  int message = -1;       ///< what it was matched with, by its number; -1: nothing
};

/// Returns whether there is an order of events that MPI allows in which one node saw this in one group: a
/// sentence that says what is wrong, or nothing. `messages`: all of the program; those to the node are sent
/// in the order of their numbers. It knows nothing of how the library matches.
std::string fault_of(const std::vector<Sent>& messages, const std::vector<Seen>& seen);

}  // namespace vnode_test
