#pragma once

/// \file
/// vnode for C11 and for what calls C. docs/c.md is its guide.
///
/// A function returns VNODE_OK, which is 0, or a code that says what was wrong; vnode_message() has the
/// sentence. vnode's own codes are negative, so a function that returns a number returns 0 or more if it
/// succeeds. Handles are pointers to types of their own; the function that ends one takes its address and
/// sets it to NULL. A struct of options begins with its size, and 0 in all other members is what they are by
/// default:
///
///     vnode_call_options options = {.size = sizeof options, .deterministic = 1};

#include <vnode/c/arena.h>
#include <vnode/c/collectives.h>
#include <vnode/c/element.h>
#include <vnode/c/exchange.h>
#include <vnode/c/group.h>
#include <vnode/c/layout.h>
#include <vnode/c/matching.h>
#include <vnode/c/memory.h>
#include <vnode/c/messages.h>
#include <vnode/c/operator.h>
#include <vnode/c/options.h>
#include <vnode/c/request.h>
#include <vnode/c/statistics.h>
#include <vnode/c/status.h>
#include <vnode/c/team.h>
#include <vnode/c/topology.h>
#include <vnode/c/trace.h>
#include <vnode/c/while_waiting.h>
