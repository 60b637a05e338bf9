"""Damage to files: flipped bits, other numbers, missing and added bytes."""

from __future__ import annotations

import random
import struct

NUMBERS = (0, 1, -1, 2, 127, 255, 256, 65535, 2**31 - 1, -(2**31), 2**32, 2**40, 2**62, 2**63 - 1, -(2**63))


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return *data* with one kind of damage."""
    changed = bytearray(data)
    place = rng.randrange(len(data)) if data else 0
    # Headers, and the first and last entries of an array, decide more than the middle.
    if data and rng.random() < 0.4:
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
