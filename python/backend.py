"""Makes the package's wheel for pip (PEP 517), by the standard library alone and without writing where the sources are, so that
pip needs neither a network nor setuptools, and a folder that the user may not write to will do."""

from __future__ import annotations

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile
from typing import Any, Dict

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "0.3.0"
RELEASE = f"vnode-{VERSION}"
INFO = f"{RELEASE}.dist-info"
METADATA = f"""\
Metadata-Version: 2.1
Name: vnode
Version: {VERSION}
Summary: Collective communication between threads as virtual nodes
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == 'numpy'
Description-Content-Type: text/markdown

"""
TAG = "py3-none-any"


def _metadata() -> bytes:
    return METADATA.encode() + (HERE / "README.md").read_bytes()


def _package() -> Dict[str, bytes]:
    """Returns the files of the package by their paths."""
    modules = sorted([*(HERE / "vnode").glob("*.py"), HERE / "vnode" / "py.typed"])
    files = {f"vnode/{module.name}": module.read_bytes() for module in modules}
    for prefix in HERE.parents[3:4]:  # of PREFIX/share/doc/vnode/python
        if (prefix / "bin" / "vnode").is_file():
            files["vnode/prefix"] = f"{prefix}\n".encode()  # where _library.py looks for libvnode
    return files


def _wheel(folder: str, files: Dict[str, bytes]) -> str:
    """Writes a wheel of these files into the folder; returns its name."""
    about = f"Wheel-Version: 1.0\nGenerator: vnode\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    files = {**files, f"{INFO}/METADATA": _metadata(), f"{INFO}/WHEEL": about.encode()}
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{INFO}/RECORD"] = f"{record}{INFO}/RECORD,,\n".encode()
    name = f"{RELEASE}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            member = zipfile.ZipInfo(path)  # with no time, so that equal sources make equal wheels
            member.external_attr = 0o644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    return _wheel(wheel_directory, _package())


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Builds a wheel that leads Python here: `pip install --editable`."""
    return _wheel(wheel_directory, {"vnode.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    own = {name: (HERE / name).read_bytes() for name in ("README.md", "backend.py", "pyproject.toml")}
    name = f"{RELEASE}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as archive:
        for path, content in {"PKG-INFO": _metadata(), **own, **_package()}.items():
            member = tarfile.TarInfo(f"{RELEASE}/{path}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return name
