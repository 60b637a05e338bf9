"""The arrows of docs/architecture.md, and what start-up may cost."""

import ast
import subprocess
import sys

import pytest

FLOW = [
    "text", "corpora", "storage", "align", "phrases", "lm", "analysis", "grammar", "embeddings", "learn", "matching",
    "judges", "monolingual", "metrics", "meta", "annotation", "spark", "report", "evaluate", "web", "cli",
]  # fmt: skip
HEAVY = [
    "numpy",
    "sacrebleu",
    "sacremoses",
    "lxml",
    "duckdb",
    "pyarrow",
    "rapidfuzz",
    "tqdm",
    "tabulate",
    "Stemmer",
    "fastapi",
    "uvicorn",
    "jinja2",
    "pyspark",
    "torch",
    "transformers",
    "safetensors",
]


def _imported_folders(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("paragauge."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name.startswith("paragauge."):
                    yield name.name.split(".")[1]


def test_folders_use_only_those_before_them(root):
    package = root / "src" / "paragauge"
    assert {path.name for path in package.iterdir() if path.is_dir()} - {"data", "__pycache__"} == set(FLOW)
    for rank, folder in enumerate(FLOW):
        for path in (package / folder).rglob("*.py"):
            later = set(_imported_folders(path)) & set(FLOW[rank + 1 :])
            assert not later, f"{path.relative_to(root)} imports {sorted(later)}"


@pytest.mark.parametrize(
    "code",
    [
        "import paragauge",
        "from paragauge.cli.main import main; assert main(['--help']) == 0",
        "from paragauge.cli.main import main; assert main(['score', '--help']) == 0",
        "from paragauge.cli.main import main; assert main(['--version']) == 0",
        "import paragauge.corpora",
        "from paragauge.cli.main import main; assert main(['paradigm', 'overlap', '--help']) == 0",
        "from paragauge.cli.main import main; assert main(['parametric', 'smt', '--help']) == 0",
        "from paragauge.cli.main import main; assert main(['pem', 'train', '--help']) == 0",
        "from paragauge.cli.main import main; assert main(['grammar', '--help']) == 0",
    ],
)
def test_start_up_loads_nothing_heavy(code):
    check = f"{code}\nimport sys; print('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"


def _loaded(code, cwd=None):
    check = f"{code}\nimport sys; print('loaded:', sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, cwd=cwd)
    return set(ast.literal_eval(done.stdout.splitlines()[-1].removeprefix("loaded: ")))


def test_help_loads_no_command():
    loaded = _loaded("from paragauge.cli.main import main; assert main(['--help']) == 0")
    ours = {name for name in loaded if name.startswith("paragauge.")}
    assert ours == {
        "paragauge.cli", "paragauge.cli.groups", "paragauge.cli.main", "paragauge.cli.output",
        "paragauge.cli.summaries", "paragauge.errors", "paragauge.io", "paragauge.progress", "paragauge.temporary",
    }  # fmt: skip


def test_summaries_are_those_of_the_commands():
    import click

    from paragauge.cli.main import COMMANDS, CommandGroup
    from paragauge.cli.main import paragauge as group
    from paragauge.cli.summaries import SUMMARIES

    assert isinstance(group, CommandGroup)
    context = click.Context(group)
    shown = {name: group.get_command(context, name).get_short_help_str(limit=1000) for name in COMMANDS}
    assert dict(SUMMARIES) == shown


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf(word_order=2)"])
@pytest.mark.parametrize(("lines", "options"), [(1, []), (3, ["--bootstrap", "0"]), (3, ["-b"])])
def test_a_corpus_score_needs_no_numpy(tmp_path, metric, lines, options):
    (tmp_path / "one.txt").write_text("The cat sat on the mat.\n" * lines, encoding="utf-8")
    command = ["score", "-m", metric, "--ref", "one.txt", "one.txt", *options]
    loaded = _loaded(f"from paragauge.cli.main import main; assert main({command}) == 0", tmp_path)
    assert not loaded & {*HEAVY, "importlib.metadata", "paragauge.corpora.formats", "paragauge.evaluate.compare"}


@pytest.mark.parametrize("metric", ["bleu", "chrf", "pinc"])
def test_a_first_score_loads_little(tmp_path, metric):
    (tmp_path / "one.txt").write_text("The cat sat on the mat.\n", encoding="utf-8")
    place = "--original" if metric == "pinc" else "--ref"
    command = ["score", "-m", metric, place, "one.txt", "one.txt"]
    code = f"from paragauge.cli.main import main; assert main({command}) == 0"
    needed = {"numpy"}  # statistics
    check = f"{code}\nimport sys; print('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert set(ast.literal_eval(done.stdout.splitlines()[-1].removeprefix("loaded: "))) <= needed


def test_public_names_load():
    import paragauge

    for name in paragauge.__all__:
        assert getattr(paragauge, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'; what dir"):
        _ = paragauge.Nothing


def test_a_user_sees_what_a_user_wants():
    code = "import paragauge, paragauge.corpora; paragauge.score; print(*dir(paragauge))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "Aligner", "Alignment", "Bleu", "Generator", "Grammar", "LanguageModel", "METRICS", "PEM", "PEMPlus",
        "ParagaugeError", "ParaphraseTable", "PhraseTable", "Score", "SentenceMetric", "WordAligner", "__version__",
        "align", "compare", "correlate", "explain", "extract_grammar", "extract_phrases", "learn", "open",
        "parse_metric", "pivot_paraphrases", "score", "train_lm", "verify",
    ]  # fmt: skip


# What computes or signs. Doors call functions of evaluate/, and report/ gets values.
COMPUTING_NAMES = {
    "Signature", "bootstrap_interval", "bootstrap_values", "compare_paired", "package_version", "paired_bootstrap",
    "paired_permutation", "percentile_interval",
}  # fmt: skip
COMPUTING_METHODS = {
    "corpus_score", "measure", "measure_rows", "score_corpus", "score_segments", "score_totals", "segment_scores",
    "signature_of_pairs", "statistics", "statistics_in_blocks",
}  # fmt: skip


def _computations(text):
    """Yield what *text* imports, makes or calls that is the work of evaluate/."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield from (f"imports {name.name}" for name in node.names if name.name in COMPUTING_NAMES)
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute) and called.attr in COMPUTING_METHODS | COMPUTING_NAMES:
                yield f"line {node.lineno} calls .{called.attr}()"


@pytest.mark.parametrize("folder", ["cli", "web", "report"])
def test_doors_compute_and_sign_nothing(root, folder):
    found = {
        str(path.relative_to(root)): list(_computations(path.read_text(encoding="utf-8")))
        for path in (root / "src" / "paragauge" / folder).rglob("*.py")
    }
    assert not {path: done for path, done in found.items() if done}


def test_computations_would_be_seen():
    code = (
        "def f(metric):\n    from paragauge.metrics import Signature\n    return metric.measure(metric.statistics(1))\n"
    )
    assert len(list(_computations(code))) == 3


@pytest.mark.parametrize("flag", ["--quiet", "--format", "--output", "--encoding"])
def test_common_options_are_declared_once(root, flag):
    declared = [
        f"{path.name}:{node.lineno}"
        for path in (root / "src" / "paragauge" / "cli").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and any(getattr(given, "value", None) == flag for given in node.args)
    ]
    assert len(declared) == 1, declared
