"""The one-line position code: everything a position says, in letters, digits, ``-``, ``_`` and ``.``.

``bl2.<game>.<ruleset>.<fingerprint>.<content>.<checksum>``, where the ruleset is the name of a shipped one or, after an
underscore, the packed table of a variant. The content is the position in a compact binary form, deflated against the
starting position of the same ruleset. The checksum covers everything before it, so no single wrong, missing, swapped
or added character goes unseen. The fingerprint keeps a code from being read under rules that have changed. In codes
of version ``bl1`` a zone that is left out is empty.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final

from rules.core.errors import BestlineError, ContentError
from rules.core.files import Source, canonical_json, decoded, excess_of, read_text
from rules.core.registry import Ruleset, Setting, game_names
from rules.core.ruleset import load_inline_ruleset, load_ruleset

_VERSION: Final = "bl2"
_BARE: Final = "bl1"
"""Version of codes in which a zone that is left out is empty."""
_MOST_BYTES: Final = 1 << 20
_LARGEST: Final = 1 << 64
"""No number of a position is larger; seeds have so many bits."""

# Tags of the binary form: small whole numbers and frequent words are one byte each.
_SMALL: Final = 64
_NUMBER, _NEGATIVE, _NULL, _FALSE, _TRUE, _END, _LIST, _TABLE, _LITERAL, _WORD = range(_SMALL, _SMALL + 10)
_FIRST_WORD: Final = _SMALL + 16
_CONSTANTS: Final = {_NULL: None, _FALSE: False, _TRUE: True, _END: ...}


def encode_position(setting: Setting, tables: Mapping[str, Any]) -> str:
    """Return the code of a position whose file in short form has these tables; equal positions have equal codes."""
    ruleset, packed_rules = setting.ruleset, tables["ruleset"]
    if not isinstance(packed_rules, str):
        packed_rules = "_" + _to_text(zlib.compress(canonical_json(packed_rules).encode("ascii"), 9))
    body = {name: tables[name] for name in ("players", "options", "chance", "state")}
    words = ruleset.definition.words(ruleset)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_dictionary(ruleset, setting.players, words))
    content = bytes([setting.players]) + compressor.compress(_pack(body, words)) + compressor.flush()
    text = ".".join((_VERSION, ruleset.game, packed_rules, ruleset.fingerprint, _to_text(content)))
    return f"{text}.{_checksum(text)}"


def decoded_position(code: str) -> tuple[dict[str, Any], bool]:
    """Return what a position file of a code's position says, and whether zones that it leaves out are empty.

    Raises:
        BestlineError: the code is damaged, is of another version, or belongs to rules that have changed since.
    """
    text, _, checksum = code.strip().rpartition(".")
    version = text.partition(".")[0]
    if version not in (_VERSION, _BARE):
        raise BestlineError(f"the position code begins with '{version}', but this bestline reads '{_VERSION}' codes")
    parts = text.split(".")
    if checksum != _checksum(text) or len(parts) != 5:
        raise BestlineError("the position code is damaged: its checksum does not fit; copy it again as a whole")
    _, game, rules, fingerprint, content = parts
    reference, ruleset = _ruleset(game, rules)
    if ruleset.fingerprint != fingerprint:
        raise BestlineError(
            f"the position code was made with rules of the fingerprint {fingerprint}, but '{ruleset.id}' has "
            f"{ruleset.fingerprint} here: the rules have changed; make a new code from the position's file"
        )
    words = ruleset.definition.words(ruleset)
    raw = _from_text(content)
    players, raw = raw[:1], raw[1:]
    try:
        inflater = zlib.decompressobj(-15, zdict=_dictionary(ruleset, players[0], words))
        body = _unpack(BytesIO(inflater.decompress(raw, _MOST_BYTES)), words)
        if not isinstance(body, dict) or excess_of(body) is not None:
            raise IndexError
    except (zlib.error, IndexError, OverflowError, UnicodeDecodeError, RecursionError):
        raise BestlineError("the position code cannot be read; make it again from the position's file") from None
    return {"game": game, "ruleset": reference, **body}, version == _BARE


def _ruleset(game: str, rules: str) -> tuple[str | dict[str, Any], Ruleset]:
    if game not in game_names():
        raise BestlineError(f"the position code is for the game '{game}', which this bestline does not know")
    if not rules.startswith("_"):
        return rules, load_ruleset(rules, game=game)
    try:
        table = dict(read_text(decoded(zlib.decompressobj().decompress(_from_text(rules[1:]), _MOST_BYTES))).data)
        return table, load_inline_ruleset(Source(table, ""), game=game)
    except (zlib.error, ContentError) as error:
        raise BestlineError(
            f"the variant in the position code cannot be read here: {'; '.join(str(error).splitlines())}"
        ) from None


def _dictionary(ruleset: Ruleset, players: int, words: Sequence[str]) -> bytes:
    """Return text that the content of most codes repeats: the fields of a position, and all words."""
    definition = ruleset.definition
    seats: dict[str, Any] = {name: [{}] * players for name in ("players", "seats")}
    fields = definition.state_schema().fields
    body = {
        "chance": {"lists": {}, "open": sorted(definition.sources), "seed": 0},
        "options": {},
        "players": players,
        "state": {name: each for name, each in seats.items() if name in fields and fields[name].schema.accepts(each)},
    }
    return _pack(list(words), words) + _pack(body, words)


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode('ascii', 'replace')):08x}"


def _to_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def _from_text(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BestlineError("the position code cannot be read; make it again from the position's file") from None


def _pack(value: Any, words: Sequence[str]) -> bytes:
    return bytes(_packed(value, {word: place for place, word in enumerate(words)}))


def _packed(value: Any, places: Mapping[str, int]) -> Iterator[int]:
    if value is None or isinstance(value, bool):
        yield _NULL if value is None else _TRUE if value else _FALSE
    elif isinstance(value, int):
        if not 0 <= value < _SMALL:
            yield _NUMBER if value >= 0 else _NEGATIVE
            yield from _size(abs(value))
        else:
            yield value
    elif isinstance(value, str):
        place = places.get(value)
        if place is None:
            raw = value.encode()
            yield from (_LITERAL, *_size(len(raw)), *raw)
        elif place + _FIRST_WORD < 256:
            yield place + _FIRST_WORD
        else:
            yield from (_WORD, *_size(place + _FIRST_WORD - 256))
    elif isinstance(value, Mapping):
        yield _TABLE
        for name in sorted(value):
            yield from _packed(name, places)
            yield from _packed(value[name], places)
        yield _END
    else:
        yield _LIST
        for element in value:
            yield from _packed(element, places)
        yield _END


def _size(value: int) -> Iterator[int]:
    while value >= 128:
        yield value % 128 + 128
        value //= 128
    yield value


def _unpack(raw: BytesIO, words: Sequence[str]) -> Any:
    """Return the next value of a binary form, or ``...`` where a list or table ends.

    Raises:
        IndexError: the form is cut off, names an unknown word or has a key that is no text.
    """
    tag = raw.read(1)[0]
    if tag < _SMALL:
        return tag
    if tag >= _FIRST_WORD:
        return words[tag - _FIRST_WORD]
    if tag in _CONSTANTS:
        return _CONSTANTS[tag]
    if tag in (_NUMBER, _NEGATIVE):
        return _read_size(raw) if tag == _NUMBER else -_read_size(raw)
    if tag == _WORD:
        return words[_read_size(raw) + 256 - _FIRST_WORD]
    if tag == _LITERAL:
        return raw.read(_read_size(raw)).decode()
    members = list(iter(partial(_unpack, raw, words), ...))
    if tag == _LIST:
        return members
    if tag != _TABLE or len(members) % 2 or not all(isinstance(name, str) for name in members[::2]):
        raise IndexError(tag)
    return dict(zip(members[::2], members[1::2], strict=True))


def _read_size(raw: BytesIO) -> int:
    size, factor = 0, 1
    while True:
        part = raw.read(1)[0]
        size += part % 128 * factor
        if part < 128:
            return size
        if factor > _LARGEST:
            raise IndexError(factor)
        factor *= 128
