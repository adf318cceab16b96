"""libvnode and the types of its functions, as vnode.h declares them."""

from __future__ import annotations

import ctypes
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, Callable, Iterator

ABI_VERSION = 1
SONAME = "libvnode.so.0.1"

_LETTERS = {"p": ctypes.c_void_p, "z": ctypes.c_size_t, "i": ctypes.c_int, "s": ctypes.c_char_p, "q": ctypes.c_ssize_t}

# The collectives' arguments: p a pointer or handle, z a size, i an int. Two further forms add where a handle goes.
_COLLECTIVES = {
    "broadcast": "ppziip",
    "reduce": "pppziiip",
    "all_reduce": "pppziip",
    "scan": "pppziip",
    "exclusive_scan": "pppziip",
    "all_gather": "pppzip",
    "gather": "pppziip",
    "scatter": "pppziip",
    "reduce_scatter": "pppziip",
    "all_to_all": "pppzip",
    "circular_shift": "pppziip",
    "barrier": "pp",
    "all_gather_v": "ppzpppip",
    "gather_v": "ppzpppiip",
    "scatter_v": "pppppziip",
    "reduce_scatter_v": "ppppiip",
    "all_to_all_v": "pppppppip",
    "exchange": "pppzip",
    "exchange_v": "pppppppip",
    "exchange_pieces": "pppip",
    "all_to_all_w": "pppi",
}

_FUNCTIONS = {
    "set_message": "s",
    "text_free": "p",
    "type_register": "szzp",
    "type_size": "ip",
    "operator_create": "pp",
    "operator_free": "p",
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
    "request_wait": "pp",
    "request_test": "ppp",
    "request_free": "p",
    "request_cancel": "pp",
    "request_test_all": "pzp",
    "request_wait_any": "pzpp",
    "request_test_any": "pzpp",
    "request_wait_some": "pzppp",
    "request_test_some": "pzppp",
    "persistent_start": "p",
    "persistent_wait": "p",
    "persistent_test": "pp",
    "persistent_free": "p",
    "send": "ppziii",
    "recv": "ppziiip",
    "sendrecv": "ppzipziiip",
    "isend": "ppziiip",
    "irecv": "ppziiip",
    "ssend": "ppziii",
    "issend": "ppziiip",
    "sendrecv_tags": "ppziipziiip",
    "sendrecv_replace": "ppziiiiip",
    "probe": "piiip",
    "iprobe": "piiipp",
    "mprobe": "piiipp",
    "improbe": "piiipp",
    "matched_message_recv": "ppzip",
    "matched_message_irecv": "ppzip",
    "matched_message_free": "p",
    "team_create": "pisp",
    "team_free": "p",
    "team_run": "ppp",
    "team_join": "pipp",
    "membership_leave": "p",
    "membership_abort": "ps",
    "team_size": "p",
    "team_topology": "pp",
    "team_costs": "pp",
    "team_report": "pp",
    "team_bytes": "ppp",
    "team_memory": "ppp",
    "team_trace": "pz",
    "team_take_trace": "pp",
    "team_statistics": "pp",
    "statistics_text": "pp",
    "statistics_json": "pp",
    "statistics_free": "p",
    "team_state": "pp",
    "roll_call_text": "pp",
    "roll_call_json": "pp",
    "roll_call_free": "p",
    "trace_counts": "ppp",
    "trace_call": "pzp",
    "trace_free": "p",
    "layout_vector": "pzzqp",
    "layout_resized": "ppq",
    "layout_free": "p",
    "neighbours_create": "ppi",
    "neighbours_create_lists": "ppipi",
    "neighbours_sources": "ppi",
    "neighbours_targets": "ppi",
    "neighbours_free": "p",
    "send_piece": "ppiii",
    "recv_piece": "ppiiip",
    "sendrecv_pieces": "ppipiiip",
    "isend_piece": "ppiiip",
    "irecv_piece": "ppiiip",
    "buffer_create": "pzp",
    "team_buffer": "pizzip",
    "buffer_data": "ppp",
    "buffer_place": "pzzp",
    "buffer_claim": "pzz",
    "buffer_touch": "p",
    "buffer_degraded": "pip",
    "buffer_free": "p",
    "audit_pages": "pzppi",
    "arena_concurrency": "p",
    "arena_pus": "ppi",
    "arena_parallel_for": "pzzzpp",
    "unpinned_begin": "p",
    "unpinned_end": "p",
    "while_waiting_begin": "ppp",
    "while_waiting_end": "p",
    "abi_version": "",
}
_TEXTS = {"message": "", "status_name": "i", "version": "", "type_name": "i", "operator_name": "i"}


def _candidates() -> Iterator[str]:
    """Where the library may be, in the order in which it is looked for."""
    named = os.environ.get("VNODE_LIBRARY")
    if named:
        yield named
        return
    yield str(pathlib.Path(__file__).parent / SONAME)
    program = os.environ.get("VNODE_PROGRAM") or shutil.which("vnode")
    if program:
        for folder in ("lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"):
            yield str(pathlib.Path(program).resolve().parent.parent / folder / SONAME)
    yield SONAME


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        if "/" in name and not os.path.exists(name):
            tried.append(f"{name}: there is no such file")
            continue
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libvnode is not found; VNODE_LIBRARY may name the file. Tried: " + "; ".join(tried))


def _declare(library: ctypes.CDLL) -> None:
    def typed(name: str, letters: str, result: object = ctypes.c_int) -> None:
        function = getattr(library, "vnode_" + name)
        function.argtypes = [_LETTERS[letter] for letter in letters]
        function.restype = result

    for name, letters in _COLLECTIVES.items():
        typed(name, letters)
        typed(name + "_nonblocking", letters + "p")
        typed(name + "_persistent", letters + "p")
    for name, letters in _FUNCTIONS.items():
        typed(name, letters)
    for name, letters in _TEXTS.items():
        typed(name, letters, ctypes.c_char_p)
    library.vnode_set_message.restype = None
    library.vnode_text_free.restype = None


library = _load()
try:
    _declare(library)
except AttributeError as missing:
    raise ImportError(f"{library._name} is no libvnode that this package knows: {missing}") from None
if library.vnode_abi_version() < ABI_VERSION:
    raise ImportError(f"{library._name} has binary interface {library.vnode_abi_version()}, older than {ABI_VERSION}")


class Form:
    """The collectives of one form: each is a function of libvnode, an attribute named as the collective is."""

    def __init__(self, suffix: str) -> None:
        for name in _COLLECTIVES:
            setattr(self, name, getattr(library, f"vnode_{name}{suffix}"))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., int]: ...


blocking, nonblocking, persistent = Form(""), Form("_nonblocking"), Form("_persistent")


def taken(text: ctypes.c_void_p) -> str:
    """Returns a text that a function has returned, and frees it."""
    try:
        return ctypes.string_at(text.value or 0).decode() if text.value else ""
    finally:
        library.vnode_text_free(ctypes.byref(text))
