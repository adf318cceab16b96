"""`pip install ./python` needs no compiler, no network and no right to write there, and what it installs is what is here."""

import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import pytest

import vnode

PYTHON = pathlib.Path(__file__).resolve().parent.parent
NOBODY = 65534
needs_pip = pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="pip is not installed")
KEEP_OUT = shutil.ignore_patterns("__pycache__", "tests")


def pip(*arguments, home, **settings):
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True, cwd=home, **settings,
                          env={**os.environ, "CC": "/bin/false", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "HOME": str(home)})
    assert done.returncode == 0, done.stdout + done.stderr


def imported(site, folder):
    """Returns what a program prints that finds the package there."""
    told = subprocess.run([sys.executable, "-c", "import vnode; print(vnode.__file__, vnode.Team(2).run(lambda me: me.rank))"],
                          capture_output=True, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": str(site)})
    assert told.returncode == 0, told.stderr
    return told.stdout


@pytest.fixture
def own_folder():
    """Returns a folder that everybody may enter, which pytest's are not."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


@needs_pip
def test_pip_installs_from_a_folder_that_belongs_to_somebody_else(own_folder):
    source, home = own_folder / "python", own_folder / "home"
    shutil.copytree(PYTHON, source, ignore=KEEP_OUT)
    home.mkdir()
    other = {}
    if os.geteuid() == 0:
        os.chown(home, NOBODY, NOBODY)
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    for folder in (source, *(path for path in source.rglob("*") if path.is_dir())):
        folder.chmod(0o555)
    try:
        pip("install", "--no-index", "--quiet", "--target", str(home / "site"), str(source), home=home, **other)
    finally:
        for folder in (source, *(path for path in source.rglob("*") if path.is_dir())):
            folder.chmod(0o755)
    installed = {file.name for file in (home / "site" / "vnode").iterdir()}
    assert {file.name for file in (PYTHON / "vnode").iterdir() if file.name != "__pycache__"} <= installed
    assert str(home / "site") in imported(home / "site", home)


@needs_pip
def test_the_library_is_found_below_the_prefix_that_the_package_is_in_or_came_from(tmp_path):
    prefix = tmp_path / "prefix"
    source = prefix / "share" / "doc" / "vnode" / "python"
    shutil.copytree(PYTHON, source, ignore=KEEP_OUT)
    for named, copy in (("VNODE_LIBRARY", prefix / "lib" / "libvnode.so.0.3"), ("VNODE_PROGRAM", prefix / "bin" / "vnode")):
        copy.parent.mkdir()
        shutil.copy(os.environ[named], copy)
    pip("install", "--no-index", "--quiet", "--target", str(tmp_path / "site"), str(source), home=tmp_path)
    for path in (source, tmp_path / "site"):
        told = subprocess.run([sys.executable, "-c", "import vnode; print(vnode._libvnode._name, vnode.lab.program())"],
                              capture_output=True, text=True, cwd=tmp_path, env={"PATH": "/bin", "PYTHONPATH": str(path)})
        assert told.stdout.split() == [f"{prefix}/lib/libvnode.so.0.3", f"{prefix}/bin/vnode"], told.stdout + told.stderr


@needs_pip
def test_pip_leaves_nothing_where_the_sources_are(tmp_path):
    source = tmp_path / "python"
    shutil.copytree(PYTHON, source, ignore=KEEP_OUT)
    before = sorted(source.rglob("*"))
    pip("install", "--no-index", "--quiet", "--target", str(tmp_path / "site"), str(source), home=tmp_path)
    assert [path for path in sorted(source.rglob("*")) if "__pycache__" not in path.parts] == before
    assert "[0, 1]" in imported(tmp_path / "site", tmp_path)
    pip("install", "--no-index", "--quiet", "--target", str(tmp_path / "editable"), "--editable", str(source), home=tmp_path)
    assert (tmp_path / "editable" / "vnode.pth").read_text().strip() == str(source)


def test_the_wheel_records_what_it_has_and_the_library_s_version(tmp_path):
    of = importlib.util.spec_from_file_location("backend", PYTHON / "backend.py")
    backend = importlib.util.module_from_spec(of)
    of.loader.exec_module(backend)
    wheel = zipfile.ZipFile(tmp_path / backend.build_wheel(str(tmp_path)))
    assert f"\nVersion: {vnode.__version__}\n" in wheel.read(f"vnode-{vnode.__version__}.dist-info/METADATA").decode()
    rows = [row.split(",") for row in wheel.read(f"{backend.INFO}/RECORD").decode().split()]
    assert [row[0] for row in rows] == wheel.namelist()
    for path, digest, size in rows[:-1]:
        content = wheel.read(path)
        assert int(size) == len(content)
        assert digest == "sha256=" + backend.base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    with tarfile.open(tmp_path / backend.build_sdist(str(tmp_path))) as sources:
        assert {"backend.py", "pyproject.toml", "PKG-INFO", "vnode/_team.py"} <= {
            member.name.split("/", 1)[1] for member in sources}


def test_a_library_that_is_missing_is_named(tmp_path):
    told = subprocess.run([sys.executable, "-c", "import vnode"], capture_output=True, text=True,
                          env={**os.environ, "VNODE_LIBRARY": str(tmp_path / "libvnode.so")})
    assert f"{tmp_path}/libvnode.so: there is no such file" in told.stderr and "VNODE_LIBRARY" in told.stderr
    (tmp_path / "libvnode.so").write_text("no library")
    told = subprocess.run([sys.executable, "-c", "import vnode"], capture_output=True, text=True,
                          env={**os.environ, "VNODE_LIBRARY": str(tmp_path / "libvnode.so")})
    assert "ImportError" in told.stderr and "invalid ELF header" in told.stderr or "too short" in told.stderr
