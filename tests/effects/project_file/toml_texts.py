"""Random TOML texts in many styles: dotted and quoted keys, inline tables, arrays of tables, long strings."""

import json

from hypothesis import strategies as st

BARE = st.sampled_from(["a", "b", "run", "x-1", "0", "_y", "3-4"])
KEYS = BARE | st.sampled_from(["a.b", "", "é", 'q"', "[x]", "# no", "k = 1", "tab\t", "'"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=6) | st.sampled_from(
    ["# no comment", "[no.table]", "a = 1", "'''", '"', "\\", "two\nlines", "}", "]", ","]
)
SCALARS = st.one_of(
    TEXTS,
    st.integers(-99, 99),
    st.booleans(),
    st.floats(-9, 9),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=4)


@st.composite
def toml_texts(draw):
    """A text that tomllib accepts."""
    return "".join(_table(draw, (), draw(TABLES), draw(st.just(0)))) + draw(st.sampled_from(["", "# end"]))


def _table(draw, path, table, depth):
    """The lines of a table: its plain values first, then its subtables below headers of their own."""
    later = []
    for key, value in table.items():
        yield draw(st.sampled_from(["", "\n", "  ", "# a = [\n", "\t# '''\n"]))
        is_table = isinstance(value, dict)
        is_array = isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
        if (depth < 3 and is_table and draw(st.booleans())) or (
            depth < 3 and is_array and draw(st.booleans())
        ):
            later.append((key, value))
        elif is_table and value and draw(st.booleans()):
            for inner, item in value.items():
                yield f"{_key(draw, key)} . {_key(draw, inner)} = {_value(draw, item)}\n"
        else:
            yield f"{_key(draw, key)}{draw(st.sampled_from(['=', ' = ']))}{_value(draw, value)}"
            yield draw(st.sampled_from(["\n", "  # [x]\n", "\t\n"]))
    for key, value in later:
        inner = (*path, key)
        header = draw(st.sampled_from([".", " . "])).join(_key(draw, part) for part in inner)
        if isinstance(value, dict):
            yield f"[{header}] # '\n"
            yield from _table(draw, inner, value, depth + 1)
        else:
            for item in value:
                yield f"[[ {header} ]]\n"
                yield from _table(draw, inner, item, depth + 1)


def _key(draw, key):
    if key and all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in key):
        return draw(st.sampled_from([key, f'"{key}"', f"'{key}'"]))
    return _basic(key)


def _value(draw, value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return draw(st.sampled_from(_strings(value)))
    if isinstance(value, list):
        gap = draw(st.sampled_from([" ", "\n", "\n  # ] ,\n"]))
        comma = draw(st.sampled_from(["", ","])) if value else ""
        return "[" + gap + f",{gap}".join(_value(draw, item) for item in value) + comma + gap + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(draw, k)} = {_value(draw, v)}" for k, v in value.items()) + " }"
    return repr(value)


def _strings(text):
    styles = [_basic(text), f'"""\n{_basic(text)[1:-1]}"""', f'"""{_basic(text)[1:-1]} \\\n  """']
    if "'" not in text and "\n" not in text:
        styles.append(f"'{text}'")
    if "'''" not in text and not text.endswith("'"):
        styles.append(f"'''\n{text}'''")
    return styles


def _basic(text):
    return json.dumps(text, ensure_ascii=False)
