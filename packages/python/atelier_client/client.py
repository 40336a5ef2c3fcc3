"""The clients: a blocking one, and one for asyncio."""

from __future__ import annotations

import asyncio
import base64
import os
import uuid
from typing import Any, Dict, Mapping, Optional, Union
from urllib.parse import quote as quoted

from .tools import KEYED_TOOLS, PICTURE_FIELDS, AsyncTools, Tools
from .transport import Options, Transport, accepted


class Atelier(Tools):
    """
    A client of one server. Images may be passed as bytes, paths or open files: they are uploaded first. A refused call raises
    AtelierProblem, one without a response AtelierConnectionError; calls that may succeed later are retried automatically.
    """

    def __init__(self, url: str, *, bearer: Optional[str] = None, retries: int = 3) -> None:
        """
        :param url: URL of the server, such as http://127.0.0.1:8080
        :param bearer: the payer: a wallet address, or a session or key of a wallet (atl_…)
        :param retries: maximum retries of a call that may succeed later
        """
        self._transport = Transport(url, bearer, retries)

    def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:
        """Calls a tool by its name."""
        given = options or Options()
        key = given.idempotency_key or (str(uuid.uuid4()) if tool in KEYED_TOOLS and not fields.get("dry_run") else None)
        sent = {name: self._with_handles(value, name in PICTURE_FIELDS[tool]) for name, value in fields.items()}

        def work() -> Dict[str, Any]:
            status, body = accepted(self._transport.send_tool(tool, sent, given, key))
            if status != 202:
                return body
            owner = sent.get("payer") or self._transport.bearer
            return accepted(self._transport.follow_job(str(body["job_id"]), given, owner))[1]

        return self._transport.retried(work)

    def quote(self, tool: str, **fields: Any) -> Dict[str, Any]:
        """Price and estimate of a call; nothing runs and nothing is charged."""
        return self.call(tool, {**fields, "dry_run": True})

    def upload(self, file: Union[bytes, "os.PathLike[str]", Any]) -> str:
        """Uploads a file; its handle is valid in any image field for an hour."""
        content, name = _content_of(file)
        path = f"/api/uploads?name={quoted(name[-200:])}" if name else "/api/uploads"
        return str(self._transport.retried(lambda: accepted(self._transport.send_file(path, content)))[1]["uri"])

    def download(self, answer: Mapping[str, Any]) -> bytes:
        """Downloads the file at the result_url of a response."""
        return self._transport.retried(lambda: self._transport.fetch(str(answer["result_url"])))

    def _with_handles(self, value: Any, is_picture: bool) -> Any:
        if isinstance(value, dict):
            return {name: self._with_handles(member, True) for name, member in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._with_handles(member, True) for member in value]
        if not _is_file(value):
            return value
        return self.upload(value) if is_picture else base64.b64encode(_content_of(value)[0]).decode()


class AsyncAtelier(AsyncTools):
    """The same client for asyncio. Each call waits in a thread, so that the event loop is not blocked."""

    def __init__(self, url: str, *, bearer: Optional[str] = None, retries: int = 3) -> None:
        """The parameters of Atelier."""
        self._waiting = Atelier(url, bearer=bearer, retries=retries)

    async def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:
        """Calls a tool by its name. `on_progress` is called in the thread of the call."""
        return await asyncio.to_thread(self._waiting.call, tool, fields, options)

    async def quote(self, tool: str, **fields: Any) -> Dict[str, Any]:
        """Price and estimate of a call; nothing runs and nothing is charged."""
        return await asyncio.to_thread(self._waiting.quote, tool, **fields)

    async def upload(self, file: Union[bytes, "os.PathLike[str]", Any]) -> str:
        """Uploads a file; its handle is valid in any image field for an hour."""
        return await asyncio.to_thread(self._waiting.upload, file)

    async def download(self, answer: Mapping[str, Any]) -> bytes:
        """Downloads the file at the result_url of a response."""
        return await asyncio.to_thread(self._waiting.download, answer)


def _is_file(value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, os.PathLike)) or hasattr(value, "read")


def _content_of(file: Any) -> tuple[bytes, str]:
    """The bytes of a file, and its name if it has one."""
    if isinstance(file, (bytes, bytearray)):
        return bytes(file), ""
    if isinstance(file, os.PathLike):
        with open(file, "rb") as opened:
            return opened.read(), os.path.basename(os.fspath(file))
    return file.read(), ""
