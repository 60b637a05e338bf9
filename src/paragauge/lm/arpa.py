"""ARPA files: the text format of back-off models, read and written, gzipped or not.

Errors in a file are reported with their line. As in KenLM, ``<UNK>`` means ``<unk>``; a model without it gets one with
log10 p = -100; and n-grams that are missing although longer ones end with them, as happens after pruning, are filled in
with their back-off probability. Both are logged.
"""

from __future__ import annotations

import gzip
import logging
import zlib

from paragauge.errors import DataError
from paragauge.io import PathLike, atomic_output, display_name, open_binary
from paragauge.lm.counts import UNKNOWN_WORD
from paragauge.lm.model import LanguageModel, ModelArrays
from paragauge.threads import thread_count

KENLM_BINARY = b"mmap lm http://kheafield.com/code"  # how KenLM's binary files begin

_BLOCK = 1 << 22
_UNWRITABLE = b" \t\n\r\0"

logger = logging.getLogger(__name__)


def read_arpa(path: PathLike) -> LanguageModel:
    """Return the model in the ARPA file *path* (``-`` for standard input), gzipped or not.

    Raises:
        FileError: The file cannot be read.
        DataError: It is not a valid ARPA file; the message names the line.
    """
    from paragauge._core import ArpaReader

    reader = ArpaReader()
    name = display_name(path)
    try:
        with open_binary(path) as file:
            block = file.read(_BLOCK)
            _check_head(block, name)
            while block:
                reader.feed(block)
                block = file.read(_BLOCK)
        vocabulary, model, filled, unknown_missing = reader.finish()
    except EOFError as error:
        raise DataError("gzip data ends early; the copy may be incomplete", path=name) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"gzip data is damaged ({error}); copy or make the file again", path=name) from error
    except ValueError as error:
        if isinstance(error, DataError) or len(error.args) != 2:
            raise
        line, message = error.args
        raise DataError(message, path=name, line=line) from error
    if unknown_missing:
        logger.warning("%s: the model has no %s; unknown words get log10 p = -100", name, UNKNOWN_WORD)
    if filled:
        logger.warning("%s: %d n-gram(s) were missing although longer ones end with them; filled in", name, filled)
    return LanguageModel(ModelArrays.assembled(vocabulary, model))


def _check_head(block: bytes, name: str) -> None:
    if block.startswith(KENLM_BINARY):
        raise DataError(
            "found a KenLM binary file, expected ARPA; open it with paragauge.lm.open_model (needs the extra kenlm)",
            path=name,
        )
    if b"\0" in block[:1024]:
        raise DataError("found a binary file, expected ARPA, which is text", path=name)


def write_arpa(model: LanguageModel, path: PathLike, *, threads: int | None = None) -> None:
    """Write *model* as an ARPA file, atomically; gzipped if *path* ends in ``.gz``.

    Numbers are written in the shortest form that reads back unchanged, so ``read_arpa`` returns the same model. The
    text pipeline is not part of an ARPA file. The number of *threads* (None means all cores) does not affect the file.

    Raises:
        FileError: The file cannot be written.
        DataError: A word is empty or contains white space, which ARPA cannot hold.
    """
    from paragauge._core import ArpaWriter

    _check_words(model)
    writer = ArpaWriter(model._queries, list(model.sizes), thread_count(threads))
    with atomic_output(path) as file:
        while block := writer.next():
            file.write(block)


def _check_words(model: LanguageModel) -> None:
    import numpy as np

    arrays = model.arrays
    unwritable = np.isin(arrays.word_bytes, np.frombuffer(_UNWRITABLE, dtype=np.uint8))
    if not unwritable.any() and (np.diff(arrays.word_offsets) > 0).all():
        return
    for word in model.vocabulary:
        if not word or any(chr(byte) in word for byte in _UNWRITABLE):
            raise DataError(
                f"the word {word!r} is empty, or contains white space or a null character, which ARPA cannot hold"
            )
