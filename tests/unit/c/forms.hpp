#pragma once

#include <array>

#include <vnode/vnode.h>

namespace vnode_test {

/// The forms of a collective call.
enum class Form { blocking, nonblocking, persistent };
inline constexpr std::array forms{Form::blocking, Form::nonblocking, Form::persistent};

/// Makes a call in a form, by that form's function, and completes it; a planned one once.
template <class Blocking, class Nonblocking, class Persistent, class... Arguments>
int in_form(Form form, Blocking blocking, Nonblocking nonblocking, Persistent persistent, vnode_group* group,
            Arguments... arguments) {
  if (form == Form::blocking) return blocking(group, arguments..., nullptr);
  if (form == Form::nonblocking) {
    vnode_request* request = nullptr;
    const int code = nonblocking(group, arguments..., nullptr, &request);
    return code != VNODE_OK ? code : vnode_request_wait(&request, nullptr);
  }
  vnode_persistent* planned = nullptr;
  if (const int code = persistent(group, arguments..., nullptr, &planned); code != VNODE_OK) return code;
  if (const int code = vnode_persistent_start(planned); code != VNODE_OK) return code;
  if (const int code = vnode_persistent_wait(planned); code != VNODE_OK) return code;
  return vnode_persistent_free(&planned);
}

}  // namespace vnode_test
