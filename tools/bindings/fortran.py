"""include/vnode/vnode.f90, Fortran's view of vnode.h."""
import re

HEAD = """\
! vnode for Fortran 2018: vnode.h by iso_c_binding, written by tools/bindings/write. Compile it with the program:
!
!     gfortran $(pkg-config --variable=fortran vnode) program.f90 $(pkg-config --libs vnode)
!
! docs/c.md says what the functions do: they have the names, arguments and codes of C. Handles are type(c_ptr). Data are
! passed as c_loc(x), so x is a target; a callback is a bind(c) function, passed as c_funloc(f). Texts end with
! c_null_char. What may be NULL in C, but for data and handles, is optional here. Ranks and tags count from 0, and so do
! rounds. Unsigned numbers are signed ones here, of as many bits. Structs end with _t, since Fortran takes vnode_located_f64
! for VNODE_LOCATED_F64.
module vnode
  use, intrinsic :: iso_c_binding
  implicit none
  public
"""
TAIL = """
contains

  ! Returns the sentence of this thread's last failure.
  function vnode_sentence() result(sentence)
    character(len=:), allocatable :: sentence
    sentence = vnode_string(vnode_message())
  end function

  ! Returns a text of C as one of Fortran; '' for c_null_ptr.
  function vnode_string(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    interface
      pure function strlen(text) bind(c)
        import :: c_ptr, c_size_t
        type(c_ptr), intent(in), value :: text
        integer(c_size_t) :: strlen
      end function
    end interface
    copy = ''
    if (.not. c_associated(text)) return
    call c_f_pointer(text, letters, [strlen(text)])
    copy = repeat(' ', size(letters))
    do i = 1, size(letters)
      copy(i:i) = letters(i)
    end do
  end function
end module vnode
"""

KINDS = {"int": "integer(c_int)", "size_t": "integer(c_size_t)", "double": "real(c_double)", "float": "real(c_float)",
         "ptrdiff_t": "integer(c_ptrdiff_t)", "long double": "real(c_long_double)", "unsigned": "integer(c_int)"}
for bits in (8, 16, 32, 64):
    KINDS[f"int{bits}_t"] = KINDS[f"uint{bits}_t"] = f"integer(c_int{bits}_t)"
# Pointers to several numbers.
LISTS = {"coordinates", "links", "dimensions", "pus", "on", "counts", "displacements", "in_counts", "in_displacements",
         "out_counts", "out_displacements", "lengths", "array", "sizes", "starts", "sources", "targets", "indices",
         "received_list"}


def wrapped(line):
    """A line of Fortran, continued where it is longer than 110 letters."""
    indent = re.match(" *", line)[0]
    lines = []
    while len(line) > 110:
        at = line.rfind(", ", 0, 108) + 2
        lines.append(line[:at].rstrip() + " &")
        line = indent + "    " + line[at:]
    return "\n".join(lines + [line])


class Fortran:
    """What the headers declare, in Fortran."""

    def __init__(self, headers):
        self.headers = headers
        self.values = {name for name, _ in headers.structs}

    def value(self, kind):
        if kind in self.headers.enums:
            return "integer(c_int)"
        if kind in self.headers.callbacks:
            return "type(c_funptr)"
        if kind in self.values:
            return f"type({kind}_t)"
        return KINDS[kind]

    def member(self, declaration):
        if match := re.fullmatch(r"\w+ \(\*(\w+)\)\(.*\)", declaration):
            return f"type(c_funptr) :: {match[1]} = c_null_funptr"
        kind, name = re.fullmatch(r"(.*?[ *])(\w+)", declaration).groups()
        kind = kind.strip()
        if "*" in kind:
            return f"type(c_ptr) :: {name} = c_null_ptr"
        what = self.value(kind)
        start = {"type(c_funptr)": " = c_null_funptr"}.get(what, "" if what.startswith("type(") else " = 0")
        return f"{what} :: {name}{start}"

    def argument(self, declaration):
        """The attributes of an argument, and its name."""
        if match := re.fullmatch(r"const \w+\* const\* ?(\w+)", declaration):
            return "type(c_ptr), intent(in)", match[1] + "(*)"
        constant = declaration.startswith("const ")
        kind, stars, name = re.fullmatch(r"(?:const )?(.*?) ?(\**) ?(\w+)", declaration).groups()
        inout = "intent(in)" if constant else "intent(inout)"
        if stars == "":
            return f"{self.value(kind)}, value", name
        if stars == "**":
            return "type(c_ptr), intent(inout)", name + ("(*)" if name == "requests" else "")
        if kind == "void" or kind in self.headers.handles:
            return "type(c_ptr), value", name
        if kind == "char":
            return f"character(kind=c_char), {inout}, optional", name + "(*)"
        return f"{self.value(kind)}, {inout}, optional", name + ("(*)" if name in LISTS else "")

    def function(self, returns, name, arguments):
        given = [self.argument(argument) for argument in arguments]
        names = ", ".join(re.sub(r"\(\*\)", "", name) for _, name in given)
        kind = "subroutine" if returns == "void" else "function"
        lines = [f"    {kind} {name}({names}) bind(c)", "      import"]
        lines += [f"      {attributes} :: {argument}" for attributes, argument in given]
        if kind == "function":
            result = "type(c_ptr)" if "*" in returns else KINDS[returns]
            lines.append(f"      {result} :: {name}")
        return "\n".join(wrapped(line) for line in lines + [f"    end {kind}"])

    def module(self):
        text = HEAD + "\n"
        for name, value in self.headers.enumerators:
            text += f"  integer(c_int), parameter :: {name} = {value}\n"
        for name, body in self.headers.structs:
            text += f"\n  type, bind(c) :: {name}_t\n"
            members = [re.sub(r"\s+", " ", m.strip()) for m in body.split(";") if m.strip()]
            text += "".join(f"    {self.member(member)}\n" for member in members) + "  end type\n"
        text += "\n  interface\n" + "\n".join(self.function(*f) for f in self.headers.functions) + "\n  end interface\n"
        return text + TAIL


def module(headers):
    return Fortran(headers).module()
