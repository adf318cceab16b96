#pragma once

namespace vnode_test {

inline constexpr int all_later = -1;
/// Makes the calling thread's n-th allocation from now on fail with std::bad_alloc, and so do `times` in
/// all, one in 1 to 8 of those that follow, or all of them; 0 disarms.
void fail_allocation(int n, int times = 1);
/// Makes the n-th fail in every thread that starts from now on.
void fail_allocation_in_threads(int n);

}  // namespace vnode_test
