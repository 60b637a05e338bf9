"""Who did what to whom: predicates of English sentences with their PropBank rolesets and arguments.

The labeller works on tags, lemmas and dependencies of any provider. Four linear models over hashed features decide
which words are predicates, which of its lemma's rolesets each has, which role each of the spans around it plays, and
how that changes beside the other arguments of the sentence; two small networks have an equal say in the third.
Spans are subtrees: of the predicate's children and grandchildren, of words above it and of their other children. The
roles chosen are the most probable together; none overlaps another, and numbered roles occur once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.model import read_blocks, write_blocks
from paragauge.analysis.sentence import Analysis
from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike
from paragauge.resource import SHIPPED
from paragauge.threads import thread_count

ROLES_FILE = SHIPPED / "analysis" / "roles.bin"

_MAGIC = b"PGROLES3"
_WHAT = "a model file for English roles"
_BLOCKS = ("predicates", "senses", "roles", "network", "revision", "classes")
_PREDICATE_TAGS = ("VB", "NN", "JJ", "MD", "GW", "AFX", "FW", "IN", "RB", "UH", "HYPH")
_PROPER = ("NNP", "NNPS")
_MAY_BE, _MARK, _COMMA, _VERB, _QUESTION = 1, 2, 4, 8, 16  # the native core names these bits, too
_LETTERS = {"V": "v", "N": "n", "J": "j"}


@dataclass(frozen=True, slots=True)
class Argument:
    """Words from *begin* to *end* and their *role*, such as ``ARG0`` or ``ARGM-TMP``."""

    role: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate: the position of its word, its roleset such as ``buy.01``, and its arguments from left to right."""

    word: int
    roleset: str
    arguments: tuple[Argument, ...]

    @property
    def lemma(self) -> str:
        """The roleset without its number."""
        return self.roleset.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The weights of the labeller and the names of what they stand for."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]
    roles: tuple[str, ...]
    """Roles; the first means none."""
    rolesets: Mapping[str, tuple[str, ...]]
    """Rolesets of a lemma and part of speech (``buy v``), the most frequent first."""
    least: int
    """The least probability of an argument, in thousandths."""
    notes: Mapping[str, Any]
    blocks: Mapping[str, NDArray[np.uint8]]
    digest: str

    @classmethod
    def read(cls, path: PathLike) -> RoleModel:
        """Map the model file *path*.

        Raises:
            FileError: It cannot be read.
            DataError: It is not a model file, or is damaged.
        """
        meta, blocks, digest = read_blocks(path, _MAGIC, _WHAT, _BLOCKS)
        try:
            tags, relations, roles = (tuple(map(str, meta[key])) for key in ("tags", "relations", "roles"))
            rolesets = {str(key): tuple(map(str, found)) for key, found in meta["rolesets"].items()}
            return cls(tags, relations, roles, rolesets, int(meta["least"]), dict(meta["notes"]), blocks, digest)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise DataError(f"the names in the model file cannot be read ({error})", path=str(path)) from error


def write_role_model(path: PathLike, meta: Mapping[str, Any], blocks: Mapping[str, bytes]) -> None:
    """Write a model file of roles; the same contents give the same bytes."""
    write_blocks(path, _MAGIC, meta, blocks)


@dataclass(frozen=True, eq=False)
class RoleLabeller:
    """Finds predicates and arguments in analysed sentences.

    >>> from paragauge.analysis import provider
    >>> analyses = provider("builtin").analyse([["Mary", "gave", "him", "a", "book"]], lemmas=True, dependencies=True)
    >>> [[predicate]] = RoleLabeller.load().label(analyses)
    >>> predicate.roleset, [argument.role for argument in predicate.arguments]
    ('give.01', ['ARG0', 'ARG2', 'ARG1'])
    """

    model: RoleModel

    @classmethod
    def load(cls, path: str | Path = ROLES_FILE) -> RoleLabeller:
        """Return the labeller with the model file *path*, by default the one that ships with paragauge."""
        return _shipped() if path == ROLES_FILE else cls(RoleModel.read(path))

    @property
    def signature(self) -> str:
        """What signatures say of the labeller."""
        return f"roles-{self.model.digest}"

    @cached_property
    def _native(self) -> _core.RoleAnalyser:
        try:
            return _core.RoleAnalyser(
                predicates=self.model.blocks["predicates"],
                senses=self.model.blocks["senses"],
                roles=self.model.blocks["roles"],
                network=self.model.blocks["network"],
                revision=self.model.blocks["revision"],
                classes=self.model.blocks["classes"],
                single=single_roles(self.model.roles),
                tag_uses=tag_uses(self.model.tags),
                least=self.model.least,
            )
        except ValueError as error:
            raise DataError(f"the model file is damaged: {error}") from error

    def label(
        self,
        analyses: Iterable[Analysis],
        *,
        predicates: Sequence[Sequence[int]] | None = None,
        threads: int | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """Return the predicates of each sentence, in order.

        Args:
            analyses: Sentences with tags and dependencies; lemmas are added where there are none.
            predicates: Positions of the predicates of each sentence, if they are known: only rolesets and arguments are
                found.
            threads: All cores by default. The result is the same for any number.

        Raises:
            OptionError: An analysis has no tags or no dependencies.
        """
        sentences = list(analyses)
        given = None
        if predicates is not None:
            rows = [(number, word) for number, words in enumerate(predicates) for word in words]
            given = np.array(rows, dtype=np.int32).reshape(-1, 2)
        parsed, keys = self.parsed(sentences)
        found, arguments = self._native.label(parsed, given=given, threads=thread_count(threads))
        by_predicate: list[list[Argument]] = [[] for _ in range(len(found))]
        for owner, begin, end, role in arguments.tolist():
            by_predicate[owner].append(Argument(self.model.roles[role], begin, end))
        results: list[list[Predicate]] = [[] for _ in sentences]
        for (number, word, sense), own in zip(found.tolist(), by_predicate, strict=True):
            roleset = self._roleset(keys[number][word], sense)
            results[number].append(Predicate(word, roleset, tuple(own)))
        return [tuple(each) for each in results]

    def parsed(self, analyses: Sequence[Analysis]) -> tuple[_core.ParsedTexts, list[list[str]]]:
        """Return the sentences in the form that the native core takes, and the key of each word in `rolesets`."""
        return parsed_texts(analyses, self.model.tags, self.model.relations, self.model.rolesets)

    def _roleset(self, key: str, sense: int) -> str:
        known = self.model.rolesets.get(key)
        return known[min(sense, len(known) - 1)] if known else f"{key.rpartition(' ')[0]}.01"


@lru_cache(maxsize=1)
def _shipped() -> RoleLabeller:
    return RoleLabeller(RoleModel.read(ROLES_FILE))


def sense_key(lemma: str, tag: str) -> str:
    """Return the key of a word in the table of rolesets: its lemma and part of speech."""
    return f"{lemma} {_LETTERS.get(tag[:1], 'x')}"


def parsed_texts(
    analyses: Sequence[Analysis],
    tags: Sequence[str],
    relations: Sequence[str],
    rolesets: Mapping[str, Sequence[str]],
) -> tuple[_core.ParsedTexts, list[list[str]]]:
    """Return sentences in the form that the native core takes, and the key of each word in *rolesets*."""
    tag_numbers = {name: number for number, name in enumerate(tags)}
    relation_numbers = _Relations(relations)
    lexicon = Lexicon.load()
    lemmas, keys = [], []
    for number, analysis in enumerate(analyses, start=1):
        if analysis.tags is None or analysis.heads is None:
            raise OptionError(f"sentence {number} has no tags or no dependencies, and roles need both")
        own = analysis.lemmas or lexicon.lemmas(analysis.words, analysis.tags)
        lemmas.append(own)
        keys.append(list(map(sense_key, own, analysis.tags)))
    unknown = len(tags)  # a tag that the model has never seen
    parsed = _core.ParsedTexts(
        sentences=[analysis.words for analysis in analyses],
        lemmas=lemmas,
        tags=_flat((tag_numbers.get(tag, unknown) for each in analyses for tag in each.tags or ()), np.uint8),
        heads=_flat((head for each in analyses for head in _one_root(each.heads or ())), np.int32),
        relations=_flat((relation_numbers[name] for each in analyses for name in each.relations or ()), np.uint8),
        sense_counts=_flat((min(255, len(rolesets.get(key, ()))) for own in keys for key in own), np.uint8),
    )
    return parsed, keys


class _Relations(dict[str, int]):
    """Numbers of relations; one that the model does not know is taken without its subtype, or as the first."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__((name, number) for number, name in enumerate(names))

    def __missing__(self, name: str) -> int:
        found = self[name] = self.get(name.partition(":")[0], 0)
        return found


def _one_root(heads: Sequence[int]) -> Iterator[int]:
    """Yield the heads with all roots but the first below it: a sentence in pieces is one tree."""
    root = -1
    for word, head in enumerate(heads):
        yield root if head < 0 else head
        if head < 0 and root < 0:
            root = word


def _flat(values: Iterable[int], kind: type[np.generic]) -> NDArray[Any]:
    return np.fromiter(values, dtype=kind)


def single_roles(roles: Sequence[str]) -> NDArray[np.uint8]:
    """Return for each role whether a predicate has it at most once: numbered ones."""
    return np.array([role.startswith("ARG") and role[3:4] in "012345A" for role in roles], dtype=np.uint8)


def tag_uses(tags: Sequence[str]) -> NDArray[np.uint8]:
    """Return for each of 256 tags what its words are, as bits: perhaps predicates, punctuation, verbs and so on."""
    uses = np.zeros(256, dtype=np.uint8)
    for number, tag in enumerate(tags):
        if not tag[:1].isalpha() or tag in ("NFP", "-LRB-", "-RRB-"):
            uses[number] = _MARK | (_COMMA if tag == "," else 0)
        elif tag.startswith(_PREDICATE_TAGS) and tag not in _PROPER:
            uses[number] = _MAY_BE | (_VERB if tag.startswith("V") else 0)
        elif tag.startswith("W"):
            uses[number] = _QUESTION
    return uses


def role_columns(analysis: Analysis, predicates: Sequence[Predicate]) -> Iterator[str]:
    """Yield a sentence in columns as in CoNLL-2012: number, word, tag, roleset, and one column for each predicate."""
    columns = [_brackets(len(analysis.words), predicate) for predicate in predicates]
    rolesets = {predicate.word: predicate.roleset for predicate in predicates}
    for place, word in enumerate(analysis.words):
        tag = (analysis.tags or ("_",) * len(analysis.words))[place]
        cells = [str(place), word, tag, rolesets.get(place, "-"), *(column[place] for column in columns)]
        yield "\t".join(cells)
    yield ""


def _brackets(count: int, predicate: Predicate) -> list[str]:
    cells = ["*"] * count
    for argument in (*predicate.arguments, Argument("V", predicate.word, predicate.word + 1)):
        cells[argument.begin] = f"({argument.role}{cells[argument.begin]}"
        cells[argument.end - 1] += ")"
    return cells


def role_dict(analysis: Analysis, predicates: Sequence[Predicate]) -> dict[str, Any]:
    """Return a sentence with its roles as plain values, for JSON."""
    return {
        "words": list(analysis.words),
        "predicates": [
            {
                "index": predicate.word,
                "lemma": predicate.lemma,
                "roleset": predicate.roleset,
                "arguments": [[argument.role, argument.begin, argument.end] for argument in predicate.arguments],
            }
            for predicate in predicates
        ],
    }
