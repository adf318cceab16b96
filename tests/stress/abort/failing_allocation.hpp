#pragma once

namespace vnode_test {

/// The calling thread's n-th allocation from now on fails with std::bad_alloc; 0 disarms.
void fail_allocation(int n);
/// The same in every thread that starts from now on.
void fail_allocation_in_threads(int n);

}
