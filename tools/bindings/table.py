"""What programs find alike in C, Fortran and Python, each described once: the types of elements, the operators, and the
operations that exist in three forms. tools/bindings/write makes of it what it lists."""
from typing import NamedTuple, Optional, Tuple


class Type(NamedTuple):
    """A type of elements: VNODE_<name>."""

    name: str
    number: int  # never another one: programs have been compiled with it
    cpp: str  # in C++
    c: str  # the type of the value in VNODE_LOCATED_<name>, whose number is 32 more; "": there is no such type
    numpy: str  # numpy's dtype; "": numpy has none
    letter: str  # in formats of Python's buffer protocol; "": that of an integer, which depends on the machine, or none
    dlpack: Optional[Tuple[int, int]]  # DLPack's kind and bits
    says: str = ""


TYPES = [
    Type("I8", 1, "std::int8_t", "int8_t", "i1", "", (0, 8)),
    Type("U8", 2, "std::uint8_t", "uint8_t", "u1", "", (1, 8)),
    Type("I16", 3, "std::int16_t", "int16_t", "i2", "", (0, 16)),
    Type("U16", 4, "std::uint16_t", "uint16_t", "u2", "", (1, 16)),
    Type("I32", 5, "std::int32_t", "int32_t", "i4", "", (0, 32)),
    Type("U32", 6, "std::uint32_t", "uint32_t", "u4", "", (1, 32)),
    Type("I64", 7, "std::int64_t", "int64_t", "i8", "", (0, 64)),
    Type("U64", 8, "std::uint64_t", "uint64_t", "u8", "", (1, 64)),
    Type("F32", 9, "float", "float", "f4", "f", (2, 32)),
    Type("F64", 10, "double", "double", "f8", "d", (2, 64)),
    Type("F16", 11, "float16", "uint16_t", "f2", "e", (2, 16),
         "IEEE binary16 in a uint16_t; sums and products are computed in float"),
    Type("BF16", 12, "bfloat16", "uint16_t", "", "", (4, 16),
         "bfloat16, the upper half of a float, in a uint16_t; likewise"),
    Type("LONG_DOUBLE", 13, "long double", "long double", "g", "g", None, "long double"),
    Type("COMPLEX_F32", 14, "std::complex<float>", "", "c8", "Zf", (5, 64), "float _Complex"),
    Type("COMPLEX_F64", 15, "std::complex<double>", "", "c16", "Zd", (5, 128), "double _Complex"),
    Type("BOOL", 16, "bool", "", "?", "?", (6, 8),
         "bool of stdbool.h, 0 or 1: a sum is true if one term is, a product if all are"),
    Type("BYTE", 17, "std::byte", "", "V1", "c", None, "a byte without an operator"),
]


class Operator(NamedTuple):
    """An operator: VNODE_<name>, and <name> in Python. Which types it takes, lib/c/operator.cpp finds out."""

    name: str
    number: int  # never another one, and no type's
    cpp: str  # in C++
    python: str  # Python's function for it; "None": there is none
    ufunc: str  # numpy's name for it; "": it has none
    says: str = ""


OPERATORS = [
    Operator("SUM", 101, "std::plus<>", "operator.add", "add", "of integers: wraps around"),
    Operator("PRODUCT", 102, "std::multiplies<>", "operator.mul", "multiply"),
    Operator("MIN", 103, "minimum", "min", "minimum", "the left one of equal values"),
    Operator("MAX", 104, "maximum", "max", "maximum"),
    Operator("BIT_AND", 105, "std::bit_and<>", "operator.and_", "bitwise_and",
             "of integers and VNODE_BOOL, as the next two"),
    Operator("BIT_OR", 106, "std::bit_or<>", "operator.or_", "bitwise_or"),
    Operator("BIT_XOR", 107, "std::bit_xor<>", "operator.xor", "bitwise_xor"),
    Operator("LOGICAL_AND", 108, "std::logical_and<>", "None", "logical_and"),
    Operator("LOGICAL_OR", 109, "std::logical_or<>", "None", "logical_or"),
    Operator("LOGICAL_XOR", 110, "logical_xor", "None", "logical_xor"),
    Operator("MIN_LOCATION", 111, "minimum_location", "None", "",
             "of VNODE_LOCATED types; of equal values that with the lower index"),
    Operator("MAX_LOCATION", 112, "maximum_location", "None", ""),
]


class Operation(NamedTuple):
    """An operation, of which C has three functions: vnode_<name>, and two that end with the form."""

    name: str
    arguments: str  # as C declares them, between the group and what all operations of the section end with
    says: str


class Section(NamedTuple):
    """Operations that stand together in a header, and whose arguments one class of lib/c takes."""

    name: str
    header: str
    last: str  # the argument that they end with
    taker: str  # how the class is made
    taken: Tuple[str, ...]  # what it takes when it is made, and its methods do not take again
    operations: Tuple[Operation, ...]


COLLECTIVES = (
    Operation("broadcast", "void* data, size_t count, vnode_type type, int root",
              "One-to-all broadcast: copies `data` of `root` to `data` of all."),
    Operation("reduce", "const void* in, void* out, size_t count, vnode_type type, vnode_operator op, int root",
              "All-to-one reduction: out[i] on `root` = in[i] of node 0 op ... op in[i] of node p-1. `out` of the others is not "
              "touched."),
    Operation("all_reduce", "const void* in, void* out, size_t count, vnode_type type, vnode_operator op",
              "Reduction to all: out[i] = in[i] of node 0 op ... op in[i] of node p-1, with the same bits on all nodes."),
    Operation("scan", "const void* in, void* out, size_t count, vnode_type type, vnode_operator op",
              "Prefix sums: out[i] on node r = in[i] of node 0 op ... op in[i] of node r."),
    Operation("exclusive_scan", "const void* in, void* out, size_t count, vnode_type type, vnode_operator op",
              "Prefix sums without the node's own contribution. `out` of node 0 is not touched."),
    Operation("all_gather", "const void* in, void* out, size_t count, vnode_type type",
              "All-to-all broadcast: out[r m .. r m + m-1] = `in` of node r, on all nodes. In place, node r contributes those of "
              "`out`."),
    Operation("gather", "const void* in, void* out, size_t count, vnode_type type, int root",
              "All-to-one personalized: the same on `root` only; `out` of the others is not touched. In place on the root, its "
              "own part of `out` stays where it is."),
    Operation("scatter", "const void* in, void* out, size_t count, vnode_type type, int root",
              "One-to-all personalized: `out` of node r = in[r m .. r m + m-1] of `root`; `in` of the others is not read. In "
              "place on the root, its own part of `in` stays where it is."),
    Operation("reduce_scatter", "const void* in, void* out, size_t count, vnode_type type, vnode_operator op",
              "All-to-all reduction: out[i] on node r = in[r m + i] of node 0 op ... op in[r m + i] of node p-1. In place, the "
              "first m of the p m elements receive the result; the others are lost."),
    Operation("all_to_all", "const void* in, void* out, size_t count, vnode_type type",
              "All-to-all personalized: out[s m .. s m + m-1] on node d = in[d m .. d m + m-1] of node s."),
    Operation("circular_shift", "const void* in, void* out, size_t count, vnode_type type, int shift",
              "Circular shift: `out` of node (r + shift) mod p = `in` of node r. `shift` may be negative."),
    Operation("barrier", "",
              "Barrier: is complete when every node has called it."),
)

PARTS = (
    Operation("all_gather_v",
              "const void* in, size_t in_count, void* out, const size_t* counts, const size_t* displacements, vnode_type type",
              "Gathers a different count from every rank: part r of `out` = `in` of node r. All nodes pass equal counts. In "
              "place, node r contributes part r of `out`."),
    Operation("gather_v",
              "const void* in, size_t in_count, void* out, const size_t* counts, const size_t* displacements, vnode_type type, "
              "int root",
              "Gathers a different count from every rank on `root`, whose counts alone are read."),
    Operation("scatter_v",
              "const void* in, const size_t* counts, const size_t* displacements, void* out, size_t out_count, vnode_type type, "
              "int root",
              "Scatters a different count to every rank: `out` of node r = part r of `in` of `root`, whose counts alone are "
              "read. In place on the root, its own part stays where it is."),
    Operation("reduce_scatter_v", "const void* in, void* out, const size_t* counts, vnode_type type, vnode_operator op",
              "Scatters a different count to every rank: node r receives counts[r] elements. The parts lie one after the other. "
              "In place, the first counts[r] elements receive the result."),
    Operation("all_to_all_v",
              "const void* in, const size_t* in_counts, const size_t* in_displacements, void* out, const size_t* out_counts, "
              "const size_t* out_displacements, vnode_type type",
              "Exchanges a different count between every pair: part s of `out` on node d = part d of `in` of node s. In place, "
              "what a node sends to another is as long as what it receives from it, and lies in the same part."),
)

EXCHANGES = (
    Operation("exchange", "const void* in, void* out, size_t count, vnode_type type, const vnode_neighbours* neighbours",
              "Exchange with all neighbours: `count` elements of `in` from i m on go to target i, and as many of `out` come from "
              "source i."),
    Operation("exchange_v",
              "const void* in, const size_t* in_counts, const size_t* in_displacements, void* out, const size_t* out_counts, "
              "const size_t* out_displacements, vnode_type type, const vnode_neighbours* neighbours",
              "Exchanges parts of different lengths, by counts and displacements for each neighbour as in vnode_all_to_all_v()."),
    Operation("exchange_pieces",
              "const vnode_piece* in, const vnode_piece* out, vnode_type type, const vnode_neighbours* neighbours",
              "Exchanges parts that each have a place of their own: a piece of `in` for each target, of `out` for each source. "
              "The lists are copied, but not the data."),
    Operation("all_to_all_w", "const vnode_piece* in, const vnode_piece* out, vnode_type type",
              "All-to-all personalized with a place and a layout for each rank: piece d of `in` of node s goes to piece s of "
              "`out` of node d."),
)

OPTIONS = "const vnode_call_options* options"
SECTIONS = [
    Section("collectives", "collectives.h", OPTIONS, "Described call(group, options)", ("options",), COLLECTIVES),
    Section("collectives of parts", "collectives.h", OPTIONS, "DescribedParts call(group, options)", ("options",), PARTS),
    Section("exchanges", "exchange.h", "", "DescribedExchange call(group, type)", ("type",), EXCHANGES),
]

# The forms: what the function's name ends with, the argument that comes last, and the method that carries the call out.
FORMS = [
    ("", "", "call.call()"),
    ("_nonblocking", "vnode_request** request", "call.start(request)"),
    ("_persistent", "vnode_persistent** persistent", "call.plan(persistent)"),
]
