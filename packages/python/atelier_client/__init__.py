"""The typed client of an Atelier server: one method per tool. It has no dependencies beyond the standard library."""

from .client import AsyncAtelier, Atelier
from .transport import AtelierConnectionError, AtelierProblem, Options

__all__ = ["AsyncAtelier", "Atelier", "AtelierConnectionError", "AtelierProblem", "Options"]
