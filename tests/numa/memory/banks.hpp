#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/pages.hpp>

// The machine as it is: every page is looked at. It has several banks, and filters for system calls.

/// The banks there are, as indices into Machine::numas.
std::vector<int> banks();
/// Returns a PU near each bank that the process may use, by bank: index into Machine::pus; -1: none.
std::vector<int> pus_near_banks(const vnode::Machine& machine);

/// Runs `body` on a thread pinned to a PU, an index into Machine::pus.
void on_pu(const vnode::Machine& machine, int pu, const std::function<void()>& body);

/// Returns whether `pages` lie on `bank`, all of them.
bool all_on(int bank, const vnode::PageAudit& pages);

/// Returns what `body` returns in a process of its own, in which it may do what cannot be undone; "ended by
/// ..." if that does not end well.
std::string in_a_process(const std::function<std::string()>& body);

/// From now on this process gets `error` from a system call. False if the system has no filters for that.
bool refuse(long system_call, int error);
