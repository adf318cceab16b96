#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/vnode.hpp>

#include "elements.hpp"

namespace vnode_test {

/// How one node makes a call.
enum class Form : std::uint8_t { blocking, request, persistent };

/// Something that several nodes of a group do together.
struct Operation {
  enum class Kind : std::uint8_t {
    collective,
    message,   ///< from one node to another, or to itself
    exchange,  ///< everybody sends `shift` ranks further, by sendrecv
    split,
  };
  Kind kind = Kind::collective;
  int group = 0;           ///< in Program::groups
  std::uint64_t salt = 0;  ///< of its values

  // Of all but splits.
  Element element = Element::f32;
  std::size_t count = 0;  ///< m
  int shift = 0;
  /// By rank: how it makes the call. Of a message: the sender and the receiver.
  std::vector<Form> forms = {};

  // Of collectives.
  vnode::Collective collective = vnode::Collective::barrier;
  std::string_view algorithm = {};
  int segments = 0, radix = 2, root = 0;
  bool in_place = false, varying = false;
  std::vector<std::size_t> counts = {};  ///< varying: by rank; of an all_to_all by sender and receiver
  std::uint64_t layout = 0;              ///< of displacements
  int again = -1;  ///< the earlier operation whose persistent calls are started once more

  // Of messages.
  int from = 0, to = 0, tag = 0;
  std::size_t room = 0;  ///< elements that the receiver has room for

  // Of splits.
  std::vector<int> colors = {}, keys = {};  ///< by rank
  std::vector<int> dimensions = {};         ///< instead, if not empty: along these
  std::vector<int> parts = {};              ///< the groups that it makes, by color
};

/// How a call that is in flight is completed.
enum class Ending : std::uint8_t { wait, test, destroy, together };

/// Describes what one node does at one point of its program.
struct Event {
  enum class Kind : std::uint8_t { call, start, finish, forget };
  Kind kind = Kind::call;
  int operation = 0;      ///< forget: the group
  bool receives = false;  ///< it is the receiver of the message
  Ending ending = Ending::wait;
};

/// Nodes in a common order, and what they are told their topology is.
struct Members {
  std::vector<int> nodes;  ///< of the team, by rank
  vnode::Topology topology;
};

/// Where one node throws.
struct Fault {
  int node = 0;
  std::size_t event = 0;  ///< before this one of its events
  int fuse = 0;           ///< if not 0: not there, but at so many applications of an operator later
};

/// Describes what all nodes of a team do in one run.
struct Program {
  std::uint64_t seed = 0;
  vnode::TeamOptions options = {};
  std::vector<Members> groups;  ///< the first is that of all nodes
  std::vector<Operation> operations = {};
  std::vector<std::vector<Event>> orders = {};  ///< by node
  std::optional<Fault> fault = {};

  int nodes() const { return static_cast<int>(groups.front().nodes.size()); }
  /// For a person who has to find out what went wrong.
  std::string text() const;
};

/// Returns the program of this seed, the same on every machine. All nodes run through it without a deadlock:
/// order the operations as they are numbered; a node completes a call only after all calls of lower numbers
/// have been started everywhere that its peers complete before.
Program generated(std::uint64_t seed);

}
