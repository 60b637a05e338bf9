"""Damage to files: flipped bits, other numbers, missing and added bytes."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable

NUMBERS = (0, 1, -1, 2, 127, 255, 256, 65535, 2**31 - 1, -(2**31), 2**32, 2**40, 2**62, 2**63 - 1, -(2**63))
TEXT_NUMBERS = (
    b"0", b"-1", b"1", b"2", b"0.5", b"-0.0", b"1e-320", b"1e308", b"-1e308", b"1e999", b"-1e999", b"NaN", b"Infinity",
    b"2147483648", b"9223372036854775808", b"1" + b"0" * 40, b"9" * 5000, b"null", b"true", b'""', b'"x"', b"[]", b"{}",
    b"[" * 100_000, b'"\\ud800"', b'"a\\u0000b"', b"",
)  # fmt: skip


def different(data: bytes, rng: random.Random, damage: Callable[[bytes, random.Random], bytes]) -> bytes:
    """Return what *damage* makes of *data*, once it makes something else of it: zeros over zeros are no mutation."""
    while (changed := damage(data, rng)) == data:
        pass
    return changed


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Return *data* with one flipped bit behind its header: the size stays, and most often another number comes out."""
    begin = _end_of_header(data)
    place = rng.randrange(begin if begin < len(data) else 0, len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def renumbered(data: bytes, rng: random.Random) -> bytes:
    """Return *data* with another number in it.

    Of an array of whole numbers (``.npy``), most often the first or the last; of text, any. Other data as `mutated`.
    """
    if is_text(data):
        found = rng.choice([*re.finditer(rb"[-+]?[0-9][-+.0-9eE]*", data)] or [None])
        if found is not None:
            return data[: found.start()] + rng.choice(TEXT_NUMBERS) + data[found.end() :]
    found = re.search(rb"'descr': '[<|][iu]([1248])'", data[:128])
    begin = _end_of_header(data)
    width = int(found[1]) if found else 0
    if not width or len(data) < begin + width:
        return mutated(data, rng)
    count = (len(data) - begin) // width
    at = begin + width * rng.choice([0, min(1, count - 1), max(count - 2, 0), count - 1, rng.randrange(count)])
    number = rng.choice([*NUMBERS, count, count + 1]) % (1 << (8 * width))
    return data[:at] + number.to_bytes(width, "little") + data[at + width :]


def is_text(data: bytes) -> bool:
    """Return whether *data* is UTF-8 without control characters but line ends and tabs."""
    try:
        return not re.search(r"[\x00-\x08\x0e-\x1f]", data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _end_of_header(data: bytes) -> int:
    """Return where the numbers of a ``.npy`` file begin, or 0 for other files."""
    return 10 + int.from_bytes(data[8:10], "little") if data.startswith(b"\x93NUMPY\x01") else 0


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return *data* with one kind of damage."""
    changed = bytearray(data)
    place = rng.randrange(len(data)) if data else 0
    # The last bytes of a Parquet file say where its columns are and what they hold.
    if data.endswith(b"PAR1") and len(data) > 12 and rng.random() < 0.5:
        place = max(len(data) - 8 - rng.randrange(1 + int.from_bytes(data[-8:-4], "little")), 0)
    # Headers, and the first and last entries of an array, decide more than the middle.
    elif data and rng.random() < 0.4:
        place = rng.choice([rng.randrange(min(256, len(data))), len(data) - 1 - rng.randrange(min(64, len(data)))])
    way = rng.randrange(8)
    if not data or way == 0:
        return bytes(changed) + rng.randbytes(rng.choice([1, 8, 100]))
    if way in (1, 2):
        changed[place] ^= 1 << rng.randrange(8)
    elif way == 3:
        changed[place] = rng.randrange(256)
    elif way == 4:
        del changed[place:]
    elif way == 5:
        del changed[place : place + rng.choice([1, 4, 8, 64])]
    elif way == 6:
        width = rng.choice([4, 8])
        number = rng.choice([*NUMBERS, len(data), len(data) + 1]) % (1 << (8 * width))
        at = place - place % width if rng.random() < 0.8 else place
        changed[at : at + width] = struct.pack("<Q", number)[:width]
    else:
        size = rng.choice([1, 16, 128, 4096])
        other = rng.randrange(len(data))
        changed[place : place + size] = data[other : other + size] if rng.random() < 0.5 else bytes(size)
    return bytes(changed)
