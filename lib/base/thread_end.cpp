#include "base/thread_end.hpp"

#include <new>
#include <pthread.h>

namespace vnode {
namespace {

/// Returns the key under which each thread keeps the first of its ThreadEnds. The destructors of thread_local
/// objects would be called by exit(), too, in the thread that calls it.
pthread_key_t key(void (*end_all)(void*) noexcept) {
  static const pthread_key_t made = [=] {
    pthread_key_t key{};
    if (pthread_key_create(&key, end_all) != 0) throw std::bad_alloc();
    return key;
  }();
  return made;
}

}  // namespace

ThreadEnd::ThreadEnd(void (*ended)(void*) noexcept, void* argument) : ended_(ended), argument_(argument) {
  after_ = static_cast<ThreadEnd*>(pthread_getspecific(key(end_all)));
  if (pthread_setspecific(key(end_all), this) != 0) throw std::bad_alloc();
  if (after_ != nullptr) after_->before_ = this;
}

ThreadEnd::~ThreadEnd() {
  if (after_ != nullptr) after_->before_ = before_;
  if (before_ != nullptr)
    before_->after_ = after_;
  else if (pthread_getspecific(key(end_all)) == this)
    pthread_setspecific(key(end_all), after_);
}

/// Is called by the system, which has cleared the key by then.
void ThreadEnd::end_all(void* first) noexcept {
  for (auto* next = static_cast<ThreadEnd*>(first); next != nullptr;) {
    ThreadEnd& one = *next;
    next = one.after_;
    if (next != nullptr) next->before_ = nullptr;
    one.after_ = nullptr;
    one.ended_(one.argument_);
  }
}

}  // namespace vnode
