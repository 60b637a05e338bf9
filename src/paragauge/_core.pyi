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
def pairwise_overlap(
    candidate_ids: NDArray[np.int32],
    candidate_offsets: NDArray[np.int64],
    reference_ids: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
    max_order: int,
) -> NDArray[np.int64]: ...
