#include "generate.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>

#include <vnode/model/select.hpp>

namespace vnode_test {
namespace {

vnode::TeamOptions random_options(Random& random) {
  constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  vnode::TeamOptions options;
  options.wait = random.one_of({vnode::Wait::automatic, vnode::Wait::yield, vnode::Wait::park});
  options.channel = random.one_of({vnode::ChannelEngine::line, vnode::ChannelEngine::boost});
  options.inline_to = random.one_of<std::size_t>({never, never, 100, 16, 0});
  options.shared_from = random.one_of<std::size_t>({never, 1, 200, 4096});
  options.checked = random.one_in(6);
  options.apart = random.one_in(8);
  options.time_limit = std::chrono::seconds(60);
  options.costs = vnode::typical_costs;
  return options;
}

/// As fibers there may be many. Of more than that, some algorithms' plans take a minute.
int random_nodes(Random& random) {
  static const char* const nodes = std::getenv("VNODE_NODES");
  if (nodes != nullptr && nodes == std::string("fibers") && random.one_in(200)) return 256;
  if (random.one_in(40)) return 32;
  return 1 + (random.one_in(2) ? random.below(6) : random.below(17));
}

vnode::Topology random_topology(Random& random, int nodes) {
  std::vector<vnode::Shape> shapes{vnode::shapes::full{}, vnode::shapes::ring{}, vnode::shapes::array{},
                                   vnode::shapes::mesh{}, vnode::shapes::torus{}};
  if (std::has_single_bit(static_cast<unsigned>(nodes))) {
    shapes.insert(shapes.end(), 3, vnode::shapes::hypercube{});
    shapes.push_back(vnode::shapes::tree{});
  }
  return {random.one_of(shapes), nodes};
}

/// Returns the form in which each member makes the call. A persistent call that is started once more stays
/// one; the others choose anew.
std::vector<Form> random_forms(Random& random, std::size_t members, const std::vector<Form>* before) {
  std::vector<Form> forms;
  for (std::size_t rank = 0; rank < members; ++rank) {
    const Form form = random.one_of(
        {Form::blocking, Form::blocking, Form::blocking, Form::request, Form::request, Form::persistent});
    if (before == nullptr)
      forms.push_back(form);
    else if ((*before)[rank] == Form::persistent)
      forms.push_back(Form::persistent);
    else
      forms.push_back(form == Form::persistent ? Form::request : form);
  }
  return forms;
}

Operation random_message(Random& random, int nodes) {
  Operation made;
  made.kind = Operation::Kind::message;
  made.from = random.below(nodes);
  made.to = random.below(nodes);
  made.tag = random.one_of({0, 0, 1, 7});
  made.element = static_cast<Element>(random.below(element_kinds));
  made.count = random.one_of<std::size_t>({0, 1, 2, 6, 30, 300, 3000, 20000});
  made.room = made.count + random.below(std::size_t{3});
  for (int end = 0; end < 2; ++end)
    made.forms.push_back(made.from == made.to ? Form::request
                                              : random.one_of({Form::blocking, Form::request}));
  return made;
}

Operation random_exchange(Random& random, int nodes, int tag) {
  Operation made;
  made.kind = Operation::Kind::exchange;
  made.shift = random.below(nodes);
  made.tag = tag;
  made.element = static_cast<Element>(random.below(element_kinds));
  made.count = random.one_of<std::size_t>({0, 1, 6, 100, 3000});
  made.forms.assign(static_cast<std::size_t>(nodes), Form::blocking);
  return made;
}

/// An earlier collective call of the group that some node has planned; -1 if there is none.
int planned_before(Random& random, const Program& program, int group) {
  std::vector<int> planned;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (operation.kind == Operation::Kind::collective && operation.group == group && operation.again < 0 &&
        std::ranges::find(operation.forms, Form::persistent) != operation.forms.end())
      planned.push_back(static_cast<int>(i));
  }
  return planned.empty() ? -1 : random.one_of(planned);
}

Operation random_operation(Random& random, Program& program) {
  const int group = random.one_in(3) ? 0 : random.below(static_cast<int>(program.groups.size()));
  // A copy: a split adds to the groups.
  const Members members = program.groups[static_cast<std::size_t>(group)];
  const auto number = static_cast<int>(program.operations.size());
  const auto nodes = static_cast<int>(members.nodes.size());
  const int dice = random.below(20);
  Operation made;
  if (dice == 0) {
    made = random_exchange(random, nodes, 1000 + number);
  } else if (dice < 5) {
    made = random_message(random, nodes);
  } else if (dice < 8 && program.groups.size() < 12) {
    made = random_split(random, program.groups, group);
  } else {
    const int before = dice < 11 ? planned_before(random, program, group) : -1;
    made = before >= 0 ? program.operations[static_cast<std::size_t>(before)]
                       : random_collective(random, members);
    made.again = before;
    made.forms = random_forms(random, members.nodes.size(), before >= 0 ? &made.forms : nullptr);
  }
  made.group = group;
  made.salt = random.word();
  return made;
}

Fault random_fault(Random& random, const Program& program) {
  Fault fault;
  fault.node = random.below(program.nodes());
  fault.event = random.below(program.orders[static_cast<std::size_t>(fault.node)].size() + 1);
  if (random.one_in(3)) fault.fuse = 1 + random.below(random.one_of({2, 50, 2000}));
  return fault;
}

}

Program generated(std::uint64_t seed) {
  Random random(seed);
  Program program;
  program.seed = seed;
  program.options = random_options(random);
  const int nodes = random_nodes(random);
  Members all{{}, random_topology(random, nodes)};
  for (int node = 0; node < nodes; ++node) all.nodes.push_back(node);
  program.groups.push_back(std::move(all));
  const int length = 3 + random.below(nodes > 17 ? 10 : 25);
  for (int i = 0; i < length; ++i) program.operations.push_back(random_operation(random, program));
  program.orders = random_orders(random, program);
  if (random.one_in(4)) program.fault = random_fault(random, program);
  return program;
}

}
