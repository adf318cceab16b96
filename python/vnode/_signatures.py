"""The types of elements, the operators, and the arguments of libvnode's functions. Written by tools/bindings/write."""

import operator
from typing import Any, Dict, NamedTuple, Optional, Tuple


class Type(NamedTuple):
    """A type of elements."""

    is_located: bool  # whether there is a type of such numbers, found at an index
    numpy: str  # numpy's dtype, if it has one
    letter: str  # in formats of the buffer protocol, unless it is an integer, whose letter depends on the machine
    dlpack: Optional[Tuple[int, int]]  # DLPack's kind and bits


class Operator(NamedTuple):
    """An operator."""

    number: int
    function: Any  # Python's, if it has one
    ufunc: str  # numpy's, if it has one


I8 = 1
U8 = 2
I16 = 3
U16 = 4
I32 = 5
U32 = 6
I64 = 7
U64 = 8
F32 = 9
F64 = 10
F16 = 11
BF16 = 12
LONG_DOUBLE = 13
COMPLEX_F32 = 14
COMPLEX_F64 = 15
BOOL = 16
BYTE = 17
LOCATED = 32  # the type of a number, found at an index, is this more than the number's

TYPES: Dict[int, Type] = {
    I8: Type(True, "i1", "", (0, 8)),
    U8: Type(True, "u1", "", (1, 8)),
    I16: Type(True, "i2", "", (0, 16)),
    U16: Type(True, "u2", "", (1, 16)),
    I32: Type(True, "i4", "", (0, 32)),
    U32: Type(True, "u4", "", (1, 32)),
    I64: Type(True, "i8", "", (0, 64)),
    U64: Type(True, "u8", "", (1, 64)),
    F32: Type(True, "f4", "f", (2, 32)),
    F64: Type(True, "f8", "d", (2, 64)),
    F16: Type(True, "f2", "e", (2, 16)),
    BF16: Type(True, "", "", (4, 16)),
    LONG_DOUBLE: Type(True, "g", "g", None),
    COMPLEX_F32: Type(False, "c8", "Zf", (5, 64)),
    COMPLEX_F64: Type(False, "c16", "Zd", (5, 128)),
    BOOL: Type(False, "?", "?", (6, 8)),
    BYTE: Type(False, "V1", "c", None),
}

OPERATORS: Dict[str, Operator] = {
    "sum": Operator(101, operator.add, "add"),
    "product": Operator(102, operator.mul, "multiply"),
    "min": Operator(103, min, "minimum"),
    "max": Operator(104, max, "maximum"),
    "bit_and": Operator(105, operator.and_, "bitwise_and"),
    "bit_or": Operator(106, operator.or_, "bitwise_or"),
    "bit_xor": Operator(107, operator.xor, "bitwise_xor"),
    "logical_and": Operator(108, None, "logical_and"),
    "logical_or": Operator(109, None, "logical_or"),
    "logical_xor": Operator(110, None, "logical_xor"),
    "min_location": Operator(111, None, ""),
    "max_location": Operator(112, None, ""),
}

# What arguments are: p a pointer or handle, s a text, i an int, n a size, t a type or operator, q a distance.

# The functions of operations. Those of two further forms add where a handle goes.
OPERATIONS = {
    "broadcast": "ppntip",
    "reduce": "pppnttip",
    "all_reduce": "pppnttp",
    "scan": "pppnttp",
    "exclusive_scan": "pppnttp",
    "all_gather": "pppntp",
    "gather": "pppntip",
    "scatter": "pppntip",
    "reduce_scatter": "pppnttp",
    "all_to_all": "pppntp",
    "circular_shift": "pppntip",
    "barrier": "pp",
    "all_gather_v": "ppnppptp",
    "gather_v": "ppnppptip",
    "scatter_v": "pppppntip",
    "reduce_scatter_v": "ppppttp",
    "all_to_all_v": "ppppppptp",
    "exchange": "pppntp",
    "exchange_v": "ppppppptp",
    "exchange_pieces": "ppptp",
    "all_to_all_w": "pppt",
}

# All other functions that return an int.
FUNCTIONS = {
    "topology_create": "psi",
    "topology_free": "p",
    "topology_nodes": "p",
    "topology_vertices": "p",
    "topology_dimensions": "p",
    "topology_extent": "pi",
    "topology_links": "p",
    "topology_diameter": "p",
    "topology_bisection": "p",
    "topology_distance": "pii",
    "topology_rank_at": "pp",
    "topology_degree": "pi",
    "topology_neighbour": "pii",
    "topology_directed_link": "pii",
    "topology_port_of": "pi",
    "topology_coordinates": "pip",
    "topology_port": "piip",
    "topology_ends": "pipp",
    "topology_route": "piisp",
    "topology_text": "pp",
    "topology_port_name": "piip",
    "group_rank": "p",
    "group_size": "p",
    "group_team_rank": "pi",
    "group_topology": "pp",
    "group_last_algorithm": "pp",
    "group_last_segments": "p",
    "group_split": "piisp",
    "group_split_along": "ppip",
    "group_split_domain": "pip",
    "group_free": "p",
    "abort": "pis",
    "arena_concurrency": "p",
    "arena_pus": "ppi",
    "arena_parallel_for": "pnnnpp",
    "unpinned_begin": "p",
    "unpinned_end": "p",
    "type_register": "snnp",
    "type_size": "tp",
    "operator_create": "pp",
    "operator_free": "p",
    "layout_contiguous": "pnp",
    "layout_vector": "pnnqp",
    "layout_indexed": "pnppp",
    "layout_subarray": "pipppp",
    "layout_structure": "pnpp",
    "layout_resized": "ppq",
    "layout_shifted": "ppq",
    "layout_count": "pp",
    "layout_bounds": "pppp",
    "layout_overlaps": "p",
    "layout_text": "pp",
    "layout_free": "p",
    "schedule_create": "psii",
    "schedule_add": "pp",
    "schedule_nodes": "p",
    "schedule_blocks": "p",
    "schedule_rounds": "p",
    "schedule_transfers": "pi",
    "schedule_transfer": "piip",
    "schedule_free": "p",
    "hierarchy_create": "psi",
    "hierarchy_text": "pp",
    "hierarchy_levels": "p",
    "hierarchy_apart": "pii",
    "hierarchy_free": "p",
    "request_wait": "pp",
    "request_test": "ppp",
    "request_cancel": "pp",
    "request_free": "p",
    "request_wait_all": "pn",
    "request_test_all": "pnp",
    "request_wait_any": "pnpp",
    "request_test_any": "pnpp",
    "request_wait_some": "pnppp",
    "request_test_some": "pnppp",
    "persistent_start": "p",
    "persistent_wait": "p",
    "persistent_test": "pp",
    "persistent_free": "p",
    "neighbours_create": "ppi",
    "neighbours_create_lists": "ppipi",
    "neighbours_sources": "ppi",
    "neighbours_targets": "ppi",
    "neighbours_free": "p",
    "send_piece": "pptii",
    "recv_piece": "pptiip",
    "sendrecv_pieces": "ppipitip",
    "isend_piece": "pptiip",
    "irecv_piece": "pptiip",
    "probe": "piitp",
    "iprobe": "piitpp",
    "mprobe": "piitpp",
    "improbe": "piitpp",
    "matched_message_recv": "ppntp",
    "matched_message_irecv": "ppntp",
    "matched_message_free": "p",
    "team_create": "pisp",
    "team_free": "p",
    "team_run": "ppp",
    "this_node": "p",
    "yield": "p",
    "team_join": "pipp",
    "membership_node": "pp",
    "membership_leave": "p",
    "membership_abort": "ps",
    "team_size": "p",
    "team_topology": "pp",
    "team_costs": "pp",
    "team_report": "pp",
    "team_bytes": "ppp",
    "buffer_create": "pnp",
    "team_buffer": "pinnip",
    "buffer_data": "ppp",
    "buffer_place": "pnnp",
    "buffer_claim": "pnn",
    "buffer_touch": "p",
    "buffer_degraded": "pip",
    "buffer_free": "p",
    "audit_pages": "pnppi",
    "team_memory": "ppp",
    "send": "ppntii",
    "recv": "ppntiip",
    "sendrecv": "ppnipnitip",
    "sendrecv_tags": "ppniipniitp",
    "sendrecv_replace": "ppntiiiip",
    "isend": "ppntiip",
    "irecv": "ppntiip",
    "ssend": "ppntii",
    "issend": "ppntiip",
    "team_statistics": "pp",
    "statistics_rows": "p",
    "statistics_row": "pip",
    "statistics_node": "piip",
    "statistics_text": "pp",
    "statistics_json": "pp",
    "statistics_free": "p",
    "team_state": "pp",
    "roll_call_in_run": "p",
    "roll_call_node": "pip",
    "roll_call_text": "pp",
    "roll_call_json": "pp",
    "roll_call_free": "p",
    "abi_version": "",
    "team_trace": "pn",
    "team_take_trace": "pp",
    "trace_counts": "ppp",
    "trace_call": "pnp",
    "trace_free": "p",
    "while_waiting_begin": "ppp",
    "while_waiting_end": "p",
}

# Those that return a text.
TEXTS = {
    "type_name": "t",
    "operator_name": "t",
    "message": "",
    "status_name": "i",
    "version": "",
}

# Those that return nothing.
PROCEDURES = {
    "set_message": "s",
    "text_free": "p",
}
