#pragma once

#include "measure/affinity.hpp"

namespace vnode::bench {

/// As long as it lives, the calling thread and those it starts may use two cores only.
class TwoCores {
 public:
  TwoCores();
  ~TwoCores() { set_affinity(before_); }
  TwoCores(const TwoCores&) = delete;
  TwoCores& operator=(const TwoCores&) = delete;

 private:
  const Affinity before_;
};

}  // namespace vnode::bench
