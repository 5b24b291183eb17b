"""The process a model lives in: requests as JSON lines on standard input, answers on standard output."""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
from collections.abc import Callable, Mapping
from typing import Any

from batllm_arcade.processes.lines import Output, json_line, messages


def serve(arguments: str) -> None:
    """Answer requests until standard input is closed; `arguments` are the process's settings as JSON."""
    settings = json.loads(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is for the program, which ends this in good order
    output = Output()
    work: queue.SimpleQueue[tuple[int, dict[str, Any]]] = queue.SimpleQueue()
    unwanted: set[int] = set()
    threading.Thread(target=_read_requests, args=(work, unwanted), daemon=True).start()
    try:
        server = _load(settings)
    except Exception as error:  # noqa: BLE001 - whatever an engine raises, the answer is one sentence
        output.write(json_line({"id": 0, "error": {"message": f"the model cannot be loaded: {error}"}}))
        return
    output.write(json_line({"id": 0}))
    while True:
        number, body = work.get()
        # One at a time: two requests in one batch would change each other's last digits.
        answer = _complete(server, body, lambda: number in unwanted)  # noqa: B023 - called before the next
        output.write(json_line({"id": number, **answer}))


def _read_requests(work: queue.SimpleQueue[tuple[int, dict[str, Any]]], unwanted: set[int]) -> None:
    for message in messages():
        if "body" in message:
            work.put((message["id"], message["body"]))
        else:
            unwanted.add(message["id"])
    os._exit(0)  # the program has gone, however it went; nothing here is worth finishing


def _load(settings: Mapping[str, Any]) -> Any:
    import secrets

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.n_ctx, params.kv_unified = settings["n_ctx"], settings["kv_unified"]
    params.n_parallel, params.cache_ram_mib = 2, 0  # a slot for each seat
    params.n_batch = 128  # between batches it notices that an answer is no longer wanted
    params.verbosity = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    # It always opens a port on this machine: nobody else shall use it.
    params.api_keys, params.ui = [secrets.token_urlsafe(32)], False
    return xllamacpp.Server(params)


def _complete(server: Any, body: dict[str, Any], unwanted: Callable[[], bool]) -> dict[str, Any]:
    """Return the whole answer to a request, or its error."""
    chunks: list[dict[str, Any]] = []

    def take(chunk: dict[str, Any]) -> bool:
        chunks.append(chunk)
        return unwanted()

    if unwanted():
        return {"error": {"message": "given up"}}
    ask = server.handle_chat_completions if "messages" in body else server.handle_completions
    ask({**body, "stream": True, "return_progress": True}, take)
    answer: dict[str, Any] = {"text": "", "tokens": {}, "weights": {}, "cached": 0}
    for chunk in chunks:
        if "error" in chunk:
            return {"error": chunk["error"]}
        _add(answer, chunk)
    return answer


def _add(answer: dict[str, Any], chunk: Mapping[str, Any]) -> None:
    for choice in chunk.get("choices", ()):
        answer["text"] += choice.get("text") or choice.get("delta", {}).get("content") or ""
        for token in (choice.get("logprobs") or {}).get("content", ()):
            answer["weights"] = answer["weights"] or {top["token"]: top["prob"] for top in token.get("top_probs", ())}
    answer["cached"] = chunk.get("timings", {}).get("cache_n", answer["cached"])
    usage = chunk.get("usage")
    if usage:
        answer["tokens"] = {"prompt": usage["prompt_tokens"], "completion": usage["completion_tokens"]}
