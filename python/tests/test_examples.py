"""The examples run, and check their own answers."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import vnode
from vnode import lab

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def run(name, *arguments):
    done = subprocess.run([sys.executable, "-X", "faulthandler", str(EXAMPLES / name), *map(str, arguments)],
                          capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def has_program():
    try:
        return bool(lab.program())
    except vnode.SystemError:
        return False


needs_program = pytest.mark.skipif(not has_program(), reason="the program vnode is not there")


def test_hello():
    assert run("hello.py") == "hello from 8 nodes: 3 from each makes 24\n"


@pytest.mark.parametrize("nodes", [1, 3, 4])
def test_data_parallel_sgd(nodes):
    assert "the same weights" in run("data_parallel_sgd.py", nodes, 24)


@needs_program
def test_laboratory(tmp_path):
    assert "the laboratory is open" in run("laboratory.py", tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["machine.svg", "own.svg", "rounds.svg", "time.svg"]


@needs_program
def test_placement_sweep(tmp_path):
    told = run("placement_sweep.py", tmp_path / "plot.svg")
    assert "banks peer" in told and "pages of the outputs" in told
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "plot.svg").stat().st_size > 1000
    else:
        assert "matplotlib is not installed" in told


def test_call_overhead():
    assert "all_reduce of an array" in run("call_overhead.py", 20)


def test_the_readme_shows_hello():
    """What the documents show is what runs."""
    document = (EXAMPLES.parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    program = (EXAMPLES / "hello.py").read_text(encoding="utf-8").split('"""\n', 1)[1].strip()
    assert program in document
