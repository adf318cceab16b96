#include "collectives/contestants.hpp"
#include "collectives/form.hpp"
#include "collectives/ranges.hpp"
#include "data/element.hpp"

namespace vnode::bench {
namespace {

// On the node itself, or on one of its forms: all return the same there.
template <class T, class Operator, class Where>
auto combine(Where&& where, const Task& task, const Ranges<T>& mine, const Partition& counts, Operator op,
             const CallOptions& options) {
  switch (task.collective) {
    case Collective::reduce:
      return where.reduce(mine.out, op, task.setting.root, options);
    case Collective::reduce_scatter:
      return task.varying ? where.reduce_scatter_v(mine.in, mine.out, counts, op, options)
                          : where.reduce_scatter(mine.in, mine.out, op, options);
    case Collective::all_reduce:
      return where.all_reduce(mine.in, mine.out, op, options);
    case Collective::scan:
      return where.scan(mine.in, mine.out, op, options);
    default:
      return where.exclusive_scan(mine.in, mine.out, op, options);
  }
}

}  // namespace

Contestant combining_vnode(const SharedTask& task, const Way& way) {
  return with_type(task->setting.datatype, [&]<class T>(std::type_identity<T>) {
    return with_operator(task->setting.op, [&](auto op) {
      const auto call = [task, way, op, counts = Partition(equal_counts(*task, sizeof(T)))](auto&& where,
                                                                                            Rank rank) {
        return combine(where, *task, ranges<T>(*task, rank), counts, op, way.options());
      };
      return in_form(task->setting.form, task->setting.nodes, way, call);
    });
  });
}

Contestant collective_vnode(const SharedTask& task, const Way& way) {
  return combines(task->collective) ? combining_vnode(task, way) : moving_vnode(task, way);
}

}  // namespace vnode::bench
