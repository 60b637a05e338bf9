"""A small PEM model made of hand-made sentences, for tests that need one."""

from itertools import product

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import JudgedPair, JudgedPairs
from paragauge.learn.svr import SvrOptions
from paragauge.metrics.pem.training import TrainingOptions, build_resources, train_pem

_SUBJECTS = [("the man", "l' homme"), ("the woman", "la femme"), ("a boy", "un garçon"), ("a kid", "un garçon")]
_VERBS = [("buys", "achète"), ("purchases", "achète"), ("sees", "voit"), ("sells", "vend")]
_OBJECTS = [("the house", "la maison"), ("the car", "la voiture"), ("a book", "un livre")]
_GERMAN = {
    "l' homme": "der Mann", "la femme": "die Frau", "un garçon": "ein Junge", "achète": "kauft", "voit": "sieht",
    "vend": "verkauft", "la maison": "das Haus", "la voiture": "das Auto", "un livre": "ein Buch",
}  # fmt: skip

_SENTENCES = [tuple(zip(*parts, strict=True)) for parts in product(_SUBJECTS, _VERBS, _OBJECTS)]
FRENCH = Bitext(
    tuple(" ".join(english).capitalize() + "." for english, _ in _SENTENCES),
    tuple(" ".join(french) + " ." for _, french in _SENTENCES),
)
GERMAN = Bitext(FRENCH.source, tuple(" ".join(_GERMAN[piece] for piece in french) + " ." for _, french in _SENTENCES))

OPTIONS = TrainingOptions(controls=True, folds=3, svr=SvrOptions(c=10.0, gamma=0.3, epsilon=0.1), seed=7)


def judgments():
    """Good paraphrases 5, half of it 3; others by the controls."""
    rows = []
    for verb, other in (("buys", "purchases"), ("purchases", "buys")):
        for subject, thing in product(("The man", "The woman", "A boy"), ("the house", "the car", "a book")):
            original = f"{subject} {verb} {thing}."
            rows.append(JudgedPair(original, f"{subject} {other} {thing}.", 5.0, "good"))
            rows.append(JudgedPair(original, f"{subject} sells {thing}.", 2.0, "bad"))
    return JudgedPairs(tuple(rows))


def small_model(folder, pivots=("fr",), options=OPTIONS, threads=None):
    """Train on the sentences above, write the model to *folder*, and return the folder as text."""
    bitexts = {"fr": FRENCH, "de": GERMAN}
    resources = build_resources({name: bitexts[name] for name in pivots}, None, options, threads=threads)
    model, _ = train_pem(resources, judgments(), options, threads=threads)
    model.with_card("# A small model\n").save(folder, options=options.to_plain(), inputs={})
    return str(folder)
