"""Prints the table of the notes: each row doubles the one before, up to a limit."""


def rows(first, limit, count):
    value = first
    for number in range(1, count + 1):
        yield number, min(value, limit)
        value *= 2


if __name__ == "__main__":
    for number, value in rows(0.1, 5.0, 8):
        print(f"{number}  {value:.1f} s")
