#include <string>

#include <vnode/model/machine.hpp>

#include "harness.hpp"

using namespace vnode;

namespace {

// hwloc reads XML, and the text is no name of a file here.
bool names_a_file(std::string_view text) {
  return text.ends_with(".xml") || text.find_first_of("/.") != text.npos;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    if (names_a_file(text)) return;
    const Machine machine = Machine::parse(std::string(text));
    fuzz::require(!machine.allowed_pus().empty(), "a machine has a PU that may be used");
    fuzz::require(Machine::parse(std::string(text)) == machine, "a text means one machine");
  });
}
