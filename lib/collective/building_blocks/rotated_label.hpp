#pragma once

namespace vnode {

/// The label of d bits rotated left by `by`, 0 <= by <= d.
constexpr int rotated_label(int label, int by, int d) {
  return (label << by | label >> (d - by)) & ((1 << d) - 1);
}

}  // namespace vnode
