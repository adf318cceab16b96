#include <algorithm>
#include <cstring>

#include "collectives/question.hpp"
#include "data/element.hpp"
#include "questions/hosts.hpp"

namespace vnode::bench {
namespace {

void work(const std::vector<WorkItem>& items) {
#pragma omp barrier
#pragma omp for schedule(static)
  for (std::size_t i = 0; i < items.size(); ++i) items[i]();
}

void broadcast(const Vectors& data, Rank root, Rank rank) {
  const std::byte* source = nullptr;
#pragma omp single copyprivate(source)
  source = data[root];
  if (rank != root) std::memcpy(data[rank], source, data.bytes());
#pragma omp barrier
}

// OpenMP keeps its private copies of an array section on the threads' stacks.
constexpr std::size_t segment_bytes = 262144;

// clang-format off
// OpenMP knows its own types only.
#pragma omp declare reduction(+ : float16 : omp_out += omp_in)
#pragma omp declare reduction(* : float16 : omp_out *= omp_in) initializer(omp_priv = float16(1))
#pragma omp declare reduction(min : float16 : omp_out = std::min(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(max : float16 : omp_out = std::max(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(+ : std::complex<float> : omp_out += omp_in)
#pragma omp declare reduction(* : std::complex<float> : omp_out *= omp_in) initializer(omp_priv = 1)
#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in)
#pragma omp declare reduction(* : std::complex<double> : omp_out *= omp_in) initializer(omp_priv = 1)
#pragma omp declare reduction(+ : bfloat16 : omp_out += omp_in)
#pragma omp declare reduction(* : bfloat16 : omp_out *= omp_in) initializer(omp_priv = bfloat16(1))
#pragma omp declare reduction(min : bfloat16 : omp_out = std::min(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(max : bfloat16 : omp_out = std::max(omp_out, omp_in)) initializer(omp_priv = omp_orig)
// clang-format on

// `result` is a reference because a reduction's list item must be shared: a local variable would be the
// thread's own.
template <class T>
void sum(T*& result, const T* mine, std::size_t begin, std::size_t size, int callers, Rank root) {
#pragma omp for schedule(static) reduction(+ : result [begin:size])
  for (Rank rank = 0; rank < callers; ++rank)
    if (rank != root)
      for (std::size_t i = begin; i < begin + size; ++i) result[i] = static_cast<T>(result[i] + mine[i]);
}

template <class T>
void prod(T*& result, const T* mine, std::size_t begin, std::size_t size, int callers, Rank root) {
#pragma omp for schedule(static) reduction(* : result [begin:size])
  for (Rank rank = 0; rank < callers; ++rank)
    if (rank != root)
      for (std::size_t i = begin; i < begin + size; ++i) result[i] = static_cast<T>(result[i] * mine[i]);
}

template <class T>
void least(T*& result, const T* mine, std::size_t begin, std::size_t size, int callers, Rank root) {
#pragma omp for schedule(static) reduction(min : result [begin:size])
  for (Rank rank = 0; rank < callers; ++rank)
    if (rank != root)
      for (std::size_t i = begin; i < begin + size; ++i) result[i] = std::min(result[i], mine[i]);
}

template <class T>
void greatest(T*& result, const T* mine, std::size_t begin, std::size_t size, int callers, Rank root) {
#pragma omp for schedule(static) reduction(max : result [begin:size])
  for (Rank rank = 0; rank < callers; ++rank)
    if (rank != root)
      for (std::size_t i = begin; i < begin + size; ++i) result[i] = std::max(result[i], mine[i]);
}

template <class T>
using Reduce = void (*)(T*&, const T*, std::size_t, std::size_t, int, Rank);

template <class T>
Reduce<T> reduction(StandardOperator op) {
  if (op == StandardOperator::multiplies) return prod<T>;
  if constexpr (!Complex<T>) {
    if (op == StandardOperator::minimum) return least<T>;
    if (op == StandardOperator::maximum) return greatest<T>;
  }
  return sum<T>;
}

}  // namespace

Contestant collective_openmp(const SharedTask& task) {
  return {.by = "openmp",
          .call = [task, items = shared_items(*task)](const Seat&) { work(items); },
          .host = &openmp_host};
}

Contestant broadcast_openmp(const SharedTask& task) {
  return {.by = "openmp",
          .call = [task](const Seat& seat) { broadcast(*task->out, task->setting.root, seat.rank); },
          .host = &openmp_host};
}

Contestant reduce_openmp(const SharedTask& task) {
  Contestant contestant{.by = "openmp", .call = {}, .host = &openmp_host};
  with_type(task->setting.datatype, [&]<class T>(std::type_identity<T>) {
    auto result = std::make_shared<T*>(reinterpret_cast<T*>((*task->out)[task->setting.root]));
    contestant.call = [task, result, reduce = reduction<T>(task->setting.op)](const Seat& seat) {
      const std::size_t count = task->setting.bytes / sizeof(T), segment = segment_bytes / sizeof(T);
      const T* mine = reinterpret_cast<const T*>((*task->in)[seat.rank]);
      for (std::size_t begin = 0; begin < count; begin += segment)
        reduce(*result, mine, begin, std::min(segment, count - begin), task->setting.nodes,
               task->setting.root);
    };
  });
  return contestant;
}

}  // namespace vnode::bench
