import builtins
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# All items one after another, and where those of each begin (and the end).
_Sequences: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]
_Strings: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]

version: str

def ngram_overlap(
    candidates: _Sequences, references: _Sequences, groups: NDArray[np.int64], max_order: int, threads: int
) -> NDArray[np.int64]: ...
def bleu_rows(
    candidates: _Sequences, references: _Sequences, groups: NDArray[np.int64], max_order: int, threads: int
) -> NDArray[np.int64]: ...
def leave_one_out_overlap(sentences: _Sequences, max_order: int) -> NDArray[np.int64]: ...
def pairwise_overlap(candidates: _Sequences, references: _Sequences, max_order: int) -> NDArray[np.int64]: ...
def edit_counts(
    candidates: _Sequences, references: _Sequences, groups: NDArray[np.int64], *, threads: int
) -> NDArray[np.int64]: ...
def edit_path(
    candidate: NDArray[np.int32], reference: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]: ...
def weighted_spearman(
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    *,
    units: NDArray[np.int32],
    x_groups: int,
    y_groups: int,
    weights: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...
def swapped_correlations(
    *,
    scores: NDArray[np.float64],
    orders: NDArray[np.int32],
    levels: NDArray[np.int32],
    groups: NDArray[np.int64],
    pairs: NDArray[np.int32],
    kept: NDArray[np.uint32],
    statistic: str,
    threads: int,
) -> NDArray[np.float64]: ...

class AlignOptions:
    def __init__(
        self,
        *,
        agreement: bool,
        null_probability: float,
        alpha: float,
        null_alpha: float,
        leave_one_out: bool,
        jump_smoothing: float,
        tension: float,
        unseen: float,
        unseen_twin: float,
    ) -> None: ...

class NativeAligner:
    def links(
        self,
        source: _Sequences,
        target: _Sequences,
        *,
        twins: NDArray[np.int32],
        method: str,
        threshold: float,
        threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], NDArray[np.float64]]: ...
    def posteriors(
        self, source_ids: NDArray[np.int32], target_ids: NDArray[np.int32], twins: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...

class NativeAligner64(NativeAligner): ...

class AlignTrainer:
    def __init__(
        self,
        source: _Sequences,
        target: _Sequences,
        *,
        source_words: int,
        target_words: int,
        options: AlignOptions,
        max_length: int,
        threads: int,
    ) -> None: ...
    def add_pair_priors(
        self, source: NDArray[np.int32], target: NDArray[np.int32], counts: NDArray[np.float64]
    ) -> None: ...
    def add_class_priors(
        self,
        coarse: NativeAligner,
        source_classes: NDArray[np.int32],
        target_classes: NDArray[np.int32],
        strength: float,
    ) -> None: ...
    def step(self, hmm: bool, direction: str) -> list[float]: ...
    def links(
        self, method: str, threshold: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], NDArray[np.float64]]: ...
    def finish(self) -> NativeAligner: ...
    @property
    def pairs(self) -> int: ...

class AlignTrainer64(AlignTrainer): ...

def aligner_from_arrays(
    arrays: dict[str, NDArray[Any]], options: AlignOptions, hmm: bool, max_length: int
) -> NativeAligner: ...
def symmetrize_links(
    sizes: NDArray[np.int32], forward: _Sequences, backward: _Sequences, method: str
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def parse_pharaoh(text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64], int, int]: ...

class LinkedBitext:
    def __init__(self, *, source: _Sequences, target: _Sequences, links: _Sequences) -> None: ...

def sentence_digests(
    sentences: list[str], gram: int, sample: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]: ...
def write_rows(columns: list[Any], *, separators: list[str], threads: int) -> bytes: ...
def characters(texts: list[str], *, white_space: bool) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
def chrf_rows(
    candidates: list[str], references: list[str], *, char_order: int, word_order: int, white_space: bool, threads: int
) -> NDArray[np.int64]: ...
def chrf_totals(
    candidates: list[str], references: list[str], *, char_order: int, word_order: int, white_space: bool, threads: int
) -> list[int]: ...

class Tokenizer:
    def __init__(self, name: str) -> None: ...
    def tokens(self, text: str) -> list[str]: ...
    def spans(self, text: str) -> list[tuple[str, int, int]]: ...
    def lines(self, texts: list[str]) -> list[str]: ...
    def encode(self, groups: list[list[str]]) -> list[tuple[NDArray[np.int32], NDArray[np.int64]]]: ...
    def bleu_totals(
        self, candidates: list[str], references: list[str], groups: list[int], max_order: int, threads: int
    ) -> list[int]: ...

class WordNumbers:
    def __init__(self) -> None: ...
    def encode(self, sentences: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def strings(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
    def __len__(self) -> int: ...

class LexicalCounts:
    def __init__(self, rule: str = "koehn") -> None: ...
    def add(self, bitext: LinkedBitext) -> None: ...
    def rows(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]: ...
    def put(
        self,
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        counts: NDArray[np.int64],
        source_totals: NDArray[np.int64],
        target_totals: NDArray[np.int64],
    ) -> None: ...
    def direct(self, source: int, target: int) -> float: ...
    def inverse(self, source: int, target: int) -> float: ...
    @property
    def pairs(self) -> int: ...

class PhraseCounts:
    def __init__(self, max_length: int, threads: int, rule: str = "koehn") -> None: ...
    def add(
        self, bitext: LinkedBitext, *, source_words: _Strings, target_words: _Strings, lexical: LexicalCounts | None
    ) -> int: ...
    def rows(
        self, begin: int, end: int
    ) -> tuple[
        _Strings,
        _Strings,
        _Strings,
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.float64],
        _Strings,
        _Strings,
    ]: ...
    def columns(self, min_count: int, min_prob: float, top: int | None) -> dict[str, NDArray[Any]]: ...
    def clear(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def bytes(self) -> int: ...

def invert_pairs(
    targets: NDArray[np.int32], counts: NDArray[np.int64], target_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class Paraphrases:
    def __init__(self, *, rows: NDArray[np.int64], numbers: NDArray[np.int32], scores: NDArray[np.float64]) -> None: ...

class PhraseIndex:
    def __init__(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def find(self, phrase: str) -> int: ...
    def find_all(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int64]: ...
    def paraphrase_links(
        self,
        candidates: Sequence[Sequence[str]],
        references: Sequence[Sequence[str]],
        *,
        table: Paraphrases,
        max_length: int,
        least: float,
        threads: int,
    ) -> _Sequences: ...
    def segment(
        self,
        sentences: _Strings,
        *,
        counts: NDArray[np.int64],
        total: float,
        unseen: float,
        max_length: int,
        threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...

class PhraseNumbers:
    def __init__(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def number(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int32]: ...

class PhraseMatcher:
    def __init__(self, min_length: int, exact_steps: int) -> None: ...
    def add(
        self,
        phrases: _Strings,
        *,
        rows: NDArray[np.int64],
        sets: NDArray[np.int32],
        known: NDArray[np.uint8],
        set_count: int,
    ) -> None: ...
    def rows(
        self, candidates: _Strings, references: _Strings, groups: NDArray[np.int64], threads: int
    ) -> NDArray[np.int64]: ...
    def explain(
        self, candidates: _Strings, references: _Strings
    ) -> tuple[list[tuple[int, int, int, int, int, bool]], list[int], list[list[int]]]: ...

LM_HIGHEST_ORDER: int

_Vocabulary = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint64]]
_Model = tuple[NDArray[np.float32], list[NDArray[np.uint64]], NDArray[np.int64]]
_Scores = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]

class LmEncoder:
    def __init__(self) -> None: ...
    def add_texts(self, sentences: list[str]) -> None: ...
    def add_tokens(self, sentences: list[Sequence[str]]) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def first_reserved(self) -> tuple[int, int] | None: ...

class LmCounts:
    def __init__(self, encoder: LmEncoder, order: int, threads: int) -> None: ...
    def vocabulary(self) -> _Vocabulary: ...
    @property
    def order(self) -> int: ...
    def sizes(self) -> list[int]: ...
    def counts_of_counts(self, order: int, adjusted: bool, up_to: int) -> list[int]: ...
    def find(self, ngram: Sequence[str]) -> tuple[int, int]: ...
    def kneser_ney(self, discounts: list[list[float]], min_counts: list[int], threads: int) -> _Model: ...
    def katz(self, coefficients: list[list[float]], min_counts: list[int], threads: int) -> _Model: ...

class LmModel: ...

class LmQueries(LmModel):
    def __init__(
        self,
        unigrams: NDArray[np.float32],
        tables: Sequence[NDArray[np.uint64]],
        bytes: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        slots: NDArray[np.uint64],
    ) -> None: ...
    @property
    def order(self) -> int: ...
    def find(self, word: str) -> int: ...
    def word(self, number: int) -> str: ...
    def find_all(self, words: _Strings) -> NDArray[np.int32]: ...
    def begin_state(self) -> tuple[int, ...]: ...
    def advance(self, state: Sequence[int], word: str) -> tuple[float, int, tuple[int, ...]]: ...
    def score_one(self, sentence: str | Sequence[str]) -> tuple[float, int]: ...
    def score_words(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.uint8]]: ...
    def log_odds(self, sentences: Sequence[Sequence[str]], rare: float) -> NDArray[np.float64]: ...
    def score_tokens(self, sentences: Sequence[Sequence[str]], threads: int) -> _Scores: ...
    def score_texts(self, sentences: Sequence[str], threads: int) -> _Scores: ...

class ArpaReader:
    def __init__(self) -> None: ...
    def feed(self, block: bytes) -> None: ...
    def finish(self) -> tuple[_Vocabulary, _Model, int, bool]: ...

class ArpaWriter:
    def __init__(self, queries: LmQueries, sizes: list[int], threads: int) -> None: ...
    def next(self) -> bytes: ...

class PivotColumns:
    def __init__(
        self,
        *,
        source: _Strings,
        source_totals: NDArray[np.int64],
        source_rows: NDArray[np.int64],
        target: _Strings,
        pair_targets: NDArray[np.int32],
        pair_counts: NDArray[np.int64],
        total: float,
    ) -> None: ...

class BagOptions:
    def __init__(
        self, *, unseen: float, unknown: float, min_edge: float, min_weight: float, max_order: int
    ) -> None: ...

class Pivot:
    def __init__(self, columns: PivotColumns, options: BagOptions) -> None: ...
    def overlap(self, originals: _Strings, candidates: _Strings, threads: int) -> NDArray[np.float64]: ...
    def network(self, sentence: str) -> list[tuple[int, int, list[tuple[str, float]]]]: ...
    def bags(self, original: str, candidate: str) -> list[tuple[str, int, float, float]]: ...

def rbf_predict(
    rows: NDArray[np.float64],
    *,
    vectors: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    gamma: float,
    intercept: float,
    threads: int,
) -> NDArray[np.float64]: ...

class LabelSet(Enum):
    hiero = ...
    constituents = ...
    ccg = ...
    samt = ...

class UnaryChain(Enum):
    bottom = ...
    top = ...
    all = ...

class PassThrough(Enum):
    none = ...
    unknown = ...
    all = ...

class RuleOptions:
    def __init__(
        self,
        *,
        labels: LabelSet,
        chain: UnaryChain,
        trees_of_target: bool,
        default_label: str,
        default_in_gaps: bool,
        max_span: int,
        max_target_span: int,
        max_symbols: int,
        max_target_symbols: int,
        max_words: int,
        max_nonterminals: int,
        min_links: int,
        adjacent: bool,
        tight: bool,
        max_rows: int,
        threads: int,
    ) -> None: ...

class SentenceTrees:
    def __init__(self, *, nodes: _Sequences, labels: _Strings) -> None: ...

def extract_rules(
    bitext: LinkedBitext,
    *,
    first: int,
    source_words: _Strings,
    target_words: _Strings,
    trees: SentenceTrees | None,
    lexical: LexicalCounts | None,
    options: RuleOptions,
) -> tuple[int, _Strings, _Strings, _Strings, _Strings, NDArray[np.float64], NDArray[np.float64]]: ...
def read_rules(text: bytes) -> tuple[_Strings, _Strings, _Strings, _Strings, _Strings, int, str]: ...
def feature_values(features: _Strings, name: str) -> tuple[NDArray[np.float64], int, str]: ...
def feature_table(features: _Strings, names: list[str]) -> tuple[list[str], NDArray[np.float32]]: ...
def unlabel(sides: _Strings) -> _Strings: ...
def renumber(first: _Strings, second: _Strings) -> tuple[_Strings, _Strings, int]: ...
def compose_links(first: _Strings, second: _Strings) -> _Strings: ...
def rule_classes(sources: _Strings) -> NDArray[np.int8]: ...
def write_rules(
    *,
    lhs: _Strings,
    source: _Strings,
    target: _Strings,
    features: _Strings,
    alignment: _Strings,
    names: Sequence[str],
    columns: Sequence[NDArray[np.float64]],
    surface: bool,
    threads: int,
) -> bytes: ...

class GrammarBuilder:
    def __init__(self) -> None: ...
    def add(self, lhs: _Strings, source: _Strings, target: _Strings) -> tuple[int, str]: ...
    def finish(self) -> dict[str, NDArray[Any]]: ...

class GrammarColumns:
    def __init__(
        self,
        *,
        words: _Strings,
        on_source: NDArray[np.uint8],
        labels: _Strings,
        shapes: NDArray[np.int32],
        source: tuple[NDArray[np.int32], NDArray[np.int32]],
        target: tuple[NDArray[np.int32], NDArray[np.int32]],
        source_rules: NDArray[np.int64],
        rule_target: NDArray[np.int32],
        rule_shape: NDArray[np.int32],
    ) -> None: ...

class ParseOptions:
    def __init__(
        self,
        *,
        pass_through: PassThrough,
        glue: bool,
        max_span: int,
        max_target_span: int,
        seconds: float,
        bytes: int,
        derivations: bool,
        threads: int,
    ) -> None: ...

class GrammarIndex:
    def __init__(self, columns: GrammarColumns) -> None: ...
    @property
    def rules(self) -> int: ...
    def rule(self, number: int) -> tuple[str, str, str]: ...
    def parse(
        self, tokens: _Strings, *, source: _Sequences, target: _Sequences, options: ParseOptions
    ) -> tuple[
        NDArray[np.int8],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.int64],
    ]: ...

SURFACE_FEATURES: tuple[str, ...]

class DecodeOptions:
    def __init__(
        self,
        *,
        pass_through: PassThrough,
        glue: bool,
        max_span: int,
        max_rules: int,
        beam: int,
        kbest: int,
        distinct: bool,
        derivations: bool,
        bytes: int,
        threads: int,
    ) -> None: ...

class FeatureColumns:
    def __init__(
        self,
        *,
        rule_row: NDArray[np.int64],
        values: NDArray[np.float32],
        kinds: NDArray[np.int32],
        indices: NDArray[np.int32],
        weights: NDArray[np.float64],
    ) -> None: ...

class Decoder:
    def __init__(
        self,
        grammar: GrammarIndex,
        model: LmModel | None,
        *,
        columns: FeatureColumns,
        lm_words: NDArray[np.int32],
    ) -> None: ...
    def decode(
        self,
        tokens: _Strings,
        *,
        token_words: NDArray[np.int32],
        sentences: _Sequences,
        options: DecodeOptions,
    ) -> tuple[
        NDArray[np.int8],
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.float64],
        _Strings,
        NDArray[np.int64],
        NDArray[np.int64],
    ]: ...

class LexiconColumns:
    def __init__(
        self,
        *,
        lemma_text: NDArray[np.uint8],
        lemma_lengths: NDArray[np.uint8],
        sense_counts: NDArray[np.uint8],
        senses: NDArray[np.int32],
        synset_counts: NDArray[np.int32],
        exception_text: NDArray[np.uint8],
        exception_lengths: NDArray[np.uint8],
        exception_parts: NDArray[np.uint8],
        exception_lemmas: NDArray[np.int32],
    ) -> None: ...

class NativeLexicon:
    def __init__(self, columns: LexiconColumns) -> None: ...
    def __len__(self) -> int: ...
    def find(self, lemma: str) -> int: ...
    def lemma(self, id: int) -> bytes: ...
    def synonyms(self, id: int) -> list[int]: ...
    def synsets(self, id: int) -> list[int]: ...
    def share_synonym(self, a: str, b: str) -> bool: ...
    def morphy(self, word: str, part: int) -> list[int]: ...
    def uninflect(self, word: str, part: int) -> int: ...
    def find_phrases(self, lemmas: list[str], longest: int) -> list[tuple[int, int, int]]: ...
    def find_all(self, text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int32]: ...
    def word_synsets(
        self, text: NDArray[np.uint8], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...

class WordRelationColumns:
    def __init__(
        self,
        *,
        sense_ranks: NDArray[np.uint8],
        hypernym_counts: NDArray[np.uint8],
        hypernyms: NDArray[np.int32],
        antonym_sources: NDArray[np.int32],
        antonyms: NDArray[np.int32],
        opposed_sources: NDArray[np.int32],
        opposed: NDArray[np.int32],
        similar_sources: NDArray[np.int32],
        similar: NDArray[np.int32],
        derivation_sources: NDArray[np.int32],
        derivations: NDArray[np.int32],
    ) -> None: ...

class NativeWordRelations:
    def __init__(self, lexicon: NativeLexicon, columns: WordRelationColumns) -> None: ...
    def antonyms(self, id: int, indirect: bool) -> list[int]: ...
    def hypernyms(self, id: int) -> list[int]: ...
    def derivations(self, id: int) -> list[int]: ...
    def are_antonyms(self, a: str, b: str, indirect: bool) -> bool: ...
    def is_kind_of(self, a: str, b: str, depth: int, senses: int) -> bool: ...
    def are_siblings(self, a: str, b: str, senses: int) -> bool: ...
    def are_similar(self, a: str, b: str) -> bool: ...

class ComparedWord:
    def __init__(
        self,
        *,
        text: str,
        lemma: str,
        stem: str,
        group: str,
        part: str,
        is_mark: bool,
        is_content: bool,
        is_name: bool,
        is_date: bool,
        is_negation: bool,
        number: float | None,
        information: float,
        vector: int,
        entry: int,
        denied: Iterable[str],
        denied_by_lemma: Iterable[str],
    ) -> None: ...

class Expectations:
    def __init__(self, *, model: LmModel, log10_shares: NDArray[np.float32], mark: int) -> None: ...

class FluencySettings:
    def __init__(
        self,
        *,
        easy_end: float,
        usual_small_share: float,
        spared_small_share: float,
        telegram_floor: float,
        faultless_places: float,
    ) -> None: ...

class FluencyToken:
    def __init__(self, *, word: str, grammar: int, wording: int, is_small: bool, is_mark: bool) -> None: ...

class NativeFluency:
    def __init__(self, grammar: Expectations, wording: Expectations, settings: FluencySettings) -> None: ...
    def losses(
        self, candidates: list[list[FluencyToken]], originals: list[list[FluencyToken]]
    ) -> NDArray[np.float64]: ...
    def places(
        self, candidate: list[FluencyToken], original: list[FluencyToken]
    ) -> tuple[list[bool], list[float], list[float]]: ...

class LikenessSettings:
    def __init__(
        self,
        *,
        form: float,
        group: float,
        synonym: float,
        derived: float,
        related: float,
        phrase: float,
        least: float,
        unrelated_square: float,
        spelled_alike: float,
        contained: bool,
        noun_steps: int,
        verb_steps: int,
        senses: int,
        neighbour: float,
        distance: float,
        enough: float,
        information_power: float,
        name_weight: float,
        denied_opposite: float,
    ) -> None: ...

class LikenessVectors:
    def __init__(self, *, codes: NDArray[np.int8], scales: NDArray[np.float32], trust: NDArray[np.float32]) -> None: ...

class NativeLikeness:
    def __init__(
        self,
        lexicon: NativeLexicon,
        relations: NativeWordRelations,
        vectors: LikenessVectors,
        settings: LikenessSettings,
    ) -> None: ...
    def cosine(self, a: int, b: int) -> float: ...
    def opposite(self, a: ComparedWord, b: ComparedWord) -> bool: ...
    def link(
        self,
        first: list[ComparedWord],
        second: list[ComparedWord],
        *,
        first_heads: Sequence[int],
        second_heads: Sequence[int],
        phrases: Sequence[tuple[int, int]],
        spelling: Callable[[str, str], float],
    ) -> tuple[
        list[tuple[int, int, int, float]],
        tuple[int, ...],
        tuple[int, ...],
        tuple[float, ...],
        tuple[float, ...],
        int,
    ]: ...
    def unsaid(
        self, words: list[ComparedWord], expressed: Sequence[float], *, denied: Sequence[int], explained: Sequence[int]
    ) -> tuple[float, float, float, float]: ...

def letter_f1(first: list[ComparedWord], second: list[ComparedWord]) -> float: ...

class WordClasses:
    def __init__(self, *, stems: NDArray[np.int32], synsets: _Sequences) -> None: ...

class SearchLimits:
    def __init__(self, *, options: int, steps: int) -> None: ...

class LinkOptions:
    def __init__(self, *, stem: bool, synonym: bool, joint: bool, limits: SearchLimits) -> None: ...

def link_words(
    candidates: _Sequences,
    references: _Sequences,
    *,
    known: WordClasses,
    paraphrases: _Sequences,
    options: LinkOptions,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]: ...
def covered_weights(
    sentences: _Sequences,
    links: _Sequences,
    *,
    of_reference: bool,
    word_weights: NDArray[np.float64],
    stage_weights: NDArray[np.float64],
) -> NDArray[np.float64]: ...

class ParsedTexts:
    def __init__(
        self,
        *,
        sentences: Sequence[Sequence[str]],
        lemmas: Sequence[Sequence[str]],
        tags: NDArray[np.uint8],
        heads: NDArray[np.int32],
        relations: NDArray[np.uint8],
        sense_counts: NDArray[np.uint8],
    ) -> None: ...

def pack_classes(lemmas: Sequence[str], classes: NDArray[np.int32]) -> bytes: ...

class RoleTraining:
    def __init__(
        self,
        *,
        bytes: int,
        network_bytes: int,
        networks: int,
        units: int,
        least_notes: int,
        least: int,
        epochs: int,
        folds: int,
        seed: int,
    ) -> None: ...

def train_roles(
    parsed: ParsedTexts,
    *,
    predicates: NDArray[np.int32],
    arguments: NDArray[np.int32],
    single: NDArray[np.uint8],
    tag_uses: NDArray[np.uint8],
    classes: NDArray[np.uint8],
    training: RoleTraining,
) -> tuple[bytes, bytes, bytes, bytes, bytes, float]: ...

class RoleAnalyser:
    def __init__(
        self,
        *,
        predicates: NDArray[np.uint8],
        senses: NDArray[np.uint8],
        roles: NDArray[np.uint8],
        network: NDArray[np.uint8],
        revision: NDArray[np.uint8],
        classes: NDArray[np.uint8],
        single: NDArray[np.uint8],
        tag_uses: NDArray[np.uint8],
        least: int,
    ) -> None: ...
    def label(
        self, parsed: ParsedTexts, *, given: NDArray[np.int32] | None = None, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...

class FactColumns:
    def __init__(
        self,
        *,
        forms: NDArray[np.int32],
        cased: NDArray[np.int32],
        lemmas: NDArray[np.int32],
        stems: NDArray[np.int32],
        numbers: NDArray[np.int32],
        parts: NDArray[np.int32],
        common: NDArray[np.int32],
        flags: NDArray[np.int32],
        vectors: NDArray[np.int32],
        entries: NDArray[np.int32],
        information: NDArray[np.float32],
        letters: _Sequences,
        synsets: _Sequences,
        derived: _Sequences,
        opposites: _Sequences,
        kinds: _Sequences,
        text: tuple[NDArray[np.uint8], NDArray[np.int64]],
    ) -> None: ...

class VectorColumns:
    def __init__(self, *, codes: NDArray[np.int8], scales: NDArray[np.float32], trust: NDArray[np.float32]) -> None: ...

class ParaphraseColumns:
    def __init__(
        self,
        *,
        phrases: tuple[NDArray[np.uint8], NDArray[np.int64]],
        rows: NDArray[np.int64],
        targets: NDArray[np.int32],
        scores: NDArray[np.float64],
    ) -> None: ...

class NativeLinkModel:
    def __init__(
        self,
        *,
        vectors: VectorColumns,
        paraphrases: ParaphraseColumns | None,
        networks: Sequence[NDArray[np.float32]],
    ) -> None: ...
    def run(
        self,
        facts: FactColumns,
        source: _Sequences,
        target: _Sequences,
        *,
        prior: NDArray[np.float32] | None,
        rounds: int | None,
        threshold: float,
        features: bool,
        threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]: ...

LINK_EVIDENCE: tuple[str, ...]

def normal_forms(words: Sequence[str]) -> list[bytes]: ...
def pack_words(
    forms: list[bytes], tags: NDArray[np.uint16], kinds: NDArray[np.uint16], sets: NDArray[np.uint64]
) -> bytes: ...

class Schedule:
    def __init__(
        self,
        *,
        epochs: int,
        runs: int,
        width: int,
        variant_share: float,
        seed: int,
        least_notes: int,
        report: Callable[[int, int], None],
    ) -> None: ...

def train_tagger(
    variants: list[list[list[str]]],
    *,
    tags: NDArray[np.uint8],
    tag_count: int,
    words: NDArray[np.uint8],
    bytes: int,
    schedule: Schedule,
) -> builtins.bytes: ...
def train_dependencies(
    variants: list[list[list[str]]],
    *,
    predicted_tags: list[NDArray[Any]],
    heads: NDArray[np.int32],
    relations: NDArray[np.uint8],
    relation_count: int,
    tag_kinds: NDArray[np.uint8],
    bytes: int,
    schedule: Schedule,
) -> tuple[builtins.bytes, builtins.bytes]: ...
def train_constituents(
    variants: list[list[list[str]]],
    *,
    predicted_tags: list[NDArray[Any]],
    predicted_heads: list[NDArray[Any]],
    predicted_relations: list[NDArray[Any]],
    spans: NDArray[np.int32],
    label_count: int,
    bytes: int,
    schedule: Schedule,
) -> tuple[builtins.bytes, builtins.bytes]: ...

class Analyser:
    def __init__(
        self,
        *,
        words: NDArray[np.uint8],
        tag_kinds: NDArray[np.uint8],
        tagger: NDArray[np.uint8],
        arcs: NDArray[np.uint8] | None = None,
        relations: NDArray[np.uint8] | None = None,
        structure: NDArray[np.uint8] | None = None,
        labels: NDArray[np.uint8] | None = None,
    ) -> None: ...
    @property
    def classes(self) -> list[int]: ...
    def analyse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        dependencies: bool,
        trees: bool,
        threads: int,
        widths: Sequence[int],
        given_tags: NDArray[np.uint8] | None = None,
        given_heads: NDArray[np.int32] | None = None,
        given_relations: NDArray[np.uint8] | None = None,
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32]]: ...

class WordBook:
    def __init__(self) -> None: ...
    def add(self, stem: int, synsets: Sequence[int], weight: float) -> None: ...
    def cover(
        self,
        candidate: Sequence[int],
        reference: Sequence[int],
        *,
        paraphrases: NDArray[np.int32],
        options: LinkOptions,
        stage_weights: Sequence[float],
    ) -> tuple[tuple[float, float, int], tuple[float, float, int], int, bool]: ...

def best_assignment(weights: NDArray[np.float64]) -> NDArray[np.int32]: ...

class SentenceItems:
    def __init__(self, *, lemmas: _Sequences, tags: NDArray[np.int32], triples: _Sequences) -> None: ...

class ItemOptions:
    def __init__(self, *, max_order: int, triples: bool, distance: float, tags_alone: bool) -> None: ...

def match_items(
    candidates: SentenceItems,
    references: SentenceItems,
    *,
    options: ItemOptions,
    lexicon_ids: NDArray[np.int32],
    lexicon: NativeLexicon,
    related: tuple[NDArray[np.int32], NDArray[np.int64]],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]: ...
