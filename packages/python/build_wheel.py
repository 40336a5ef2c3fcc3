"""Builds the package with the standard library (PEP 517), so that pip installs it offline and without setuptools."""

import base64
import hashlib
import pathlib
import re
import zipfile

ROOT = pathlib.Path(__file__).parent
# 1980 is the earliest date of a ZIP file. A fixed date gives the same wheel for the same sources.
DATE = (1980, 1, 1, 0, 0, 0)


def _metadata():
    """The string fields of pyproject.toml, parsed without tomllib, which requires Python 3.11."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return {key: value for key, value in re.findall(r'^([\w-]+) = "(.*)"$', text, re.M)}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into a folder and returns its name."""
    about = _metadata()
    stem = f"{about['name'].replace('-', '_')}-{about['version']}"
    info = f"{stem}.dist-info"
    files = {f"atelier_client/{path.name}": path.read_bytes() for path in sorted((ROOT / "atelier_client").glob("*.py"))}
    files["atelier_client/py.typed"] = b""
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\nSummary: {about['description']}\n"
        f"License: Apache-2.0\nRequires-Python: {about['requires-python']}\nDescription-Content-Type: text/markdown\n\n"
        + (ROOT / "README.md").read_text(encoding="utf-8")
    ).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: atelier\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{info}/RECORD"
    files[record] = "".join(_record(name, content) for name, content in files.items()).encode() + f"{record},,\n".encode()
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, DATE), content, zipfile.ZIP_DEFLATED)
    return name


def _record(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"
