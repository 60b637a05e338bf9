"""Changed resources whose manifests fit them: what somebody would send who knows how they are made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def sign_again(folder: Path, **entries: Any) -> None:
    """Make the manifest of *folder*, and those inside it, describe the files as they are now, with other *entries*."""
    for inside in sorted(folder.iterdir()):
        if (inside / "manifest.json").exists() and (inside / "manifest.json").read_text() != "{}":
            sign_again(inside)
    path = folder / "manifest.json"
    data = {**json.loads(path.read_text(encoding="utf-8")), **entries}
    data.pop("checksum", None)
    if "files" not in entries:
        for name in data["files"]:
            content = (folder / name).read_bytes()
            data["files"][name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    data["checksum"] = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(data), encoding="utf-8")
