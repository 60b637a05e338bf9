"""Compare the built-in English analysis with the treebanks EWT and GUM (development parts), for docs/reproduction.md.

    python benchmarks/analysis_vs_treebanks.py

Words are those of the treebanks; tags, dependencies and trees are predicted. Brackets are counted as by evalb.
"""

from __future__ import annotations

from measure import DATA

from paragauge.analysis import Analysis, provider, read_conllu, read_trees
from paragauge.analysis.evaluation import (
    bracket_agreement,
    dependency_agreement,
    is_object,
    is_subject,
    tag_agreement,
)

LENGTHS = ((1, 10), (11, 20), (21, 40), (41, 10_000))


def main() -> None:
    """Print the table."""
    folder = DATA / "english_treebanks"
    builtin = provider("builtin")
    print("| text | sentences | tags | tags, lower-cased | labelled dependencies | subjects F | objects F |")
    print("|---|---|---|---|---|---|---|")
    for name in ("ewt", "gum"):
        gold = list(read_conllu(folder / f"{name}.dev.conllu.gz"))
        found = builtin.analyse([one.words for one in gold], dependencies=True)
        lower = builtin.analyse([[word.lower() for word in one.words] for one in gold])
        as_is = [Analysis(one.words, tags=other.tags) for one, other in zip(gold, lower, strict=True)]
        figures = [
            tag_agreement(found, gold).f,
            tag_agreement(as_is, gold).f,
            dependency_agreement(found, gold).f,
            dependency_agreement(found, gold, is_subject).f,
            dependency_agreement(found, gold, is_object).f,
        ]
        print(f"| {name} | {len(gold):,} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |")
    trees = list(read_trees(folder / "gum.dev.ptb.gz"))
    found = builtin.analyse([tree.words for tree in trees], trees=True)
    print("\n| words | trees | labelled brackets F |\n|---|---|---|")
    pairs = [(one.tree, tree) for one, tree in zip(found, trees, strict=True)]
    for low, high in (*LENGTHS, (1, 10_000)):
        chosen = [(one, tree) for one, tree in pairs if low <= len(tree.words) <= high and one is not None]
        agreement = bracket_agreement([one for one, _ in chosen], [tree for _, tree in chosen])
        span = "all" if (low, high) == (1, 10_000) else f"{low} to {high}" if high < 10_000 else f"{low} and more"
        print(f"| {span} | {len(chosen)} | {agreement.f:.3f} |")


if __name__ == "__main__":
    main()
