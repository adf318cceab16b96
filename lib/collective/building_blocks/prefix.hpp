#pragma once

namespace vnode {

/// Whether a rank's result of a scan contains its own contribution.
enum class Prefix { inclusive, exclusive };

}  // namespace vnode
