// What a node does in calls that are counted. It is compiled apart: beside it the compiler would no longer
// lay out the calls of a team that counts nothing as it does without.
#include "call/member.hpp"

namespace vnode {

/// Makes a blocking call and counts it.
void Member::call_counted(const Arguments& arguments) {
  CallTimes times(*engine_.counters());
  RecentCalls::Entry& entry = planned(arguments);
  CountedRow& row = row_of(entry);
  times.count_in(row);
  const std::size_t bytes = entry.plan->key->count * entry.plan->key->element_bytes;
  engine_.guarded([&] {
    begin(
        entry, arguments, [](auto&& ready) { return ready(); },
        [&](Execution& execution, Lease&) {
          TimedStep<Execution> timed{execution, times};
          engine_.wait(timed);
        });
  });
  times.end(row, bytes);
}

CountedRow& Member::row_of(const PreparedCall& call) {
  const CallKey& key = *call.key;
  return engine_.counters()->row(
      {.operation = call.record.kind->collective,
       .algorithm = call.record.kind->algorithm,
       .group = counted_group_,
       .radix = key.radix,
       .size_class = key.varying ? std::uint8_t{0} : size_class_of(key.count * key.element_bytes),
       .varying = key.varying,
       .in_order = key.keep_order,
       .deterministic = key.deterministic});
}

CountedRow& Member::row_of(std::string_view operation, std::size_t bytes) {
  return engine_.counters()->row(
      {.operation = operation, .group = counted_group_, .size_class = size_class_of(bytes)});
}

std::uint32_t Member::number_of_counted() const {
  CountedGroups* const groups = group_->facts.counted_groups;
  return groups != nullptr ? groups->number(group_->context.nodes(), group_->topology.text()) : 0;
}

}  // namespace vnode
