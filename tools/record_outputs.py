"""Record anew what the commands give, for tests/recorded: all of it, or the cases whose names begin with a prefix.

    python tools/record_outputs.py
    python tools/record_outputs.py judges-

Do this only where numbers or words change on purpose, and say so in CHANGELOG.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main() -> None:
    """Record, and print the names of the files that are different now."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("prefixes", nargs="*", metavar="PREFIX", help="Cases to record.  [default: all]")
    prefixes = tuple(arguments.parse_args().prefixes) or ("",)
    sys.path.insert(0, str(TESTS))
    from recorded.recording import record

    with tempfile.TemporaryDirectory() as folder:
        for name in record(Path(folder), prefixes):
            print(name)


if __name__ == "__main__":
    main()
