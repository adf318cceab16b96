#pragma once

#include "measure/affinity.hpp"

namespace vnode::bench {

/// As long as it lives, the calling thread and those it starts may use two cores only.
class TwoCores {
 public:
  TwoCores();

 private:
  const WithAffinity on_two_;
};

}  // namespace vnode::bench
