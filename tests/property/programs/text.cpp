#include <array>
#include <sstream>

#include "program.hpp"

namespace vnode_test {
namespace {

template <class List>
std::string joined(const List& list) {
  std::ostringstream text;
  for (const auto& item : list) text << (text.tellp() > 0 ? " " : "") << item;
  return text.str();
}

std::string forms_text(const std::vector<Form>& forms) {
  std::string text;
  for (const Form form : forms) text += std::array{'b', 'r', 'p'}[static_cast<std::size_t>(form)];
  return text;
}

std::string collective_text(const Operation& operation) {
  std::ostringstream text;
  text << vnode::enums::name(operation.collective) << (operation.varying ? "_v" : "") << " of "
       << operation.count << " x " << name(operation.element);
  if (vnode::has_root(operation.collective)) text << ", root " << operation.root;
  if (operation.collective == vnode::Collective::circular_shift) text << " by " << operation.shift;
  if (operation.in_place) text << ", in place";
  if (operation.varying) text << ", counts " << joined(operation.counts);
  text << ", by '" << operation.algorithm << "', segments " << operation.segments << ", radix "
       << operation.radix;
  if (operation.again >= 0) text << ", again #" << operation.again;
  return text.str();
}

std::string operation_text(const Operation& operation) {
  std::ostringstream text;
  switch (operation.kind) {
    case Operation::Kind::collective:
      text << collective_text(operation);
      break;
    case Operation::Kind::message:
      text << operation.count << " x " << name(operation.element) << " from " << operation.from << " to "
           << operation.to << " with tag " << operation.tag << ", room for " << operation.room;
      break;
    case Operation::Kind::exchange:
      text << "sendrecv of " << operation.count << " x " << name(operation.element) << " by "
           << operation.shift;
      break;
    case Operation::Kind::split:
      text << "split into groups " << joined(operation.parts) << " by colors " << joined(operation.colors)
           << ", keys " << joined(operation.keys);
      if (!operation.dimensions.empty()) text << ", along " << joined(operation.dimensions);
      break;
  }
  text << ", forms " << forms_text(operation.forms);
  return text.str();
}

std::string event_text(const Event& event) {
  constexpr std::array kinds{"call ", "start ", "finish ", "forget group "};
  constexpr std::array endings{" (wait)", " (test)", " (destroy)", " (together)"};
  std::string text = kinds[static_cast<std::size_t>(event.kind)] + std::to_string(event.operation);
  if (event.receives) text += " in";
  if (event.kind == Event::Kind::finish) text += endings[static_cast<std::size_t>(event.ending)];
  return text;
}

}

std::string Program::text() const {
  std::ostringstream text;
  text << "VNODE_SEED=" << seed << ": " << nodes() << " nodes, waiting " << static_cast<int>(options.wait)
       << ", channel " << static_cast<int>(options.channel) << ", inline to " << *options.inline_to
       << ", shared from " << *options.shared_from << ", checked " << options.checked << ", apart "
       << options.apart << "\n";
  for (std::size_t group = 0; group < groups.size(); ++group)
    text << "  group " << group << ", " << groups[group].topology.text() << ": nodes "
         << joined(groups[group].nodes) << "\n";
  for (std::size_t i = 0; i < operations.size(); ++i)
    text << "  #" << i << " in group " << operations[i].group << ": " << operation_text(operations[i])
         << "\n";
  for (std::size_t node = 0; node < orders.size(); ++node) {
    text << "  node " << node << ":";
    for (const Event& event : orders[node]) text << " " << event_text(event) << ";";
    text << "\n";
  }
  if (fault)
    text << "  node " << fault->node << " throws before its event " << fault->event << ", or " << fault->fuse
         << " applications of an operator later\n";
  return text.str();
}

}
