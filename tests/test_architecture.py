"""The arrows of docs/architecture.md, and what start-up may cost."""

import ast
import subprocess
import sys

import pytest

FLOW = [
    "text", "corpora", "storage", "align", "phrases", "lm", "analysis", "grammar", "learn", "matching",
    "judges", "metrics", "meta", "annotation", "spark", "report", "evaluate", "web", "cli",
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
    "snowballstemmer",
    "fastapi",
    "uvicorn",
    "jinja2",
    "pyspark",
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


def test_public_names_load():
    import paragauge

    for name in paragauge.__all__:
        assert getattr(paragauge, name) is not None
    assert set(paragauge.__all__) <= set(dir(paragauge))
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = paragauge.Nothing
