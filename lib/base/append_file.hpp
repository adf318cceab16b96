#pragma once

#include <string>
#include <string_view>

namespace vnode {

/// Returns the number of this process.
int process_number();

/// Appends a text to the file, which is made if it does not exist. Texts that processes append at the same
/// time do not mix. Throws std::system_error.
void append_to_file(const std::string& path, std::string_view text);

}  // namespace vnode
