"""Commands of gdb for nodes of vnode's teams that are fibers, which gdb's `info threads` does not list.

    (gdb) source nodes.py           # not needed where vnode is installed below /usr
    (gdb) vnode nodes               # all of them, what each does, and where
    (gdb) vnode backtrace 5         # of node 5; of several teams that of the newest: `vnode backtrace 5 2` is the second's

They work on a program that is stopped and on a core file, change nothing in it, and need no debug information of libvnode.
"""
import contextlib
import os

import gdb
import gdb.unwinder

# Where Boost.Context leaves registers, in bytes from the stack pointer, how many bytes it takes for all of them, and
# which of these is the program counter.
LAYOUTS = {
    "i386:x86-64": ({"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}, 0x40),
    "aarch64": ({**{f"x{19 + i}": 0x40 + 8 * i for i in range(12)}, "pc": 0xA0}, 0xB0),
}
PROGRAM_COUNTERS = {"rip", "pc"}
# Whose functions are no place in a program.
LIBRARIES = ("libvnode", "libboost_context", "libc.", "libc-", "libpthread", "libstdc++", "ld-linux")


def words(address, count):
    """The `count` words of memory at an address."""
    memory = gdb.selected_inferior().read_memory(address, 8 * count)
    return [int.from_bytes(memory[8 * i:8 * i + 8], "little") for i in range(count)]


class Node:
    """A node that is a fiber."""

    def __init__(self, team, rank, registers, asleep, stack, stack_bytes):
        self.team, self.rank, self.stack = team, rank, range(stack, stack + stack_bytes)
        self.registers = words(registers, 1)[0]  # 0: it runs, or has not begun
        self.asleep = words(asleep, 1)[0] & 0xFFFFFFFF != 0

    def thread(self):
        """The thread that runs it now, or None."""
        if self.registers:
            return None
        with as_it_was():
            for thread in gdb.selected_inferior().threads():
                thread.switch()
                if int(gdb.newest_frame().read_register("sp")) in self.stack:
                    return thread
        return None

    def frames(self):
        """Its frames, the innermost first, within shown()."""
        frame = gdb.newest_frame()
        if self.registers:
            frame = frame.older()  # behind the one of the thread on which it is shown
        while frame is not None:
            yield frame
            frame = frame.older()


def nodes():
    """All nodes that are fibers, team after team, the newest first."""
    try:
        team = int(gdb.parse_and_eval("*(unsigned long*)&vnode_debugged_fibers"))
    except gdb.error as error:
        raise gdb.GdbError("there is no libvnode in this process yet, or one without fibers") from error
    found, number = [], 0
    while team:
        number += 1
        team, first, count, fibers = words(team, 4)
        for index in range(count):
            found.append(Node(number, first + index, *words(fibers + 32 * index, 4)))
    return found


@contextlib.contextmanager
def as_it_was():
    """Selects, at the end, the thread and frame that were selected before."""
    thread, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        yield
    finally:
        thread.switch()
        frame.select()


class Unwinder(gdb.unwinder.Unwinder):
    """Lets a thread's innermost frame be called, as it seems, by a node that does not run."""

    def __init__(self):
        super().__init__("vnode")
        self.node, self.innermost = None, None

    def __call__(self, pending):
        if self.node is None or int(pending.read_register("sp")) != self.innermost:
            return None
        layout, size = LAYOUTS[pending.architecture().name()]
        base = self.node.registers
        saved = words(base, size // 8)
        number = gdb.lookup_type("unsigned long")
        # A frame of gdb's must be below those that have called it.
        info = pending.create_unwind_info(FrameId(gdb.Value(base - 16).cast(number), pending.read_register("pc")))
        pointer = gdb.lookup_type("void").pointer()
        for name, at in layout.items():
            info.add_saved_register(name, gdb.Value(saved[at // 8]).cast(pointer if name in PROGRAM_COUNTERS else number))
        info.add_saved_register("sp" if "pc" in layout else "rsp", gdb.Value(base + size).cast(pointer))
        return info


class FrameId:
    """What gdb tells frames by."""

    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


UNWINDER = Unwinder()


@contextlib.contextmanager
def shown(node):
    """Has gdb see the frames of a node: those of its thread while it runs."""
    with as_it_was():
        thread = node.thread()
        if thread is not None:
            thread.switch()
        elif node.registers:
            UNWINDER.innermost = int(gdb.newest_frame().read_register("sp"))
            UNWINDER.node = node
            gdb.invalidate_cached_frames()
        try:
            yield
        finally:
            UNWINDER.node = None
            gdb.invalidate_cached_frames()


def place(node):
    """Where a node is in the program: its innermost frame that is not of a library."""
    with shown(node):
        for frame in node.frames():
            name, file = frame.name() or "??", os.path.basename(gdb.solib_name(frame.pc()) or "")
            if file.startswith(LIBRARIES) or name.startswith(("vnode::", "boost::")):
                continue
            line = frame.find_sal()
            return f"{name} at {line.symtab.filename}:{line.line}" if line.symtab else name
    return "in none of the program's functions"


def doing(node):
    if node.registers:
        return "waits" if node.asleep else "can run, or has ended"
    thread = node.thread()
    return f"runs on thread {thread.num}" if thread is not None else "has not begun"


class Vnode(gdb.Command):
    """Commands for vnode's nodes that are fibers: `vnode nodes`, `vnode backtrace NODE [TEAM]`."""

    def __init__(self):
        super().__init__("vnode", gdb.COMMAND_STACK, prefix=True)


class Nodes(gdb.Command):
    """Lists the nodes that are fibers: what each does, and where in the program it is."""

    def __init__(self):
        super().__init__("vnode nodes", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for node in nodes():
            begun = node.registers or node.thread() is not None
            where = f"  {place(node)}" if begun else ""
            gdb.write(f"team {node.team}  node {node.rank:<5} {doing(node):<22}{where}\n")


class Backtrace(gdb.Command):
    """Shows the frames of a node that is a fiber: vnode backtrace NODE [TEAM], teams as `vnode nodes` numbers them."""

    def __init__(self):
        super().__init__("vnode backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        try:
            rank, team = (gdb.string_to_argv(argument) + ["1"])[:2]
            asked = [node for node in nodes() if node.rank == int(rank) and node.team == int(team)]
        except ValueError:
            asked = []
        if not asked:
            raise gdb.GdbError("vnode backtrace NODE [TEAM]: `vnode nodes` lists what there is")
        with shown(asked[0]):
            if not asked[0].registers and asked[0].thread() is None:
                raise gdb.GdbError(f"node {rank} has not begun")
            lines = gdb.execute("backtrace", to_string=True).splitlines()
            skipped = sum(line.startswith("#0 ") for line in lines[:1]) if asked[0].registers else 0
            gdb.write("\n".join(lines[skipped:]) + "\n")


gdb.unwinder.register_unwinder(None, UNWINDER, replace=True)
Vnode()
Nodes()
Backtrace()
