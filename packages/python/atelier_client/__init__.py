"""The typed client of an Atelier server: one method a tool. It needs nothing but Python's own library."""

from .client import AsyncAtelier, Atelier
from .transport import AtelierConnectionError, AtelierProblem, Options

__all__ = ["AsyncAtelier", "Atelier", "AtelierConnectionError", "AtelierProblem", "Options"]
