"""Requests to the workbench whose answers are recorded: a path and a body, made of the inputs in the current folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Body = dict[str, Any]


def _file(name: str) -> Body:
    return {"name": name, "text": Path(name).read_text(encoding="utf-8")}


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n")[:-1]


def _texts() -> Body:
    return {
        "candidates": {name: _lines(f"{name}.txt") for name in ("alpha", "beta", "gamma")},
        "references": {"1": _lines("ref1.txt"), "3": _lines("ref3.txt")},
        "originals": _lines("originals.txt"),
    }


API_CASES: dict[str, tuple[str, Callable[[], Body]]] = {
    "api-score": (
        "/api/score",
        lambda: {"metrics": ["bleu", "ter", "pinc"], "texts": _texts(), "segments": True, "bootstrap": 50},
    ),
    "api-score-testset": (
        "/api/score",
        lambda: {"metrics": ["chrf"], "testset": _file("testset.jsonl"), "bootstrap": 0},
    ),
    "api-compare": (
        "/api/compare",
        lambda: {
            "metrics": ["bleu", "ter"], "texts": _texts(), "tests": ["bootstrap", "permutation"], "trials": 100,
            "all_pairs": True,
        },
    ),
    "api-explain": (
        "/api/explain",
        lambda: {
            "metrics": ["bleu", "pinc"], "candidate": "he purchased a car", "original": "he bought a car",
            "references": ["he got a car"],
        },
    ),
    "api-correlate": (
        "/api/correlate",
        lambda: {
            "scores": [_file("scores.tsv")], "judgments": _file("judgments.tsv"), "level": "segment", "bootstrap": 50,
        },
    ),
    "api-correlate-rankings": (
        "/api/correlate",
        lambda: {
            "scores": [_file("scores.tsv")], "judgments": _file("rankings.csv"), "pair": "French-English",
            "bootstrap": 0,
        },
    ),
    "changes-api-ter-rankings": (
        "/api/correlate",
        lambda: {"scores": [_file("ter-perfect.tsv")], "judgments": _file("rankings-perfect.csv"), "bootstrap": 0},
    ),
    "api-report": (
        "/api/report",
        lambda: {
            "scores": [_file("system-scores.tsv")], "judgments": _file("judgments.tsv"), "methods": ["spearman"],
            "bootstrap": 0, "disagreements": 1,
        },
    ),
    "api-report-texts": (
        "/api/report",
        lambda: {"metrics": ["bleu", "ter"], "texts": _texts(), "bootstrap": 20},
    ),
    "api-derive": (
        "/api/derive",
        lambda: {
            "source": "he bought the house", "target": "he purchased the house",
            "grammar": {"name": "tiny", "text": "[X] ||| bought ||| purchased\n[X] ||| the house ||| the house\n"},
        },
    ),
    "api-read": ("/api/read", lambda: {"file": _file("testset.sgm")}),
    "judges-api-score": (
        "/api/score",
        lambda: {"metrics": ["pem", "pem+"], "texts": _texts(), "segments": True, "bootstrap": 20},
    ),
}  # fmt: skip
