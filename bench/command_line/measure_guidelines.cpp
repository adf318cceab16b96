#include "command_line/commands.hpp"

namespace vnode::bench {

int measure_guidelines(const Options&, std::ostream&) { return 0; }

}  // namespace vnode::bench
