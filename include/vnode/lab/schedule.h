#pragma once

/// \file
/// Schedules for C as text and JSON. Who includes this links with vnode_lab, too: `pkg-config --libs
/// vnode-lab`.

#include <vnode/c/options.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Reads the text form, "nodes 4 blocks 1\n1: 0>1\n2: 0>2 1>3\n": vnode/lab/notation.hpp describes it. `name`
/// stands for an algorithm's in messages; NULL: "own_schedule".
int vnode_schedule_from_text(vnode_schedule** schedule, const char* name, const char* text);
/// Reads the JSON form.
int vnode_schedule_from_json(vnode_schedule** schedule, const char* name, const char* json);
/// Returns the text form, for vnode_text_free().
int vnode_schedule_to_text(const vnode_schedule* schedule, char** text);
/// Returns the JSON form, for vnode_text_free().
int vnode_schedule_to_json(const vnode_schedule* schedule, char** json);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
