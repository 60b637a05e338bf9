"""Record the output of the commands again for tests/recorded: all cases, or those whose names start with a prefix.

    python tools/record_outputs.py
    python tools/record_outputs.py judges-

Do this only if numbers or texts change on purpose, and record the change in CHANGELOG.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main() -> None:
    """Record, and print the names of the files that changed."""
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
