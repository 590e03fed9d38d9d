"""A text file that is read, changed and written back: its encoding, byte order mark and line ends stay.

Nothing is ever half written: the new content goes into a file beside the old one, is forced to the disk, and then
takes the old one's name. A process that is killed leaves the old file or the new one. The new file has the old one's
owner, mode and extended attributes (access lists among them). Where it cannot have them, or where the old one has other
names (hard links), which would keep the old content, nothing is replaced, and the error says why.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

from exportdb_rules.disk import read_bytes

_LINE_END = re.compile(r"\r\n|\r|\n")


class FileError(Exception):
    """A file that cannot be read or written. The text is a sentence for people, without the file's name."""


@dataclass(frozen=True)
class TextFile:
    """A file as it was read. `text` has its line ends, and no byte order mark: `encoding` says whether there is one."""

    path: Path
    data: bytes
    text: str
    encoding: str


def read_text_file(path: Path) -> TextFile:
    """Read a Python file by its encoding declaration (PEP 263) or byte order mark. Raises FileError."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}") from None
    return decode(path, data)


def decode(path: Path, data: bytes) -> TextFile:
    """The file with this content. Raises FileError where it is no text in the encoding that it claims."""
    if b"\0" in data:
        raise FileError("contains null bytes: not a text file")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except SyntaxError as error:
        raise FileError(f"cannot be decoded: {error.msg}") from None
    except (UnicodeDecodeError, LookupError) as error:
        raise FileError(f"cannot be decoded: {_decode_reason(data, error)}") from None
    return TextFile(path, data, text, encoding)


def dominant_newline(text: str) -> str:
    """The line end that most lines have; `\\n` for a text of one line."""
    ends = _LINE_END.findall(text)
    return max(("\n", "\r\n", "\r"), key=ends.count) if ends else "\n"


def write_back(file: TextFile, text: str, root: Path) -> None:
    """Put `text` in place of the content of a file that was read before.

    Raises:
        FileError: it changed since it was read, is read-only, has other names, lies behind a link that leads out of
            `root`, its encoding cannot express the text, its owner or attributes cannot be kept, or the disk refuses.
            The file is then as it was.
    """
    try:
        data = text.encode(file.encoding)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise FileError(f"not fixed: {character!r} cannot be encoded in {file.encoding}") from None
    # Through a link the file itself is written; the link stays. A folder on the way may be one, too.
    target = Path(os.path.realpath(file.path))
    if not target.is_relative_to(os.path.realpath(root)):
        raise FileError(f"not fixed: a symbolic link to {target}, outside the project")
    try:
        status = target.stat()
        # `os.access` says yes to root whatever the mode is; the mode is the user's wish all the same.
        if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
            raise FileError("not fixed: read-only")
        if status.st_nlink > 1:
            others = _other_names(status.st_nlink - 1)
            raise FileError(f"not fixed: it has {others} (hard links), which would keep the old text; copy it first")
        replace_atomically(target, data, expected=file.data)
    except OSError as error:
        raise FileError(f"not fixed: cannot be written: {error.strerror or error}") from None


def _other_names(count: int) -> str:
    return f"{count} other name{'s' if count > 1 else ''}"


def replace_atomically(target: Path, data: bytes, *, expected: bytes | None = None) -> None:
    """Write a whole file, or leave it as it was.

    Args:
        expected: what the file must hold at the last moment before it is replaced; its owner, mode and attributes are
            then kept. None: anything, or nothing at all; the new file has what a new file has here.

    Raises:
        FileError: the file does not hold what was expected, or the new one cannot have its owner or attributes.
        OSError: the disk refuses.
    """
    # Not `tempfile`: it makes all its files private, and what a new file may be here is for the system to say.
    name = target.with_name(f".{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(name, flags, 0o666 if expected is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if expected is not None:
                _keep(target, name)
            file.flush()
            os.fsync(file.fileno())
        if expected is not None and read_bytes(target) != expected:
            raise FileError("not fixed: the file changed in the meantime")
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _keep(old: Path, new: Path) -> None:
    """Give a new file the owner, the mode and the extended attributes of an old one. Raises FileError, OSError."""
    status = old.stat()
    own = new.stat()
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (own.st_uid, own.st_gid):
        try:
            os.chown(new, status.st_uid, status.st_gid)
        except OSError:
            raise FileError("not fixed: its owner or group cannot be preserved") from None
    # Behind the owner, whose change takes bits of the mode away; before the attributes, which hold the access list.
    os.chmod(new, stat.S_IMODE(status.st_mode))
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(old)
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return
        raise
    for attribute in names:
        try:
            value = os.getxattr(old, attribute)
            if attribute not in os.listxattr(new) or os.getxattr(new, attribute) != value:
                os.setxattr(new, attribute, value)
        except OSError as error:
            why = error.strerror or error
            raise FileError(f"not fixed: its extended attribute {attribute} cannot be preserved: {why}") from None


def _decode_reason(data: bytes, error: UnicodeDecodeError | LookupError) -> str:
    if isinstance(error, UnicodeDecodeError):
        row = data.count(b"\n", 0, error.start) + 1
        return f"byte 0x{data[error.start]:02x} on line {row} is not valid {error.encoding}"
    return str(error)
