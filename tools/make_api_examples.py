"""Make the example responses in the description of the API: start a workbench and send it the example requests.

    python tools/make_api_examples.py

Needs the extra ``test``. tests/web/test_api.py checks that the examples are current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.api_examples import make_examples  # noqa: E402
from support.servers import serving  # noqa: E402

EXAMPLES = ROOT / "src" / "paragauge" / "web" / "examples.json"


def main() -> None:
    with serving() as (address, _), httpx.Client(base_url=address, timeout=120) as client:
        made = make_examples(client)
    EXAMPLES.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for name, value in made.items():
        print(f"{name}: {len(json.dumps(value)):,} characters")


if __name__ == "__main__":
    main()
