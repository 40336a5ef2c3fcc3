"""Requests to one server, and what its answers mean."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple, TypeVar

T = TypeVar("T")
Reply = Tuple[int, Dict[str, Any]]

FIRST_WAIT_S = 0.5
# A longer Retry-After is not waited for.
WAIT_S_MAX = 60.0
JOB_LOOK_S = 0.5


@dataclass(frozen=True)
class Options:
    """How one call is sent."""

    idempotency_key: Optional[str] = None
    """Names the purchase, so that it is paid once however often it is sent. None: a new name for each call that costs or keeps something."""
    as_job: bool = False
    """Hands the work to a job, which goes on if this program ends, and waits for it."""
    on_progress: Optional[Callable[[float, str], None]] = None
    """Receives how far the call is, from 0 to 1, and what it does."""
    timeout_s: float = 600.0
    """How long to wait for the next bytes of the server."""


class AtelierConnectionError(Exception):
    """The call did not come to an answer of the service."""


class AtelierProblem(Exception):
    """What the service refused, in its own words: the message for a person, `code` for a program."""

    def __init__(self, status: int, body: Dict[str, Any]) -> None:
        super().__init__(str(body.get("detail") or body.get("error") or f"The service answered {status}."))
        self.status = status
        self.code = str(body.get("code", "unknown"))
        self.is_retryable = body.get("retryable") is True
        self.retry_after_s: Optional[float] = body.get("retry_after_s")
        # The corrected input, where there is one.
        self.corrected: Optional[Dict[str, Any]] = body.get("try")
        # The whole problem (RFC 9457): `errors` field by field, `fix`, `next_steps`.
        self.body = body


class Transport:
    """One server, and who pays there."""

    def __init__(self, url: str, bearer: Optional[str], retries: int) -> None:
        self.base_url = url.rstrip("/")
        self.bearer = bearer
        self.retries = retries

    def send_tool(self, tool: str, fields: Dict[str, Any], options: Options, key: Optional[str]) -> Reply:
        """Calls a tool and follows its progress. Raises AtelierConnectionError where no answer arrives."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if options.on_progress:
            headers["Accept"] = "text/event-stream, application/json"
        if options.as_job:
            headers["Prefer"] = "respond-async"
        if key:
            headers["Idempotency-Key"] = key
        with self._open(f"/api/tools/{tool}", json.dumps(fields).encode(), headers, options.timeout_s) as response:
            if response.headers.get_content_type() == "text/event-stream":
                return _last_event(response, options)
            return response.status, self._json(response)

    def send_file(self, path: str, content: bytes) -> Reply:
        """Sends a file as it is."""
        with self._open(path, content, {"Content-Type": "application/octet-stream"}) as response:
            return response.status, self._json(response)

    def read(self, path: str, bearer: Optional[str] = None) -> Reply:
        """Asks for something that is read."""
        with self._open(path, None, {}, bearer=bearer) as response:
            return response.status, self._json(response)

    def fetch(self, address: str) -> bytes:
        """The bytes behind an address that the server has answered. Raises AtelierProblem where it refuses them."""
        with self._open(address, None, {}) as response:
            if response.status == 200:
                return self._bytes(response)
            raise AtelierProblem(response.status, {})

    def follow_job(self, job_id: str, options: Options, owner: Optional[str]) -> Reply:
        """Looks at a job until it has ended, and answers as the call itself would have."""
        while True:
            status, body = self.read(f"/api/jobs/{job_id}", owner)
            state = body.get("state")
            if status != 200:
                return status, body
            if state == "succeeded":
                return 200, body["result"]
            if state == "failed":
                return int(body["problem"]["status"]), body["problem"]
            if state == "canceled":
                return 410, {"code": "job_canceled", "detail": "The job was canceled."}
            if options.on_progress:
                progress = body.get("progress") or {}
                options.on_progress(float(progress.get("fraction", 0)), str(progress.get("message") or state))
            time.sleep(JOB_LOOK_S)

    def retried(self, work: Callable[[], T]) -> T:
        """Does work again where no answer came or the service says that a later call may succeed."""
        attempt = 0
        while True:
            try:
                return work()
            except (AtelierConnectionError, AtelierProblem) as error:
                pause = _pause_after(error, attempt) if attempt < self.retries else None
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1

    def _open(self, path: str, content: Optional[bytes], headers: Dict[str, str], timeout_s: float = 600.0, bearer: Optional[str] = None) -> Any:
        address = path if path.startswith(("http://", "https://")) else self.base_url + path
        payer = bearer or self.bearer
        # A link may lead to another server, which has no business with who pays here.
        if payer and address.startswith(f"{self.base_url}/"):
            headers = {**headers, "Authorization": f"Bearer {payer}"}
        try:
            return urllib.request.urlopen(urllib.request.Request(address, content, headers), timeout=timeout_s)
        except urllib.error.HTTPError as refused:
            return refused
        except (OSError, http.client.HTTPException) as error:
            raise AtelierConnectionError(f"No server answers at {self.base_url} ({error}).") from error

    def _json(self, response: Any) -> Dict[str, Any]:
        try:
            body = json.loads(self._bytes(response))
        except ValueError:
            body = None
        if isinstance(body, dict):
            return body
        raise AtelierConnectionError(f"{self.base_url} answered {response.status} without JSON: is Atelier running there?")

    def _bytes(self, response: Any) -> bytes:
        try:
            return bytes(response.read())
        except (OSError, http.client.HTTPException) as error:
            raise AtelierConnectionError(f"The connection to {self.base_url} ended early ({error}).") from error


def accepted(reply: Reply) -> Reply:
    """The reply, unless it refuses: then AtelierProblem is raised."""
    if reply[0] >= 400:
        raise AtelierProblem(*reply)
    return reply


def _last_event(response: Any, options: Options) -> Reply:
    event, data = "", ""
    try:
        for raw in response:
            line = raw.decode().rstrip("\r\n")
            if line.startswith("event:"):
                event = line[6:].strip()
            elif line.startswith("data:"):
                data += line[5:].strip()
            elif line == "" and data:
                message, kind = json.loads(data), event
                event, data = "", ""
                if kind == "result":
                    return int(message["status"]), message["body"]
                if kind == "progress" and options.on_progress:
                    options.on_progress(float(message["fraction"]), str(message["message"]))
    except (OSError, http.client.HTTPException) as error:
        raise AtelierConnectionError(f"The connection ended before the answer came ({error}).") from error
    raise AtelierConnectionError("The connection ended before the answer came. The same call can be sent again.")


def _pause_after(error: Exception, attempt: int) -> Optional[float]:
    # Up to half as much again, so that clients do not come back together.
    own: float = FIRST_WAIT_S * 2**attempt * (1 + random.random() / 2)
    if not isinstance(error, AtelierProblem):
        return own
    if not error.is_retryable:
        return None
    asked = own if error.retry_after_s is None else float(error.retry_after_s)
    return asked if asked <= WAIT_S_MAX else None
