#pragma once

/// \file
/// Reports a too old C++ standard by one error instead of hundreds.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "vnode needs C++20: compile with -std=c++20"
#endif
