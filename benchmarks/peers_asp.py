"""Facts as a logic program for an incremental horizon: one step a turn, one query a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchmarks.peers_facts import START, WON, Arc, Facts

PROGRAM = """
#program base.
at(start,0). left(n,0). hand(C,0) :- dealt(C).

#program step(t).
{ stand(Q,t) : stays(P,Q) } = 1 :- at(P,t-1), P != won.
{ do(A,t) : arc(A,P,_,_,_,_,_,_,_) } = 1 :- stand(P,t).

% A card of the hand is played, of equal ones the first; or the next risk is turned up.
{ play(C,t) : hand(C,t-1), card(C,K) } = 1 :- do(A,t), arc(A,_,hand,K,_,_,_,_,_).
:- play(C,t), earlier(B,C), hand(B,t-1).
:- do(A,t), arc(A,_,deck,K,_,_,_,_,_), left(L,t-1), not top(L,K).
shown(L,t) :- do(A,t), arc(A,_,hand,_,_,_,_,_,_), left(L,t-1).
shown(L-1,t) :- do(A,t), arc(A,_,deck,_,_,_,_,_,_), left(L,t-1), L > 0.
shown(0,t) :- do(A,t), arc(A,_,deck,_,_,_,_,_,_), left(0,t-1).

% Energy is paid with the hand, of equal cards with the first; where that is too small the play fails.
held(C,t) :- hand(C,t-1), stand(_,t), not play(C,t).
short(t) :- do(A,t), arc(A,_,_,_,E,_,_,_,_), E > 0, #count { C : held(C,t) } < E.
{ pay(C,t) : held(C,t) } = E :- do(A,t), arc(A,_,_,_,E,_,_,_,_), not short(t).
:- pay(C,t), earlier(B,C), held(B,t), not pay(B,t).

% Health is paid with the deck; where that is too small the play fails, and the deck is gone.
collapsed(t) :- do(A,t), arc(A,_,_,_,_,H,_,_,_), shown(L,t), L < H, not short(t).
failed(t) :- short(t).
failed(t) :- collapsed(t).
after(L-H,t) :- do(A,t), arc(A,_,_,_,_,H,_,_,_), shown(L,t), not failed(t).
draw(L,D,t) :- do(A,t), arc(A,_,_,_,_,_,D,_,_), after(L,t).

at(Q,t) :- do(A,t), arc(A,_,_,_,_,_,_,Q,_), not failed(t).
at(F,t) :- do(A,t), arc(A,_,_,_,_,_,_,_,F), failed(t).
left(L,t) :- short(t), shown(L,t).
left(0,t) :- collapsed(t).
left(L-D,t) :- draw(L,D,t), L >= D.
left(0,t) :- draw(L,D,t), L < D.
hand(C,t) :- held(C,t), not pay(C,t).
hand(C,t) :- draw(L,D,t), below(I,C), I <= L, I > L-D.

#program check(t).
#external query(t).
:- query(t), not at(won,t).
"""
"""All that does not depend on the cards; ``n`` is the size of the deck, ``below(I,C)``: C has I cards from it down."""


def program(facts: Facts) -> str:
    """Return the program of the cards, without the plays; its parts ``step`` and ``check`` are for a turn at a time."""
    return "\n".join([f"#const n = {len(facts.deck)}.", "#program base.", *_cards(facts), PROGRAM])


def plays(arcs: Iterable[Arc], free: Iterable[tuple[int, int]], first: int = 0) -> str:
    """Return arcs, numbered from ``first`` on, and free actions as facts.

    They may come a turn at a time: what the last one adds nobody can play before it.
    """
    lines: list[str] = []
    sources: dict[int, None] = {}
    for number, arc in enumerate(arcs, first):
        sources[arc.source] = None
        way = f"{'deck' if arc.from_deck else 'hand'},{_kind(arc.card)},{arc.energy},{arc.health},{arc.draws}"
        lines.append(f"arc({number},{_place(arc.source)},{way},{_place(arc.target)},{_place(arc.failed)}).")
    lines += [f"stays({_place(source)},{_place(source)})." for source in sources]
    lines += [f"stays({_place(source)},{_place(target)})." for source, target in free]
    return "\n".join(lines)


def _cards(facts: Facts) -> Iterator[str]:
    held, most = len(facts.hand), len(facts.cards)
    for number, card in enumerate(facts.cards):
        yield f"card({number},{_kind(card)})."
        for other in facts.earlier(number):
            yield f"earlier({other},{number})."
        yield f"dealt({number})." if number < held else f"below({most - number},{number})."
    for number, card in enumerate(facts.deck):
        yield f"top({len(facts.deck) - number},{_kind(card)})."
    yield "top(0,nothing)."


def _place(number: int) -> str:
    return {WON: "won", START: "start"}.get(number, str(number))


def _kind(card: str) -> str:
    return f"c_{card}" if card else "nothing"
