"""N-gram language models: estimation, files and queries.

``train_lm`` trains a model, ``open_model`` opens a model file of any kind, ``LanguageModel`` scores text.
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
