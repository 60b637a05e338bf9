"""Test sets that sacreBLEU has downloaded, by name: ``wmt21:cs-en``. Nothing is downloaded here.

sacreBLEU keeps one text file per column in the folder ``$SACREBLEU`` (``~/.sacrebleu``):
``wmt21/wmt21.cs-en.src``, ``wmt21/wmt21.cs-en.ref-A``, ... ; from 2021 on, also the output of systems.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from paragauge.corpora.lines import read_filled_lines
from paragauge.corpora.parallel import check_parallel
from paragauge.corpora.testset import TestSet, line_ids
from paragauge.errors import FileError

_NAMED = re.compile(r"([A-Za-z][\w.-]*(?:/[\w.-]+)*):([A-Za-z]{2,4}(?:_\w+)?-[A-Za-z]{2,4}(?:_\w+)?)")
_OTHER_FIELDS = ("docid", "origlang", "domain", "genre")


def is_named(path: object) -> bool:
    """Return whether *path* names one of sacreBLEU's test sets rather than a file.

    >>> is_named("wmt21:cs-en"), is_named("testset.tsv"), is_named("wmt20/tworefs:de-en")
    (True, False, True)
    """
    return isinstance(path, str) and _NAMED.fullmatch(path) is not None and not Path(path).exists()


def read_named_testset(name: str) -> TestSet:
    """Return the test set *name*, such as ``wmt21:cs-en``, from sacreBLEU's folder.

    Raises:
        FileError: It is not there; the message says how to get it.
    """
    match = _NAMED.fullmatch(name)
    assert match is not None  # noqa: S101 - callers ask is_named
    dataset, pair = match.groups()
    folder = sacrebleu_folder() / dataset
    start = f"{dataset.replace('/', '_')}.{pair}."
    files = {path.name.removeprefix(start): path for path in sorted(folder.glob(f"{start}*")) if path.is_file()}
    references = _references(dataset, pair, [field for field in files if re.fullmatch(r"ref(-.*)?", field)])
    if "src" not in files or not references:
        known = sorted(
            {f"{path.parent.name}:{path.name.split('.')[-2]}" for path in sacrebleu_folder().glob("*/*.src")}
        )
        there = f"; on disk: {', '.join(known[:8])}{', …' if len(known) > 8 else ''}" if known else ""
        raise FileError(
            f"{name}: not in sacreBLEU's folder {sacrebleu_folder()}; get it once with: "
            f"sacrebleu -t {dataset} -l {pair} --echo src > /dev/null{there}"
        )
    systems = [
        field for field in files if field != "src" and field not in _OTHER_FIELDS and not field.startswith("ref")
    ]
    columns = {
        field: read_filled_lines(files[field], "one segment on each line", "utf-8")
        for field in ("src", *references, *systems)
    }
    check_parallel([(files[field], lines) for field, lines in columns.items()])
    source, target = pair.split("-", 1)
    return TestSet(
        ids=line_ids(len(columns["src"])),
        name=dataset,
        source_language=source,
        target_language=target,
        originals=columns["src"],
        references={field.removeprefix("ref").removeprefix("-") or "1": columns[field] for field in references},
        candidates={field: columns[field] for field in systems},
    )


def sacrebleu_folder() -> Path:
    """Return the folder in which sacreBLEU keeps its test sets."""
    return Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu")


def _references(dataset: str, pair: str, fields: list[str]) -> list[str]:
    """Return those of the reference *fields* that sacreBLEU uses: some test sets have more than it takes by default."""
    from sacrebleu.dataset import DATASETS

    known = DATASETS.get(dataset)
    if known is None or pair not in known.langpairs:
        return fields
    chosen = known.kwargs.get("refs", [])
    if isinstance(known.langpairs[pair], dict):
        chosen = known.langpairs[pair].get("refs", chosen)
    allowed = [f"ref-{translator}" if translator else "ref" for translator in chosen]
    return [field for field in fields if field in allowed] or fields
