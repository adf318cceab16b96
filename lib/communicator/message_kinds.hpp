#pragma once

#include "runtime/journal.hpp"

namespace vnode::kinds {

// What reports call the calls between two nodes.
inline constexpr CallKind send{"send", {}, {}, {}, {}, -1, 1}, recv{"recv", {}, {}, {}, {}, -1, 2},
    sendrecv{"sendrecv", {}, {}, {}, {}, -1, 3}, ssend{"ssend", {}, {}, {}, {}, -1, 4},
    probe{"probe", {}, {}, {}, {}, -1, 5}, mprobe{"mprobe", {}, {}, {}, {}, -1, 6};

}  // namespace vnode::kinds
