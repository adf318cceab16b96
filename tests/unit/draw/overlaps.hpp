#pragma once

#include <string>

#include "draw/drawing.hpp"

/// Returns which marks of a drawing are in each other's way, or "": labels that overlap labels, or discs that
/// are not their own; marks that are not all within the drawing.
std::string overlaps(const vnode::Drawing& drawing);

/// Whether `inner` lies in `outer`.
bool within(const vnode::Box& inner, const vnode::Box& outer);
