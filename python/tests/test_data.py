"""What can be data of a call, and what is refused."""

import array
import ctypes

import numpy as np
import pytest

import vnode

team = pytest.team

DTYPES = "i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 g c8 c16 ?".split()


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_types_are_summed(dtype):
    def body(me):
        x = np.ones(100, dtype)
        me.all_reduce(x, "sum")
        want = True if dtype == "?" else 3
        assert x.dtype == np.dtype(dtype) and (x == want).all()

    team(3).run(body)


def test_arrays_of_any_shape_without_elements_or_read_only():
    def body(me):
        x = np.ones((3, 4, 5), order="C")
        assert me.all_reduce(x, np.add) is x and x.shape == (3, 4, 5) and (x == 3).all()
        me.all_reduce(np.zeros(0), "sum")
        me.all_reduce(np.zeros((0, 5), "f4"), "sum")
        zero_dimensional = np.array(2.0)
        me.all_reduce(zero_dimensional, "sum")
        assert zero_dimensional == 6
        constant = np.ones(4)
        constant.flags.writeable = False
        assert (me.all_reduce(constant, "sum", out=np.zeros(4)) == 3).all()
        me.broadcast(constant if me.rank == 0 else np.zeros(4))
        with pytest.raises(vnode.UsageError, match="read only"):
            me.all_reduce(constant, "sum")

    team(3).run(body)


def test_what_has_the_buffer_protocol():
    def body(me):
        for x in (array.array("d", [1.0] * 10), memoryview(np.ones(10)), (ctypes.c_double * 10)(*[1.0] * 10)):
            assert me.all_reduce(x, "sum") is x
            assert list(x) == [3.0] * 10
        text = bytearray(b"root" if me.rank == 0 else b"none")
        assert me.broadcast(text) == b"root"
        out = bytearray(6)
        me.all_gather(b"%02d" % me.rank, out=out)
        assert out == b"000102"
        for code in "bBhHiIlLqQf":
            x = array.array(code, [2] * 5)
            assert list(me.all_reduce(x, "product")) == [8] * 5

    team(3).run(body)


def test_what_has_dlpack_only():
    class Tensor:
        def __init__(self, of):
            self.of = of

        def __dlpack__(self, stream=None):
            return self.of.__dlpack__()

    def body(me):
        for dtype in "f4 f8 f2 i4 u1 c8".split():
            x = np.ones((4, 5), dtype)
            me.all_reduce(Tensor(x), "sum")
            assert (x == 3).all(), dtype
        with pytest.raises(vnode.UsageError, match="do not follow each other"):
            me.all_reduce(Tensor(np.ones((4, 5)).T), "sum")

    team(3).run(body)


class _Managed(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]


class _Handmade:
    """A tensor that knows DLPack only, of any type."""

    def __init__(self, memory, code, bits, device=1):
        self.memory, self.shape = memory, (ctypes.c_int64 * 1)(len(memory))
        self.tensor = _Managed(ctypes.addressof(memory), device, 0, 1, code, bits, 1, self.shape)

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def test_bfloat16_comes_by_dlpack():
    one = 0x3F80  # 1 as a bfloat16: the upper half of a float

    def body(me):
        x = (ctypes.c_uint16 * 8)(*[one] * 8)
        me.all_reduce(_Handmade(x, 4, 16), "sum")
        assert list(x) == [0x4040] * 8  # 3
        with pytest.raises(vnode.UsageError, match="not in the processor's memory"):
            me.all_reduce(_Handmade(x, 4, 16, device=2), "sum")
        with pytest.raises(vnode.UsageError, match="no type that vnode knows"):
            me.all_reduce(_Handmade(x, 7, 16), "sum")

    team(3).run(body)


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")

    def body(me):
        x = np.full(8, me.rank + 1, ml_dtypes.bfloat16)
        me.all_reduce(x, "sum")
        assert (x.astype(float) == 6).all()
        me.all_reduce(x, vnode.Operator(lambda a, b: np.maximum(a, b), name="greater"))
        assert (x.astype(float) == 6).all()

    team(3).run(body)


def test_a_number_is_found_with_its_index():
    def body(me):
        for dtype in "f8 f4 i2 u1 g f2".split():
            x = np.zeros(2, vnode.located(dtype))
            x["value"], x["index"] = [5 - me.rank, 7], me.rank
            me.all_reduce(x, "min_location")
            assert list(x["value"]) == [3, 7] and list(x["index"]) == [2, 0]

    team(3).run(body)


def test_structs_are_moved_and_combined_by_own_operators():
    dtype = np.dtype([("cost", "f8"), ("rank", "i4")], align=True)

    def body(me):
        x = np.zeros(3, dtype)
        x["cost"], x["rank"] = 10 - me.rank, me.rank
        everything = np.zeros(9, dtype)
        me.all_gather(x, out=everything)
        assert list(everything["rank"]) == [0] * 3 + [1] * 3 + [2] * 3
        best = vnode.Operator(lambda a, b: np.where(b["cost"] < a["cost"], b, a), commutative=True, name="best")
        me.all_reduce(x, best)
        assert list(x["rank"]) == [2] * 3
        with pytest.raises(vnode.UsageError, match='"sum" is not an operator on'):
            me.all_reduce(x, "sum")

    team(3).run(body)


@pytest.mark.parametrize("x, sentence", [
    ([1.0, 2.0], "a list cannot be the data of a call"),
    (None, "a NoneType cannot be the data of a call"),
    ("text", "a str cannot be the data of a call"),
    (np.array([object()]), "elements of object have no type"),
    (np.zeros(2, ">f8" if np.little_endian else "<f8"), "another byte order"),
    (np.array(["a"]), "elements of <U1 have no type"),
    (np.array(["2020-01-01"], "M8[s]"), "have no type that vnode knows"),
    (b"constant", "read only"),
])
def test_what_is_no_data_is_refused_by_a_sentence(x, sentence):
    def body(me):
        with pytest.raises(vnode.UsageError, match=sentence):
            me.all_reduce(x, "max")
        return me.all_reduce(1, "sum")  # nothing was sent

    assert team(2).run(body) == [2, 2]


def test_lengths_that_do_not_fit_are_refused_by_a_sentence():
    def body(me):
        x = np.ones(5)
        with pytest.raises(vnode.UsageError, match="all_gather: `out` has 9 elements of type f64, and needs 10 of type f64"):
            me.all_gather(x, out=np.zeros(9))
        with pytest.raises(vnode.UsageError, match="`out` has 5 elements of type f32, and needs 5 of type f64"):
            me.all_reduce(x, "sum", out=np.zeros(5, "f4"))
        with pytest.raises(vnode.UsageError, match="x has 5 elements, which are not the same number for each of 2"):
            me.all_to_all(x)
        with pytest.raises(vnode.UsageError, match="there are 1 counts for 2 nodes"):
            me.all_gather_v(x, x, [5])
        with pytest.raises(vnode.UsageError, match="the parts end with element 6, and `out` has 5"):
            me.all_gather_v(x, x, [3, 3])
        with pytest.raises(vnode.UsageError, match="counts: -1 is not an integer from 0 to"):
            me.all_gather_v(x, x, [-1, 3])
        with pytest.raises(vnode.UsageError, match="there is no operator 'average': there are sum, product"):
            me.all_reduce(x, "average")
        for name, meant in (("SUM", "sum"), ("add", "sum"), ("Prod", "product"), ("maximum", "max")):
            with pytest.raises(vnode.UsageError, match=f"there is no operator '{name}': did you mean '{meant}'"):
                me.all_reduce(x, name)
        with pytest.raises(vnode.UsageError, match="vnode.Operator makes one"):
            me.all_reduce(x, lambda a, b: a)

    team(2).run(body)


def test_what_cannot_be_received_into_is_told_otherwise_than_what_cannot_be_sent():
    def body(me):
        with pytest.raises(vnode.UsageError, match="a list cannot be the data .*; take numpy.array"):
            me.send([1.0], 1 - me.rank)
        with pytest.raises(vnode.UsageError, match="a list cannot be the data .*; receive into an array"):
            me.recv([0], 1 - me.rank)

    team(2).run(body)
