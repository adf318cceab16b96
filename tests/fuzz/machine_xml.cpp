#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include <vnode/model/machine.hpp>
#include <vnode/model/numa_distances.hpp>

#include "harness.hpp"

using namespace vnode;

namespace {

/// Returns a file in memory, by whose path the text is read.
std::string path_of(std::string_view text) {
  static const int file = memfd_create("machine.xml", MFD_CLOEXEC);
  fuzz::require(ftruncate(file, 0) == 0 &&
                    pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()),
                "a file in memory can be written");
  return "/proc/self/fd/" + std::to_string(file);
}

void check(const Machine& machine) {
  fuzz::require(!machine.allowed_pus().empty(), "a machine has a PU that may be used");
  for (const Pu& pu : machine.pus) {
    const auto is_of = [](int part, const auto& parts) {
      return part >= 0 && static_cast<std::size_t>(part) < parts.size();
    };
    fuzz::require(
        is_of(pu.core, machine.cores) && is_of(pu.numa, machine.numas) && is_of(pu.package, machine.packages),
        "a PU has a core, a NUMA node and a package");
  }
  fuzz::require(numa_distances(machine).values.size() == machine.numas.size(), "there are distances");
}

}  // namespace

// Of hwloc's own parser, which is not instrumented here, crashes are seen and no more.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    try {
      check(Machine::from_xml(path_of(text)));
    } catch (const SystemError&) {  // a refusal
    }
  });
}
