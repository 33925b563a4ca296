"""What to retry, how often and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    attempts: int = 3
    base: float = 0.1
    cap: float = 5.0
    deadline: float = 10.0
    errors: tuple = (ConnectionError, TimeoutError)

    def bound(self, attempt):
        """Upper bound of the delay after this attempt, in seconds."""
        return min(self.cap, self.base * 2 ** (attempt - 1))
