"""The loop."""

import random
import time


def retry(call, policy, clock=time.monotonic, sleep=time.sleep, rng=random):
    """Calls until it succeeds, the attempts are used up or the deadline leaves no room for another."""
    end = clock() + policy.deadline
    for attempt in range(1, policy.attempts + 1):
        try:
            return call()
        except policy.errors:
            delay = rng.uniform(0, policy.bound(attempt))
            if attempt == policy.attempts or clock() + delay > end:
                raise
            sleep(delay)
