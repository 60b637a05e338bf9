"""Features of extracted rules, from their counts and probabilities.

Logarithms are computed here and not in SQL, since engines differ in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paragauge.grammar.queries import LEXICAL, RARITY

if TYPE_CHECKING:
    import pyarrow as pa

TEXT = ("lhs", "source", "target", "alignment")
# A word that was never linked has a weight of 0; PPDB writes this value for its logarithm.
LARGEST_COST = 64.0


def rule_schema(features: Sequence[str]) -> pa.Schema:
    """Return the schema of batches of rules with these *features*."""
    import pyarrow as pa

    numbers = [("count", pa.int64()), *((name, pa.float64()) for name in features)]
    return pa.schema([*((name, pa.large_string()) for name in TEXT), *numbers])


def with_costs(batch: pa.RecordBatch, features: Sequence[str]) -> pa.RecordBatch:
    """Return rules with their features, as in PPDB: probabilities p as -ln p, rarity as exp(1 - count)."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = [batch.column(name) for name in (*TEXT, "count")]
    for name in features:
        if name == RARITY:
            counts, places = np.unique(batch.column("count").to_numpy(), return_inverse=True)
            columns.append(pa.array(np.array([math.exp(1 - count) for count in counts.tolist()])[places]))
            continue
        cost = pc.negate(pc.ln(batch.column(name)))
        columns.append(pc.min_element_wise(cost, LARGEST_COST) if name in LEXICAL else cost)
    schema = rule_schema(features)
    return pa.RecordBatch.from_arrays(
        [column.cast(kind) for column, kind in zip(columns, schema.types, strict=True)], schema=schema
    )
