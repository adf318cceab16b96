"""`pip install ./python` needs no compiler, and what it installs is what is here."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

PYTHON = pathlib.Path(__file__).resolve().parent.parent


@pytest.mark.skipif(importlib.util.find_spec("pip") is None or importlib.util.find_spec("setuptools") is None
                    or importlib.util.find_spec("wheel") is None, reason="pip, setuptools or wheel is not installed")
def test_pip_installs_the_package_without_a_compiler(tmp_path):
    source = tmp_path / "python"
    shutil.copytree(PYTHON, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--quiet", "--target",
         str(tmp_path / "site"), str(source)], capture_output=True, text=True,
        env={**os.environ, "CC": "/bin/false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    assert done.returncode == 0, done.stderr
    installed = {file.name for file in (tmp_path / "site" / "vnode").iterdir()}
    assert {file.name for file in (PYTHON / "vnode").iterdir() if file.name != "__pycache__"} <= installed
    told = subprocess.run([sys.executable, "-c", "import vnode; print(vnode.__file__, vnode.Team(2).run(lambda me: me.rank))"],
                          capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "site")})
    assert str(tmp_path / "site") in told.stdout and "[0, 1]" in told.stdout, told.stderr


def test_a_library_that_is_missing_is_named(tmp_path):
    told = subprocess.run([sys.executable, "-c", "import vnode"], capture_output=True, text=True,
                          env={**os.environ, "VNODE_LIBRARY": str(tmp_path / "libvnode.so")})
    assert f"{tmp_path}/libvnode.so: there is no such file" in told.stderr and "VNODE_LIBRARY" in told.stderr
    (tmp_path / "libvnode.so").write_text("no library")
    told = subprocess.run([sys.executable, "-c", "import vnode"], capture_output=True, text=True,
                          env={**os.environ, "VNODE_LIBRARY": str(tmp_path / "libvnode.so")})
    assert "ImportError" in told.stderr and "invalid ELF header" in told.stderr or "too short" in told.stderr
