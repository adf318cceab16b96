#include <cstring>

#include "data/element.hpp"
#include "limits/combine_loop.hpp"
#include "limits/kernels.hpp"

namespace vnode::bench {

const std::vector<CopyKernel>& copy_kernels() {
  static const std::vector<CopyKernel> kernels{
      {"library",
       [](std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }}};
  return kernels;
}

std::vector<CombineKernel> combine_kernels(Arithmetic datatype, StandardOperator op) {
  if (has_slow_loops(datatype)) return {vnode_kernel(datatype, op)};
  return with_type(datatype, [op]<class T>(std::type_identity<T>) {
    return with_operator<T>(op, []<class Operator>(Operator) {
      return std::vector<CombineKernel>{
          {"loop", [](std::byte* to, const std::byte* left, const std::byte* right, std::size_t bytes) {
             combine_loop<T, Operator>(to, left, right, bytes);
           }}};
    });
  });
}

}  // namespace vnode::bench
