#pragma once

#include <cstddef>
#include <string>

#include <vnode/lab/draw.hpp>
#include <vnode/lab/machine.hpp>

#include "measure/bandwidth.hpp"

namespace vnode {

/// Core by bank, then every bank's curve, in 10^9 bytes per second, in lines of `width` letters if that is
/// possible.
std::string matrix_table(const Machine& machine, const BandwidthMatrix& matrix, std::size_t width);
/// RFC 4180, a row for each bank and core alone and for each bank and number of streams, under a line of
/// names.
std::string matrix_csv(const Machine& machine, const BandwidthMatrix& matrix);
/// The same in bytes per second, with machine, version and date.
std::string matrix_json(const Machine& machine, const BandwidthMatrix& matrix);
/// How many bars the curves of so many cores and banks are.
std::size_t matrix_bars(std::size_t cores, std::size_t banks);
/// The curves as bars.
std::string matrix_svg(const Machine& machine, const BandwidthMatrix& matrix, Theme theme);
/// A page with all of it.
std::string matrix_html(const Machine& machine, const BandwidthMatrix& matrix, Theme theme);

}  // namespace vnode
