"""What a card of a venture does once it is paid for: its list of ops on a board, with orders to hand and deck (R36)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.iditacards.card_effects import cards_drawn, raised
from rules.iditacards.content import ALL, Card, Effect
from rules.iditacards.dogs import PLACERS, count_dogs
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.orders import (
    ANYWHERE,
    ASIDE,
    BOARD_OPS,
    DRAW,
    EMPTY_HAND,
    GAIN,
    KEEP,
    RECALL,
    REFILL,
    SIFT,
    Carried,
    Way,
    Ways,
    holding,
)
from rules.iditacards.odds.scope import READERS, SECOND_OPS
from rules.iditacards.risk import Resolution, Signal, holds_now, played_now, run_alone, runs, suppressed


class Effects:
    """Effects of cards on boards, each worked out once; the deck has ``pool`` cards at most."""

    def __init__(self, boards: Boards, carried: Carried, pool: int) -> None:
        self._boards = boards
        self._carried = carried
        self._pool = pool
        self._raises: dict[object, tuple[int, int]] = {}
        self._resolved: dict[tuple[str, int, tuple[str, ...]], list[Ways]] = {}

    def forget(self) -> None:
        """Let go of all that was worked out."""
        self._resolved.clear()

    def resolved(self, number: int, pos: int, card: Card, doubling: tuple[str, ...] = ()) -> Ways:
        """Return every way in which a card takes effect that is paid for, above cards that may double it (R36)."""
        pieces = self._resolved.setdefault((card.id, number, doubling), [])
        known = holding(pieces, pos)
        if known is not None:
            return known
        low, high = ANYWHERE
        ways = [Way((), number, 0)]
        put = PLACERS.get(card.type)
        if put is not None:
            low, high, placed = self._boards.piece(
                ("place", card.id), number, pos, lambda turn, seat: put(turn, seat, card.id), anywhere=True, places=True
            )
            ways = list(placed)
        times = 1
        if doubling:
            first, last = self._boards.zone(pos)
            low, high = max(low, first), min(high, last)
            turn, seat = self._boards.question(number, pos)
            times = runs(turn, seat, [played_now(turn, each) for each in doubling])
        for _ in range(times):
            done: list[Way] = []
            for way in ways:
                if way.lost or way.waits:
                    done.append(way)
                    continue
                for first, last in self._listed(way, pos, card, done):
                    low, high = max(low, first), min(high, last)
            ways = list(dict.fromkeys(done))
        found = (low, high, tuple(ways))
        pieces.append(found)
        return found

    def _listed(self, start: Way, pos: int, card: Card, done: list[Way]) -> Iterator[tuple[int, int]]:
        """Add the ways through a card's list of ops (R36, R37); yield the places, before all, for which they hold."""
        if all(map(self._carried.idle, card.instant)):
            done.append(start)
            return
        place = pos + start.by
        judged = [True] * len(card.instant)
        if card.type in ("sled", "movement", "utility"):
            low, high, (kept,) = self._boards.piece(
                ("suppressed", card.type),
                start.board,
                place,
                lambda turn, seat: Signal.SKIP_REST if suppressed(turn, seat, card) else None,
            )
            yield low - start.by, high - start.by
            if kept.skips:
                done.append(start)
                return
        if any(effect.when or effect.unless for effect in card.instant):
            turn, seat = self._boards.question(start.board, place)
            frame = played_now(turn, card.id)
            judged = [holds_now(turn, seat, frame, effect) for effect in card.instant]
        ways = [start]
        for effect, each in zip(card.instant, judged, strict=True):
            if not each or self._carried.idle(effect):
                continue
            going: list[Way] = []
            for way in ways:
                low, high, after = self._op(way, pos + way.by, card, effect)
                yield low - way.by, high - way.by
                for result in after:
                    _, board, by, lost, over, waits, skips = result
                    both = Way(way.orders + result.orders, board, way.by + by, lost, over, waits)
                    (done if lost or waits or skips else going).append(both)
            ways = going
        done.extend(ways)

    def _op(self, way: Way, pos: int, card: Card, effect: Effect) -> Ways:
        number = way.board
        name, args = effect.op, effect.args
        if name in BOARD_OPS:
            key = (name, card.type, tuple(sorted((each, repr(value)) for each, value in args.items())))
            return self._boards.piece(key, number, pos, lambda turn, seat: run_alone(turn, seat, card, effect))
        after = Way((), number, 0)
        if name == "draw":
            n = cards_drawn(args, lambda: count_dogs(*self._boards.question(number, pos)))
            after = after._replace(orders=((DRAW, n),) if n else ())
        elif name == "heal":
            order = KEEP if self._carried.keeps else SIFT
            after = after._replace(orders=((order, self._raised(number, card, "heal_bonus", args["of"])),))
        elif name == "see":
            after = after._replace(orders=((ASIDE, self._raised(number, card, "heal_bonus", args["n"])),))
        elif name == "supply":
            board = self._boards.board(number)
            more = self._raised(number, card, "take_bonus", args["n"]) if args["n"] else 0
            grown = board._replace(supply=min(self._carried.supply, board.supply + more))
            after = after._replace(board=self._boards.number(grown))
        elif name == "destroy_hand":
            after = after._replace(orders=((EMPTY_HAND, 0),))
        elif name == "discard_to_deck":
            after = after._replace(orders=((REFILL, 0),))
        elif name in READERS:
            which = self._carried.recall(card, args["tag"] if name == "recover_tag" else args["n"])
            after = after._replace(orders=((RECALL, which),) if which >= 0 else ())
        elif name == "new_day":
            after = after._replace(lost=not self._boards.board(number).finished)
        elif name == "destroy_next" or self._number_taken(number, card, effect):
            after = after._replace(waits=True)
        return *ANYWHERE, (after,)

    def second(self, number: int, pos: int, card: Card) -> Ways:
        """Return the second step of a card (R40); cards set aside have gone back into the deck already."""
        effect = next(effect for effect in card.instant if effect.op in SECOND_OPS)
        if effect.op == "destroy_next":
            return *ANYWHERE, (Way((), number, 0),)
        board = self._boards.board(number)
        taken = min(board.supply, self._number_taken(number, card, effect))
        after = self._boards.number(board._replace(supply=board.supply - taken))
        return *ANYWHERE, (Way(((GAIN, taken),) if taken else (), after, 0),)

    def _number_taken(self, number: int, card: Card, effect: Effect) -> int:
        """Return how many cards a second step takes at most, bonuses included (R41)."""
        return self._number(number, card, "take_bonus", effect.args["n"], 0)[0]

    def _raised(self, number: int, card: Card, bonus: str, printed: int | str) -> int:
        """Return how many cards an op looks at or turns over, bonuses included (R41)."""
        return self._pool if printed == ALL else self._number(number, card, bonus, 0, printed)[1]

    def _number(self, number: int, card: Card, bonus: str, n: int | str, of: int | str) -> tuple[int, int]:
        """Return both numbers of an op; they read nothing of a board but the cards in play (R41)."""
        key = (card.id, bonus, n, of, self._boards.board(number).dogs)
        known = self._raises.get(key)
        if known is None:
            turn, seat = self._boards.question(number, 0)
            resolution = Resolution(card, played_now(turn, card.id))
            more, out_of = raised(turn, seat, resolution, bonus, n, of)
            known = self._raises[key] = (int(more), int(out_of))
        return known
