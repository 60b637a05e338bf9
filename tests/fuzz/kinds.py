"""One small example of everything that paragauge reads, how to use all of it, and what the use gives."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from support.resources import sign_again

SENTENCES = [
    "the cat sat on the mat", "a dog sat on a log", "the dog saw the cat", "a cat saw a dog on the mat",
    "the old house is green", "an old dog is in the house", "the house on the hill is old", "he bought the green house",
]  # fmt: skip
FOREIGN = [
    "le chat assis sur le tapis", "un chien assis sur un tronc", "le chien vit le chat",
    "un chat vit un chien sur le tapis", "la vieille maison est verte", "un vieux chien est dans la maison",
    "la maison sur la colline est vieille", "il acheta la maison verte",
]  # fmt: skip
LINKS = [
    " ".join(f"{i}-{i}" for i in range(min(len(source.split()), len(target.split()))))
    for source, target in zip(SENTENCES, FOREIGN, strict=True)
]


@dataclass(frozen=True)
class Kind:
    """A kind of resource.

    Attributes:
        make: Writes an example to a path.
        use: Opens it, uses all of it, and returns what came out, as text.
        notices: What must be noticed: a change of ``every byte``, of the ``content``, or ``nothing`` but what cannot be
            used, in formats without checksums.
        sign: Makes the checksums fit a changed example, as somebody would who knows how they are made; ``None`` if
            there are none.
    """

    make: Callable[[Path], object]
    use: Callable[[Path], str]
    notices: Literal["every byte", "content", "nothing"] = "every byte"
    sign: Callable[[Path], object] | None = sign_again


def _sign_blocks(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:8] + hashlib.sha256(data[40:]).digest() + data[40:])


def _sign_checkpoint(path: Path) -> None:
    with contextlib.suppress(ValueError, AttributeError, RecursionError):  # no longer JSON, or no object
        state = json.loads(path.read_bytes())
        state.pop("checksum", None)
        text = json.dumps(state, sort_keys=True)
        path.write_text(json.dumps({**state, "checksum": hashlib.sha256(text.encode()).hexdigest()}), encoding="utf-8")


def _phrase_table(path: Path) -> None:
    from paragauge import extract_phrases

    extract_phrases(SENTENCES, FOREIGN, LINKS, max_length=4).save(path)


def _compact_table(path: Path) -> None:
    from paragauge import extract_phrases

    extract_phrases(SENTENCES, FOREIGN, LINKS, max_length=4).save(path, compact=True)


def _use_table(path: Path) -> str:
    from paragauge import PhraseTable
    from paragauge.matching.pivot import BagOptions, PivotBags

    table = PhraseTable.open(path)
    turned = table.inverted()
    pairs = [repr(pair) for pair in table] + [repr(pair) for pair in turned]
    bags = PivotBags(table, BagOptions()).overlap(SENTENCES[:4], SENTENCES[4:])
    arrow = [str(batch.to_pylist()) for batch in table.pair_batches()]
    found = [table.probabilities(phrase) for phrase in ("the", "the cat", "nothing")]
    return "\n".join([*pairs, *arrow, str(found), str(bags.f1().tolist()), repr(table.options)])


def _parts(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from paragauge import extract_phrases
    from paragauge.resource import write_resource
    from paragauge.storage import parts

    table = extract_phrases(SENTENCES, FOREIGN, LINKS, max_length=3)
    rows = pa.Table.from_batches(table.pair_batches(0)).drop_columns(["part"])
    half = rows.num_rows // 2
    with write_resource(path, "phrase-table", format=parts.FORMAT, options=table.options) as folder:
        (folder / parts.FOLDER).mkdir()
        for number, piece in enumerate((rows.slice(0, half), rows.slice(half))):
            pq.write_table(piece, folder / parts.FOLDER / parts.part_name(number))


def _paraphrases(path: Path) -> None:
    from paragauge import ParaphraseTable

    rows = [(a, b, 1 / (i + j + 2)) for i, a in enumerate(SENTENCES) for j, b in enumerate(SENTENCES) if a != b]
    ParaphraseTable.from_rows(rows).save(path)


def _use_paraphrases(path: Path) -> str:
    from paragauge import ParaphraseTable

    table = ParaphraseTable.open(path)
    return repr([list(table), [table[phrase] for phrase in SENTENCES], table.options])


def _grammar(path: Path) -> None:
    from paragauge import extract_grammar

    extract_grammar(SENTENCES, FOREIGN, LINKS).save(path)


def _use_grammar(path: Path) -> str:
    from paragauge import Grammar
    from paragauge.grammar.parse import parse_pairs

    grammar = Grammar.open(path)
    parsed = [replace(each, seconds=0.0) for each in parse_pairs(grammar, SENTENCES[:4], FOREIGN[:4], derivations=True)]
    return "\n".join([*map(repr, grammar), *map(repr, parsed), repr(grammar.options)])


RULES = [
    "[X] ||| the ||| a ||| p(e|f)=0.5 Extra=1", "[X] ||| sat ||| was sitting ||| p(e|f)=1.5 Extra=2",
    "[X] ||| [X,1] saw [X,2] ||| [X,2] was seen by [X,1] ||| p(e|f)=2.5 Extra=-1",
    "[X] ||| old [X,1] ||| [X,1] that is old ||| p(e|f)=0.25", "[X] ||| the cat ||| it ||| Extra=0.125",
    "[X] ||| house ||| home ||| p(e|f)=0.75 Extra=3", "[X] ||| dog ||| hound ||| p(e|f)=3.5 Extra=0.5",
]  # fmt: skip
WEIGHTS = {"p(e|f)": -1.0, "Extra": 0.25, "PassThrough": -2.0, "Glue": -0.5, "TargetWords": 0.125}


def _grammar_with_features(path: Path) -> None:
    from paragauge.grammar import Grammar, Rule

    Grammar.from_rules(map(Rule.parse, RULES)).save(path)


def _use_for_rewriting(path: Path) -> str:
    from paragauge import train_lm
    from paragauge.grammar import Grammar
    from paragauge.grammar.decode import DecodeOptions, Decoder

    decoder = Decoder(
        Grammar.open(path), {**WEIGHTS, "LanguageModel": 0.5}, train_lm(SENTENCES, order=2, smoothing="katz")
    )
    found = decoder.decode(SENTENCES, DecodeOptions(kbest=5, derivations=True))
    return repr([(each.text, each.score, each.features, each.derivation) for group in found for each in group])


def _weights(path: Path) -> None:
    from paragauge.grammar.weights import Weights

    Weights(WEIGHTS).write(path)


def _use_weights(path: Path) -> str:
    from paragauge.grammar import Grammar, Rule
    from paragauge.grammar.decode import Decoder
    from paragauge.grammar.weights import Weights

    found = Decoder(Grammar.from_rules(map(Rule.parse, RULES)), Weights.read(path)).decode(SENTENCES)
    return repr([(each.text, each.score) for candidates in found for each in candidates])


def _tuned(path: Path, rounds: int) -> str:
    from paragauge.evaluate.generate import Generator
    from paragauge.evaluate.tune import tune
    from paragauge.grammar import Grammar, Rule

    generator = Generator(Grammar.from_rules(map(Rule.parse, RULES)), weights=WEIGHTS)
    found = tune(generator, SENTENCES, SENTENCES[::-1], metric="bleu", rounds=rounds, kbest=5, checkpoint=path)
    return repr((found.rounds, found.weights))


def _use_checkpoint(path: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:  # going on writes the file again
        return _tuned(shutil.copyfile(path, Path(folder) / "checkpoint"), rounds=2)


def _language_model(path: Path) -> None:
    from paragauge import train_lm

    train_lm(SENTENCES, order=3, smoothing="katz").save(path)


def _use_model(path: Path) -> str:
    from paragauge import LanguageModel

    model = LanguageModel.open(path)
    scores = model.scores([*SENTENCES, "words that nobody knows"])
    words = [repr(model.words(sentence)) for sentence in SENTENCES]
    return "\n".join([repr(scores.log10_p.tolist()), *words, repr(list(model.vocabulary)), repr(model.options)])


def _arpa(path: Path) -> None:
    from paragauge import train_lm
    from paragauge.lm.arpa import write_arpa

    write_arpa(train_lm(SENTENCES, order=3, smoothing="katz"), path)


def _aligner(path: Path) -> None:
    from paragauge import Aligner

    Aligner.train(SENTENCES, FOREIGN).save(path)


def _use_aligner(path: Path) -> str:
    from paragauge import Aligner

    aligner = Aligner.load(path)
    return repr([links.to_pharaoh() for links in aligner.align(SENTENCES, FOREIGN)]) + repr(aligner.options)


def _pem(path: Path) -> None:
    from support.pem_models import small_model

    small_model(path)


def _use_pem(path: Path) -> str:
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem.model import PemModel

    model = PemModel.open(path)
    metric = PEM.load(str(path))
    scores = [metric.score(a, original=b).value for a, b in itertools.pairwise(SENTENCES)]
    return repr([scores, model.card, model.features, model.manifest.options, model.manifest.inputs])


def _blend(path: Path) -> None:
    import numpy as np

    from paragauge.learn.svr import RbfRegressor
    from paragauge.metrics.blend.features import parse_features
    from paragauge.metrics.blend.model import BlendModel

    rng = np.random.default_rng(1)
    ones = np.ones(2)
    regressor = RbfRegressor(ones, ones, rng.normal(size=(20, 2)), rng.normal(size=20), 0.5, 1.0)
    model = BlendModel(parse_features(["bleu,chrf"]), regressor, ones, card="A card.\n")
    model.save(path, options={"seed": 1}, inputs={"data": "abc"})


def _use_blend(path: Path) -> str:
    import numpy as np

    from paragauge.metrics.blend.model import BlendModel

    model = BlendModel.open(path)
    rows = np.random.default_rng(2).normal(size=(5, len(model.features)))
    assert model.manifest is not None
    made = (model.manifest.options, model.manifest.inputs)
    return repr([model.scores(rows).tolist(), model.contributions(rows[0]).tolist(), model.names, model.card, made])


def _static_model(path: Path) -> None:
    from support.embedding_models import static_model

    static_model(path)


def _use_static_model(path: Path) -> str:
    from paragauge.embeddings.folder import find_model
    from paragauge.embeddings.static import StaticEmbedder

    model = StaticEmbedder.open(find_model(str(path)))
    return repr([(each.sentence.tolist(), each.tokens.tolist()) for each in model.embed(SENTENCES)])


def _shipped(*names: str) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        from paragauge.resource import SHIPPED

        place = SHIPPED.joinpath(*names)
        (shutil.copytree if place.is_dir() else shutil.copyfile)(place, path)

    return make


def _use_lexicon(path: Path) -> str:
    from paragauge.analysis.lexicon import Lexicon

    lexicon = Lexicon.open(path)
    words = ("dog", "run", "dry", "house", "green")
    asked = (lexicon.synonyms, lexicon.hypernyms, lexicon.antonyms, lexicon.derivations, lexicon.morphy)
    return repr([sorted(ask(word)) for ask in asked for word in words])


def _use_links(path: Path) -> str:
    from paragauge.monolingual.aligner import WordAligner
    from paragauge.monolingual.networks import LinkNetworks

    networks = LinkNetworks.open(path)
    aligner = WordAligner(WordAligner.load("fr").knowledge, networks, english=False)
    return repr([links.to_pharaoh() for links in aligner.align(SENTENCES, SENTENCES[::-1])]) + networks.digest


def _use_english(path: Path) -> str:
    from paragauge.analysis.builtin import Builtin

    provider = Builtin.load(path)
    return repr(list(provider.analyse([sentence.split() for sentence in SENTENCES[:2]])))


def _use_roles(path: Path) -> str:
    from paragauge.analysis import provider
    from paragauge.analysis.roles import RoleLabeller

    words = [sentence.split() for sentence in SENTENCES]
    return repr(RoleLabeller.load(path).label(provider("builtin").analyse(words, lemmas=True, dependencies=True)))


def _use_fluency(path: Path) -> str:
    from paragauge.judges.fluency import FluencyModel

    model = FluencyModel.open(path)
    return repr([model.grammar.model.score(sentence) for sentence in SENTENCES]) + repr(model.weights)


def _use_judges(path: Path) -> str:
    from paragauge.judges.model import JudgeModel

    model = JudgeModel.open(path)
    return repr(model.judge(SENTENCES[:3], originals=SENTENCES[1:4]).values.tolist()) + model.card


def _annotations(path: Path) -> None:
    from paragauge.annotation.changes import Change
    from paragauge.annotation.store import AnnotationStore
    from paragauge.corpora.pairs import ParaphrasePairs

    with AnnotationStore.create(path, ParaphrasePairs(tuple(SENTENCES), tuple(FOREIGN))) as store:
        for number in range(1, 9):
            store.record("ann", number, Change("set", f"token-number-{number}", "0-0 1p1"))
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _use_annotations(path: Path) -> str:
    from paragauge.annotation.store import AnnotationStore

    with AnnotationStore.open(path) as store:
        states = [[state.gold().to_pharaoh() for state in store.states(name)] for name in store.annotators()]
        return repr([store.annotators(), states, store.pairs])


def _judgments(path: Path) -> None:
    from paragauge.annotation.judging import JudgingStore, Rating
    from paragauge.corpora.testset import TestSet

    testset = TestSet(
        ids=[str(number) for number in range(len(SENTENCES))],
        originals=SENTENCES,
        candidates={"(human)": FOREIGN, "(random deletion)": SENTENCES[::-1], "third": FOREIGN[::-1]},
    )
    with JudgingStore.create(path, testset) as store:
        for number in range(1, len(SENTENCES) + 1):
            for place, criterion in itertools.product(range(2), ("meaning", "grammar")):
                rating = Rating(place, criterion, 1 + (number + place) % 5, f"token-{number}-{place}-{criterion}")
                store.record("ann", number, rating)
        store._database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _use_judgments(path: Path) -> str:
    from paragauge.annotation.judging import JudgingStore

    with JudgingStore.open(path) as store:
        orders = [store.order("ann", number) for number in range(1, len(store) + 1)]
        return repr([store.items, store.systems, orders, list(store.judgments()), store.controls()])


KINDS = {
    "phrase-table": Kind(_phrase_table, _use_table),
    "compact-table": Kind(_compact_table, _use_table),
    "table-in-parts": Kind(_parts, _use_table),
    "paraphrase-table": Kind(_paraphrases, _use_paraphrases),
    "grammar": Kind(_grammar, _use_grammar),
    "grammar-with-features": Kind(_grammar_with_features, _use_for_rewriting),
    "weights": Kind(_weights, _use_weights, notices="nothing", sign=None),
    "tuning-checkpoint": Kind(lambda path: _tuned(path, rounds=1), _use_checkpoint, "content", _sign_checkpoint),
    "language-model": Kind(_language_model, _use_model),
    "arpa": Kind(_arpa, _use_model, notices="nothing", sign=None),
    "aligner": Kind(_aligner, _use_aligner),
    "pem-model": Kind(_pem, _use_pem),
    "blend-model": Kind(_blend, _use_blend),
    "shipped-blend": Kind(_shipped("blend", "translation"), _use_blend),
    "static-model": Kind(_static_model, _use_static_model, notices="nothing", sign=None),
    "link-model": Kind(_shipped("links", "default"), _use_links),
    "lexicon": Kind(_shipped("wordnet"), _use_lexicon),
    "fluency-model": Kind(_shipped("judges", "default", "fluency"), _use_fluency),
    "judges": Kind(_shipped("judges", "default"), _use_judges),
    "english-model": Kind(_shipped("analysis", "english.bin"), _use_english, sign=_sign_blocks),
    "role-model": Kind(_shipped("analysis", "roles.bin"), _use_roles, sign=_sign_blocks),
    "annotations": Kind(_annotations, _use_annotations, notices="content", sign=None),
    "judgments": Kind(_judgments, _use_judgments, notices="content", sign=None),
}
