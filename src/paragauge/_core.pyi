import numpy as np
from numpy.typing import NDArray

def ngram_overlap(
    candidate_ids: NDArray[np.int32],
    candidate_offsets: NDArray[np.int64],
    reference_ids: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
    groups: NDArray[np.int64],
    max_order: int,
) -> NDArray[np.int64]: ...
def leave_one_out_overlap(ids: NDArray[np.int32], offsets: NDArray[np.int64], max_order: int) -> NDArray[np.int64]: ...
def parse_pharaoh(text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64], int, int]: ...

class LexicalCounts:
    def __init__(self) -> None: ...
    def add(
        self,
        source_ids: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target_ids: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        links: NDArray[np.int32],
        link_offsets: NDArray[np.int64],
    ) -> None: ...
    def direct(self, source: int, target: int) -> float: ...
    def inverse(self, source: int, target: int) -> float: ...
    @property
    def pairs(self) -> int: ...

def extract_phrases(
    source_ids: NDArray[np.int32],
    source_offsets: NDArray[np.int64],
    target_ids: NDArray[np.int32],
    target_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    source_text: NDArray[np.uint8],
    source_text_offsets: NDArray[np.int64],
    target_text: NDArray[np.uint8],
    target_text_offsets: NDArray[np.int64],
    lexical: LexicalCounts | None,
    first: int,
    max_length: int,
    alignments: bool,
    max_rows: int,
    threads: int,
) -> tuple[
    int,
    tuple[NDArray[np.uint8], NDArray[np.int64]],
    tuple[NDArray[np.uint8], NDArray[np.int64]],
    tuple[NDArray[np.uint8], NDArray[np.int64]],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...
def invert_pairs(
    targets: NDArray[np.int32], counts: NDArray[np.int64], target_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class PhraseIndex:
    def __init__(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def find(self, phrase: str) -> int: ...
    def find_all(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int64]: ...
    def segment(
        self,
        counts: NDArray[np.int64],
        total: float,
        unseen: float,
        max_length: int,
        text: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...

class PhraseNumbers:
    def __init__(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def number(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int32]: ...
