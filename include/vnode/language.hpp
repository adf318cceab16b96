#pragma once

/// \file
/// Says in one line what hundreds of errors would otherwise hide.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "vnode needs C++20: compile with -std=c++20"
#endif
