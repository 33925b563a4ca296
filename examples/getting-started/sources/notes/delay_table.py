"""Prints the bounds of exponential backoff, as the notes quote them."""


def bounds(base, factor, cap, attempts):
    """The upper bound of the delay before each attempt, in seconds."""
    return [min(cap, base * factor**n) for n in range(attempts)]


if __name__ == "__main__":
    for number, bound in enumerate(bounds(0.1, 2, 5.0, 8), start=1):
        print(f"{number}  {bound:.1f} s")
