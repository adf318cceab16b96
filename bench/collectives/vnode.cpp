#include <vector>

#include "collectives/question.hpp"
#include "collectives/task.hpp"
#include "data/element.hpp"
#include "questions/form.hpp"

namespace vnode::bench {
namespace {

// Returns the counts of the v-variants: as many elements for every rank.
std::vector<std::size_t> equal_counts(const Task& task, std::size_t element) {
  return std::vector<std::size_t>(static_cast<std::size_t>(task.setting.nodes), task.setting.bytes / element);
}

// On the node itself, or on one of its forms: all return the same there.
template <class T, class Where>
auto move(Where&& where, const Task& task, const Ranges<T>& mine, const Partition& parts,
          const CallOptions& options) {
  const Rank root = task.setting.root;
  switch (task.collective) {
    case Collective::broadcast:
      return where.broadcast(mine.out, root, options);
    case Collective::all_gather:
      return task.varying ? where.all_gather_v(mine.in, mine.out, parts, options)
                          : where.all_gather(mine.in, mine.out, options);
    case Collective::scatter:
      return task.varying ? where.scatter_v(mine.in, parts, mine.out, root, options)
                          : where.scatter(mine.in, mine.out, root, options);
    case Collective::gather:
      return task.varying ? where.gather_v(mine.in, mine.out, parts, root, options)
                          : where.gather(mine.in, mine.out, root, options);
    case Collective::all_to_all:
      return task.varying ? where.all_to_all_v(mine.in, parts, mine.out, parts, options)
                          : where.all_to_all(mine.in, mine.out, options);
    default:
      return where.circular_shift(mine.in, mine.out, task.setting.shift, options);
  }
}

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

Contestant moving_vnode(const SharedTask& task, const Way& way) {
  return with_size_of(task->setting.datatype, [&]<class T>(std::type_identity<T>) {
    const auto call = [task, way, parts = Partition(equal_counts(*task, sizeof(T)))](auto&& where,
                                                                                     Rank rank) {
      return move(where, *task, ranges<T>(*task, rank), parts, way.options());
    };
    return in_form(task->setting.form, task->setting.nodes, way, call);
  });
}

Contestant combining_vnode(const SharedTask& task, const Way& way) {
  return with_type(task->setting.datatype, [&]<class T>(std::type_identity<T>) {
    return with_operator<T>(task->setting.op, [&](auto op) {
      const auto call = [task, way, op, counts = Partition(equal_counts(*task, sizeof(T)))](auto&& where,
                                                                                            Rank rank) {
        return combine(where, *task, ranges<T>(*task, rank), counts, op, way.options());
      };
      return in_form(task->setting.form, task->setting.nodes, way, call);
    });
  });
}

}  // namespace

Contestant collective_vnode(const SharedTask& task, const Way& way) {
  return combines(task->collective) ? combining_vnode(task, way) : moving_vnode(task, way);
}

}  // namespace vnode::bench
