"""Text to probabilities of word sequences: n-gram models, their estimation, their files.

``train_lm`` makes a model, ``open_model`` opens one from any file that holds one, ``LanguageModel`` answers.
"""

from paragauge.lm.kenlm import KenlmModel
from paragauge.lm.model import LanguageModel, NgramModel, Scores, State, WordScore
from paragauge.lm.opening import open_model
from paragauge.lm.train import SMOOTHINGS, train_lm

__all__ = [
    "SMOOTHINGS",
    "KenlmModel",
    "LanguageModel",
    "NgramModel",
    "Scores",
    "State",
    "WordScore",
    "open_model",
    "train_lm",
]
