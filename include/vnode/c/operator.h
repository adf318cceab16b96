#pragma once

#include <stddef.h>

#include <vnode/c/element.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// operators: written by tools/bindings/write from tools/bindings/table.py.

/// The operators. Those from vnode_operator_create() have numbers beyond these. No number is that of a
/// vnode_type.
typedef enum vnode_operator {
  VNODE_SUM = 101,  ///< of integers: wraps around
  VNODE_PRODUCT = 102,
  VNODE_MIN = 103,  ///< the left one of equal values
  VNODE_MAX = 104,
  VNODE_BIT_AND = 105,  ///< of integers and VNODE_BOOL, as the next two
  VNODE_BIT_OR = 106,
  VNODE_BIT_XOR = 107,
  VNODE_LOGICAL_AND = 108,
  VNODE_LOGICAL_OR = 109,
  VNODE_LOGICAL_XOR = 110,
  VNODE_MIN_LOCATION = 111,  ///< of VNODE_LOCATED types; of equal values that with the lower index
  VNODE_MAX_LOCATION = 112,
  VNODE_OPERATOR_LARGEST = 0x7fffffff,       ///< no operator: makes the enumeration as wide as an int
  VNODE_OPERATOR_SMALLEST = -0x7fffffff - 1  ///< no operator: with it, every int is a value, also to C++
} vnode_operator;

// end of operators

/// Computes out[i] = left[i] op right[i] for `count` elements of the call's type. `out` is `left`, is
/// `right`, or overlaps neither. Several threads may call it at the same time, those of the nodes that passed
/// the operator. Returns 0, or a positive code that ends the run: it is what vnode_team_run() returns.
typedef int (*vnode_combine)(void* user, void* out, const void* left, const void* right, size_t count);

/// An operator of the program's own.
typedef struct vnode_operator_definition {
  size_t size;            ///< sizeof(vnode_operator_definition)
  const char* name;       ///< for messages; all nodes pass operators of one name. It is copied
  vnode_combine combine;  ///< associative
  void* user;             ///< its first argument
  void (*release)(
      void* user);  ///< called once when nothing needs `user` any more, by whichever thread; NULL: nothing is
  int commutative;  ///< whether operands may change sides, so that more algorithms may be used
} vnode_operator_definition;

/// Makes an operator, to be passed wherever a standard one is, by any node. At most 4096 exist at a time.
int vnode_operator_create(vnode_operator* op, const vnode_operator_definition* definition);
/// Ends an operator and sets it to 0. Calls in flight and planned ones keep what they need.
int vnode_operator_free(vnode_operator* op);
/// Returns the name of an operator: "VNODE_SUM", or its definition's. Of what is no operator, NULL.
const char* vnode_operator_name(vnode_operator op);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
