"""One function that opens any resource folder, by the kind given in its manifest."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from paragauge.errors import DataError, FileError
from paragauge.io import PathLike
from paragauge.resource import kind_of

# Module and class for each kind; the class method ``open`` takes the folder.
CLASSES = {
    "aligner": "paragauge.align.aligner:Aligner",
    "blend-model": "paragauge.metrics.blend.model:BlendModel",
    "fluency-model": "paragauge.judges.fluency:FluencyModel",
    "grammar": "paragauge.grammar.grammar:Grammar",
    "judges": "paragauge.judges.model:JudgeModel",
    "language-model": "paragauge.lm.model:LanguageModel",
    "lexicon": "paragauge.analysis.lexicon:Lexicon",
    "link-model": "paragauge.monolingual.networks:LinkNetworks",
    "paraphrase-table": "paragauge.phrases.paraphrases:ParaphraseTable",
    "pem-model": "paragauge.metrics.pem.model:PemModel",
    "phrase-table": "paragauge.phrases.table:PhraseTable",
}


def open(path: PathLike) -> Any:
    """Open a folder that paragauge wrote: a table, a grammar, a language model, an aligner, a PEM model.

    Returns:
        An object of the class for the folder's kind, such as `PhraseTable`.

    Raises:
        FileError: There is no such folder.
        DataError: It is not a resource, or it is damaged.
    """
    folder, name = Path(path), os.fspath(path)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise FileError(f"{name}: {what}, expected a folder made by paragauge")
    kind = kind_of(folder)
    if kind not in CLASSES:
        found = "has no readable manifest.json" if kind is None else f"has the unknown kind {kind}"
        raise DataError(f"{found}, expected a folder of one of the kinds {', '.join(CLASSES)}", path=name)
    module, _, attribute = CLASSES[kind].partition(":")
    return getattr(import_module(module), attribute).open(path)
