#include "machine/system.hpp"

#include <fstream>

namespace vnode {

std::string system_number() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string number;
  std::getline(file, number);
  return number;
}

}  // namespace vnode
