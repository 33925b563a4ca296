"""Retries with exponential backoff, full jitter and a deadline."""

from .policy import Policy
from .retry import retry

__all__ = ["Policy", "retry"]
