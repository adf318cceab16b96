#include "collectives/contestants.hpp"
#include "collectives/form.hpp"
#include "collectives/ranges.hpp"
#include "data/element.hpp"

namespace vnode::bench {
namespace {

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

}  // namespace

Contestant moving_vnode(const SharedTask& task, const Way& way) {
  return with_type(task->setting.datatype, [&]<class T>(std::type_identity<T>) {
    const auto call = [task, way, parts = Partition(equal_counts(*task, sizeof(T)))](auto&& where,
                                                                                     Rank rank) {
      return move(where, *task, ranges<T>(*task, rank), parts, way.options());
    };
    return in_form(task->setting.form, task->setting.nodes, way, call);
  });
}

}  // namespace vnode::bench
