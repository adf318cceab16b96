#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <sys/mman.h>

namespace vnode_test {

/// Memory that is gone when it is gone: whoever touches it after its end is killed on the spot.
template <class T>
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t count) : bytes_(count * sizeof(T) + 1) {
    void* pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    data_ = {static_cast<T*>(pages), count};
  }
  ~GuardedBuffer() { munmap(data_.data(), bytes_); }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  std::span<T> data() const { return data_; }

 private:
  std::size_t bytes_;
  std::span<T> data_;
};

}
