"""Write the checksums of manifests that have none, or whose text was merged from two versions.

Nothing else changes: every data file must have the digest that its manifest says, and the digests that signatures carry
stay the same.

Example:
    python tools/sign_resources.py src/paragauge/data
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from paragauge.resource import CHECKSUM, MANIFEST, Manifest, ResourceFile, check_files, describe_file, parse_manifest


def sign(folder: Path) -> Manifest:
    """Write the manifest of *folder* with its checksum, those of the resources inside it first."""
    path = folder / MANIFEST
    data = json.loads(path.read_text(encoding="utf-8"))
    data.pop(CHECKSUM, None)
    manifest = parse_manifest(json.dumps(data), str(folder))
    inside = {name for name in manifest.files if name.endswith(f"/{MANIFEST}")}
    others = {name: file for name, file in manifest.files.items() if name not in inside}
    check_files(folder, replace(manifest, files=others), str(folder))
    files: dict[str, ResourceFile] = {}
    for name, file in manifest.files.items():
        if name in inside:
            sign((folder / name).parent)
        files[name] = describe_file(folder / name) if name in inside else file
    signed = replace(manifest, files=files)
    if signed.digest() != manifest.digest():
        raise SystemExit(f"{folder}: the digest would change from {manifest.digest()} to {signed.digest()}")
    path.write_text(signed.to_json(), encoding="utf-8")
    return signed


def main() -> None:
    """Sign all resources below the folders on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        for path in sorted(folder.rglob(MANIFEST)):
            if not any((parent / MANIFEST).exists() for parent in path.parent.parents):
                print(path.parent, sign(path.parent).digest())


if __name__ == "__main__":
    main()
