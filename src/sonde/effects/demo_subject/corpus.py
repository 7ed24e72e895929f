"""The inputs that the demo's benchmarks pack: made by rule, so that they are the same on every machine."""

from collections.abc import Iterator

TEXT_BYTES = 240_000
IMAGE_BYTES = 240_000
LOG_BYTES = 300_000

_SYLLABLES = (
    *("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta"),
    *("ve", "wi", "xo", "yu", "za", "bre", "cli", "dro", "sta", "ter", "ing", "ment", "al", "en"),
)
_MESSAGES = (
    "connection accepted from the gate",
    "request for the list of parts was answered",
    "cache holds all parts of the list",
    "worker goes to sleep until the next request",
    "Warning: the answer took longer than the limit allows",
)


def corpus() -> dict[str, bytes]:
    """The inputs by name: prose, an image of coloured points, and a log that repeats itself."""
    return {"text.txt": _text(), "image.bin": _image(), "log.txt": _log()}


def _numbers(seed: int) -> Iterator[int]:
    """An endless row of numbers below 2**16 that look random."""
    state = seed
    while True:
        # The multiplier and increment of Knuth's MMIX.
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 48


def _text() -> bytes:
    numbers = _numbers(1)
    words = ["".join(_SYLLABLES[next(numbers) % 30] for _ in range(1 + i % 4)) for i in range(1200)]
    lines, line, size, starts = [], "", 0, True
    while size < TEXT_BYTES:
        # A product of two numbers prefers the first words, as people do.
        word = words[next(numbers) * next(numbers) * len(words) >> 32]
        line += word.capitalize() if starts else word
        starts = next(numbers) % 9 == 0
        line += ". " if starts else " "
        if len(line) > 70:
            lines.append(line.rstrip())
            size += len(line)
            line = ""
    return "\n".join(lines).encode()[: TEXT_BYTES - 1] + b"\n"


def _image() -> bytes:
    numbers = _numbers(2)
    row_bytes = 600
    image = bytearray()
    colour = [60, 120, 180]
    while len(image) < IMAGE_BYTES:
        if image and next(numbers) % 4 == 0:
            image += image[-row_bytes:]
            continue
        for i in range(row_bytes):
            middle = 60 + 60 * (i % 3)
            step = next(numbers) % 16
            change = step - 1 if step < 3 else 0
            colour[i % 3] = min(max(colour[i % 3] + change, middle - 5), middle + 5)
            image.append(colour[i % 3])
    return bytes(image[:IMAGE_BYTES])


def _log() -> bytes:
    numbers = _numbers(3)
    lines, size, second = [], 0, 0
    while size < LOG_BYTES:
        second += next(numbers) % 3
        message = _MESSAGES[next(numbers) * next(numbers) * len(_MESSAGES) >> 32]
        clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        line = f"day 1, {clock} worker {next(numbers) % 4}: {message}"
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines).encode()[: LOG_BYTES - 1] + b"\n"
