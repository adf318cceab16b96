#pragma once

#include <string>
#include <string_view>

namespace vnode {

/// The number of this process.
int process_number();

/// Puts a text behind what is in the file, which is made if it is not there. Of processes that do so at the
/// same time none comes between another's text. std::system_error.
void append_to_file(const std::string& path, std::string_view text);

}  // namespace vnode
