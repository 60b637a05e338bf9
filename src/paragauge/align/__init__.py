"""Word alignment of bitexts, alignment formats and alignment quality.

The package is callable: ``paragauge.align(english, french)`` is `paragauge.align.align`.
"""

import sys
from types import ModuleType

from paragauge.align.aligned import AlignedText
from paragauge.align.aligner import Aligner, align
from paragauge.align.alignment import Alignment, read_pharaoh, write_pharaoh
from paragauge.align.annotated import AlignedPairs, read_aligned_pairs, write_aligned_pairs
from paragauge.align.basic import basic_phrase_pairs
from paragauge.align.gold import GoldAlignment, read_gold, write_gold
from paragauge.align.options import METHODS, AlignerOptions
from paragauge.align.quality import AlignmentQuality, alignment_error_rate, alignment_quality
from paragauge.align.symmetrize import SYMMETRIZATIONS, symmetrize, symmetrize_all
from paragauge.align.training import Iteration
from paragauge.storage.links import Link

__all__ = [
    "METHODS",
    "SYMMETRIZATIONS",
    "AlignedPairs",
    "AlignedText",
    "Aligner",
    "AlignerOptions",
    "Alignment",
    "AlignmentQuality",
    "GoldAlignment",
    "Iteration",
    "Link",
    "align",
    "alignment_error_rate",
    "alignment_quality",
    "basic_phrase_pairs",
    "read_aligned_pairs",
    "read_gold",
    "read_pharaoh",
    "symmetrize",
    "symmetrize_all",
    "write_aligned_pairs",
    "write_gold",
    "write_pharaoh",
]


class _CallablePackage(ModuleType):
    """Lets users write ``pg.align(...)`` for the function and ``pg.align.Aligner`` for other names in the package."""

    __call__ = staticmethod(align)


sys.modules[__name__].__class__ = _CallablePackage
