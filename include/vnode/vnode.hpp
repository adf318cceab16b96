#pragma once

/// \file
/// Everything that a program with virtual nodes needs. Schedules, verification, machines as data, simulation
/// and pictures are in vnode/model/ and the laboratory, vnode/lab/.

#include <vnode/language.hpp>

// An older C++ would find fault with every line.
#if __cplusplus >= 202002L
#include <vnode/error.hpp>
#include <vnode/join.hpp>
#include <vnode/node.hpp>
#include <vnode/operator.hpp>
#include <vnode/rank.hpp>
#include <vnode/roll_call.hpp>
#include <vnode/statistics.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>
#include <vnode/unpinned.hpp>
#include <vnode/version.hpp>
#include <vnode/while_waiting.hpp>
#endif
