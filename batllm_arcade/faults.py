"""What an exception of the network means to a player. Imports requests."""

from __future__ import annotations

import requests
from urllib3 import exceptions as urllib3_errors

from batllm_arcade.wire import Oversized


def sentence(problem: BaseException, where: str, hint: str) -> tuple[str, bool]:
    """One plain sentence, and whether asking again may help; quotes nothing of the exception."""
    reason = _reason(problem)
    if isinstance(problem, Oversized):
        return f"{where} sent more than 1 MiB for one answer; use another model or server", True
    if isinstance(problem, UnicodeError):
        return f"{where} answered something that is not UTF-8 text; check base_url", False
    if isinstance(reason, urllib3_errors.ProxyError) or isinstance(problem, requests.exceptions.ProxyError):
        return f"the proxy on the way to {where} does not work; check the option proxy", True
    if isinstance(reason, urllib3_errors.SSLError) or isinstance(problem, requests.exceptions.SSLError):
        return f"{where} has no certificate this computer trusts; check base_url", False
    if isinstance(reason, urllib3_errors.NameResolutionError):
        return f"the name of {where} is not known here; check base_url and the network", True
    if isinstance(reason, urllib3_errors.NewConnectionError):
        return f"{where} does not take connections; {hint}", True
    if isinstance(problem, requests.ConnectTimeout) or isinstance(reason, urllib3_errors.ConnectTimeoutError):
        return f"{where} cannot be reached; {hint}", True
    if isinstance(reason, urllib3_errors.DecodeError):
        return f"{where} answered something that cannot be unpacked; check base_url", False
    if isinstance(problem, requests.exceptions.InvalidURL):
        return f"{where} is no address; check base_url", False
    return f"{where} hung up before its answer was complete; try again, or look at its log", True


def _reason(problem: BaseException) -> object:
    """What requests and urllib3 have wrapped."""
    inner = problem.args[0] if isinstance(problem, requests.RequestException) and problem.args else problem
    return getattr(inner, "reason", None) or inner
