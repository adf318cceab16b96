#include <vnode/shape.hpp>
#include <vnode/topology.hpp>

#include "harness.hpp"

using namespace vnode;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Shape shape = Shape::parse(text);
    fuzz::require(Shape::parse(shape.text()).text() == shape.text(), "what is written is read as the same");
    if (const auto nodes = shape.nodes())
      fuzz::require(Topology(shape, *nodes).nodes() == *nodes, "a shape with extents is a topology");
  });
}
