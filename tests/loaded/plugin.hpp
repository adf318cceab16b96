#pragma once

#pragma GCC visibility push(default)
extern "C" {

/// Returns the version of the vnode that the plugin uses, up to a zero.
const char* plugin_version();
/// Returns whether teams are run, joined and aborted there as they should be; 0 or 1.
int plugin_works();
/// Makes a team that lives as long as the plugin is loaded, and runs it; whether it works.
int plugin_keeps_a_team();
/// Returns where the plugin's OperatorType of a sum of doubles lies.
const void* plugin_operator();
}
#pragma GCC visibility pop
