"""Requests to one server, and their responses."""

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
# A longer Retry-After ends the retries.
WAIT_S_MAX = 60.0
JOB_LOOK_S = 0.5


@dataclass(frozen=True)
class Options:
    """Options of one call."""

    idempotency_key: Optional[str] = None
    """Idempotency key: a repeated call with the same key is charged once. None: a new key for each call that costs credits or stores something."""
    as_job: bool = False
    """Runs the call as a job, which continues if this program ends, and waits for its result."""
    on_progress: Optional[Callable[[float, str], None]] = None
    """Receives the progress of the call, from 0 to 1, and a message."""
    timeout_s: float = 600.0
    """Timeout for the next bytes of the server."""


class AtelierConnectionError(Exception):
    """The service did not respond."""


class AtelierProblem(Exception):
    """An error response of the service: the message for people, `code` for programs."""

    def __init__(self, status: int, body: Dict[str, Any]) -> None:
        super().__init__(str(body.get("detail") or body.get("error") or f"The service answered {status}."))
        self.status = status
        self.code = str(body.get("code", "unknown"))
        self.is_retryable = body.get("retryable") is True
        self.retry_after_s: Optional[float] = body.get("retry_after_s")
        # The corrected input, if the service suggests one.
        self.corrected: Optional[Dict[str, Any]] = body.get("try")
        # The problem object (RFC 9457): `errors` by field, `fix`, `next_steps`.
        self.body = body


class Transport:
    """The connection to one server, with the payer."""

    def __init__(self, url: str, bearer: Optional[str], retries: int) -> None:
        self.base_url = url.rstrip("/")
        self.bearer = bearer
        self.retries = retries

    def send_tool(self, tool: str, fields: Dict[str, Any], options: Options, key: Optional[str]) -> Reply:
        """Calls a tool and follows its progress. Raises AtelierConnectionError if no response arrives."""
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
        """Uploads a file."""
        with self._open(path, content, {"Content-Type": "application/octet-stream"}) as response:
            return response.status, self._json(response)

    def read(self, path: str, bearer: Optional[str] = None) -> Reply:
        """Sends a GET."""
        with self._open(path, None, {}, bearer=bearer) as response:
            return response.status, self._json(response)

    def fetch(self, address: str) -> bytes:
        """Downloads the file at a URL from a response of the server. Raises AtelierProblem for an error response."""
        with self._open(address, None, {}) as response:
            if response.status == 200:
                return self._bytes(response)
            raise AtelierProblem(response.status, {})

    def follow_job(self, job_id: str, options: Options, owner: Optional[str]) -> Reply:
        """Polls a job until it has ended, and returns what the call itself would have returned."""
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
        """Repeats work if there is no response or the service says that a later call may succeed."""
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
        # A link may lead to another server, which must not receive the bearer.
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
    """The reply. Raises AtelierProblem for an error response."""
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
    # Up to 50 % of jitter, so that clients do not retry simultaneously.
    own: float = FIRST_WAIT_S * 2**attempt * (1 + random.random() / 2)
    if not isinstance(error, AtelierProblem):
        return own
    if not error.is_retryable:
        return None
    asked = own if error.retry_after_s is None else float(error.retry_after_s)
    return asked if asked <= WAIT_S_MAX else None
