"""libvnode and the types of its functions, as vnode.h declares them."""

from __future__ import annotations

import ctypes
import operator
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, NoReturn

ABI_VERSION = 1
SONAME = "libvnode.so.0.2"


class Integer:
    """A type of C's integers. What a program gives for one is an integer in its range, or a UsageError: ctypes alone would cut
    off the high bits."""

    def __init__(self, type_: Any) -> None:
        self.type = type_
        bits = 8 * ctypes.sizeof(type_)
        self.least, self.most = (-(1 << bits - 1), (1 << bits - 1) - 1) if type_(-1).value < 0 else (0, (1 << bits) - 1)

    def exact(self, given: Any, what: str) -> int:
        """Returns the integer that is given for `what`."""
        try:
            number = operator.index(given)
        except TypeError:
            number = self.most + 1
        if not self.least <= number <= self.most:
            _refuse(f"{what}: {given!r} is not an integer from {self.least} to {self.most}")
        return number

    def memory(self, given: Iterable[Any], what: str) -> Any:
        """Returns a list of integers as memory."""
        try:
            numbers = list(given)
        except TypeError:
            _refuse(f"{what}: {given!r} is not a list of integers")
        list_ = [self.exact(number, what) for number in numbers]
        return (self.type * len(list_))(*list_)

    def from_param(self, given: Any) -> Any:
        """Converts an argument; ctypes calls it."""
        if type(given) is int and self.least <= given <= self.most:
            return self.type.from_param(given)
        return self.type.from_param(self.exact(given, "argument"))


def _refuse(sentence: str) -> NoReturn:
    from vnode._errors import UsageError  # a module that needs this one

    raise UsageError(sentence) from None


INT, SIZE = Integer(ctypes.c_int), Integer(ctypes.c_size_t)
_EXACT = {kind.type: kind for kind in (INT, SIZE)}


class Struct(ctypes.Structure):
    """A struct whose integers a program gives."""

    def __setattr__(self, name: str, given: Any) -> None:
        kind = _EXACT.get(dict(self._fields_)[name])
        super().__setattr__(name, given if kind is None else kind.exact(given, name.strip("_")))


# What arguments are: p a pointer or handle, s a text, i an int and z a size that may be the program's. What this package has
# made is not looked at again: n a number of elements, t a type or operator, q a distance.
_LETTERS = {
    "p": ctypes.c_void_p, "s": ctypes.c_char_p, "i": INT, "z": SIZE, "n": ctypes.c_size_t, "t": ctypes.c_int,
    "q": ctypes.c_ssize_t,
}  # fmt: skip

# The collectives' arguments. Two further forms add where a handle goes.
_COLLECTIVES = {
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

_FUNCTIONS = {
    "set_message": "s",
    "text_free": "p",
    "type_register": "snnp",
    "type_size": "tp",
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
    "request_test_all": "pnp",
    "request_wait_any": "pnpp",
    "request_test_any": "pnpp",
    "request_wait_some": "pnppp",
    "request_test_some": "pnppp",
    "persistent_start": "p",
    "persistent_wait": "p",
    "persistent_test": "pp",
    "persistent_free": "p",
    "send": "ppntii",
    "recv": "ppntiip",
    "sendrecv": "ppnipnitip",
    "isend": "ppntiip",
    "irecv": "ppntiip",
    "ssend": "ppntii",
    "issend": "ppntiip",
    "sendrecv_tags": "ppniipniitp",
    "sendrecv_replace": "ppntiiiip",
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
    "trace_call": "pnp",
    "trace_free": "p",
    "layout_vector": "pnnqp",
    "layout_resized": "ppq",
    "layout_free": "p",
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
    "buffer_create": "pzp",
    "team_buffer": "pizzip",
    "buffer_data": "ppp",
    "buffer_place": "pnnp",
    "buffer_claim": "pnn",
    "buffer_touch": "p",
    "buffer_degraded": "pip",
    "buffer_free": "p",
    "audit_pages": "pnppi",
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
    """Returns where the library may be, in the order in which it is looked for."""
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


def _refusing(name: str, function: Any) -> Callable[..., Any]:
    """Returns a function that refuses an argument by what its conversion raises: ctypes makes an ArgumentError of that."""

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ctypes.ArgumentError:
            pass
        for kind, given in zip(function.argtypes, arguments):
            if isinstance(kind, Integer):
                kind.exact(given, name)
        return function(*arguments)  # refuses another argument once more

    return call


def _declare(library: ctypes.CDLL) -> None:
    def typed(name: str, letters: str, result: object = ctypes.c_int) -> None:
        function = getattr(library, "vnode_" + name)
        function.argtypes = [_LETTERS[letter] for letter in letters]
        function.restype = result
        if "i" in letters or "z" in letters:
            setattr(library, "vnode_" + name, _refusing(name, function))

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
    raise ImportError(f"{library._name} is not a libvnode that this package can use: {missing}") from None
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
