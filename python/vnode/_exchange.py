"""What neighbours exchange, and all-to-all with a place for each rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, List, Optional, Sequence, Tuple, TypeVar

from vnode._data import kind_of, locate
from vnode._errors import UsageError
from vnode._layout import Neighbours, Piece, Strided, piece
from vnode._signatures import BYTE

if TYPE_CHECKING:
    from vnode._library import Form

R = TypeVar("R")
Pieces = Sequence[Any]


class Exchanges(Generic[R]):
    """Operations in which every node sends something to each neighbour, all messages at the same time. All nodes of the group
    call them, also those without neighbours."""

    _handle: int
    _size: int
    _form: Form

    def _do(self, function: Callable[..., int], arguments: Tuple[Any, ...], result: Any, kept: Any) -> R:
        raise NotImplementedError

    def exchange(self, x: Any, out: Any, neighbours: Optional[Neighbours] = None, *, dtype: Any = None) -> R:
        """Exchange with all neighbours, those in the group's topology unless `neighbours` says others: part i of x goes to target
        i, and part i of `out` comes from source i. If x and `out` are lists of arrays, these are the parts: rows, columns and
        other views of a larger array, as halos are, None for a neighbour that is nobody. A node that has no part says by `dtype`,
        numpy's or a type of numbers, of which type those of the others are."""
        lists = neighbours or self._own_neighbours()
        sources, targets = len(lists.sources), len(lists.targets)
        given = neighbours._handle if neighbours is not None else None
        if isinstance(x, (list, tuple)):
            return self._pieces("exchange_pieces", x, out, dtype, targets, sources, (given,), (lists,))
        if dtype is not None:
            raise UsageError("exchange: dtype is for lists of arrays: an array has its own")
        source, count, kind = locate(x, False)
        into, out_count, out_kind = locate(out)
        if type(source) is Strided or type(into) is Strided:
            raise UsageError("exchange: an array that is not contiguous has no parts: take lists of arrays")
        each = count // targets if targets else out_count // sources if sources else 0
        if each * targets != count or each * sources != out_count or kind != out_kind:
            raise UsageError(
                f"exchange: {count} elements for {targets} targets, and room for {out_count} from {sources} sources, are not "
                "the same number, of the same type, for each"
            )
        return self._do(self._form.exchange, (self._handle, source, into, each, kind, given), out, (source, into, lists))

    def _own_neighbours(self) -> Neighbours:
        raise NotImplementedError

    def all_to_all_w(self, x: Pieces, out: Pieces, *, dtype: Any = None) -> R:
        """All-to-all personalized with an array for each rank: x[d] of node s goes to out[s] of node d. None is an array without
        elements. A node that has nothing else says by `dtype` of which type the arrays of the others are."""
        return self._pieces("all_to_all_w", x, out, dtype, self._size, self._size, (), ())

    def _pieces(self, name: str, x: Pieces, out: Pieces, dtype: Any, targets: int, sources: int, after: Tuple[Any, ...],
                kept: Tuple[Any, ...]) -> R:  # fmt: skip
        kinds: List[int] = [] if dtype is None else [kind_of(dtype)]
        lists: List[Any] = []
        places: List[Any] = []
        for what, given, wanted in (("x", x, targets), ("`out`", out, sources)):
            if len(given) != wanted:
                raise UsageError(f"{name}: {what} has {len(given)} arrays, and there are {wanted} to exchange with")
            found = []
            for part in given:
                if part is None:
                    found.append(Piece(None, 0, None))
                    continue
                place, count, kind = locate(part, what != "x")
                places.append(place)
                kinds.append(kind)
                found.append(piece(place, count))
            lists.append((Piece * len(found))(*found))
        if len(set(kinds)) > 1:
            raise UsageError(f"{name}: the arrays have elements of different types")
        kind = kinds[0] if kinds else BYTE
        return self._do(getattr(self._form, name), (self._handle, *lists, kind, *after), out, (places, lists, *kept))
