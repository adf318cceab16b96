"""The package's types, as a checker sees them."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

PYTHON = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def mypy():
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")


def check(tmp_path, *arguments):
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), *arguments], cwd=PYTHON,
                          capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PYTHON)})
    return done.stdout + done.stderr


def test_the_package_is_clean_under_strict(tmp_path):
    assert "Success" in check(tmp_path, "--strict", "vnode")


def test_results_have_the_types_that_go_in(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent("""
        import vnode

        def body(me: vnode.Node) -> float:
            total: float = me.all_reduce(1.0, "sum")
            count: int = me.recv(int, 0)
            with me.mprobe(vnode.any_source, vnode.any_tag) as message:
                count = message.recv(int)
            came: vnode.Received = me.recv(bytearray(8), message.info.source)
            request: vnode.Request = me.nonblocking().broadcast(total)
            planned: vnode.Persistent = me.persistent().barrier()
            wrong: str = me.all_reduce(1.0, "sum")
            return total

        numbers: list[float] = vnode.Team(2).run(body)
        also_wrong: list[str] = vnode.Team(2).run(body)
    """))
    said = check(tmp_path, "--strict", "--config-file", str(PYTHON / "pyproject.toml"), str(program))
    lines = [line for line in said.splitlines() if "error" in line and "program.py" in line]
    assert len(lines) == 2 and ":12:" in lines[0] and ":16:" in lines[1], said
