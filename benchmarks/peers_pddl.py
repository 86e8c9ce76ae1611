"""Facts as a planning task: PDDL with types, negative preconditions and costs; a turn costs 1, its steps nothing.

A turn is a few actions, so that what a tool has to ground stays small: the play, one payment a card in ascending
order, the settlement of the hand's size, the health, the draw, the end. Of equal cards in hand the one that came first
is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.peers_facts import START, WON, Arc, Facts

DOMAIN = """(define (domain day)
(:requirements :typing :negative-preconditions :conditional-effects :action-costs)
(:types place arc card kind amount)
(:constants {constants})
(:predicates
 (from ?a - arc ?p - place) (to ?a - arc ?p - place) (else ?a - arc ?p - place) (free ?p ?q - place)
 (bill ?a - arc ?energy ?health ?draws - amount) (uses ?a - arc ?k - kind) (turns ?a - arc ?k - kind)
 (turns-nothing ?a - arc) (one-less ?n ?m - amount) (lower ?b ?c - card) (no-card ?c - card)
 (settled ?size ?taken ?left - amount) (short ?size ?taken ?due ?left - amount)
 (enough ?deck ?health ?after - amount) (lacking ?deck ?health - amount)
 (drawn ?deck ?draws ?after - amount) (drawn-card ?deck ?draws - amount ?c - card)
 (grown ?deck ?draws ?size ?larger - amount) (last ?n - amount)
 (at ?p - place) (hand ?c - card) (deck ?n - amount) (size ?n - amount)
 (doing ?a - arc) (due ?n - amount) (taken ?n - amount) (paid ?c - card) (wound ?n - amount) (draws ?n - amount)
 (hurting) (drawing) (ending) (failing))
(:functions (total-cost) - number)
(:action free
 :parameters (?p ?q - place)
 :precondition (and (at ?p) (free ?p ?q))
 :effect (and (not (at ?p)) (at ?q)))
(:action settle
 :parameters (?zero ?taken ?size ?left - amount ?c - card)
 :precondition (and (due ?zero) (last ?zero) (taken ?taken) (size ?size) (paid ?c) (settled ?size ?taken ?left))
 :effect (and (not (due ?zero)) (not (taken ?taken)) (not (paid ?c)) (not (size ?size)) (size ?left) (hurting)))
(:action cannot-pay
 :parameters (?due ?taken ?size ?left ?wound ?draws - amount ?none - card)
 :precondition (and (due ?due) (taken ?taken) (size ?size) (paid ?none) (no-card ?none)
  (short ?size ?taken ?due ?left) (wound ?wound) (draws ?draws))
 :effect (and (not (due ?due)) (not (taken ?taken)) (not (paid ?none)) (not (size ?size)) (size ?left)
  (not (wound ?wound)) (not (draws ?draws)) (failing)))
(:action lose-health
 :parameters (?deck ?wound ?after - amount)
 :precondition (and (hurting) (deck ?deck) (wound ?wound) (enough ?deck ?wound ?after))
 :effect (and (not (hurting)) (not (wound ?wound)) (not (deck ?deck)) (deck ?after) (drawing)))
(:action collapse
 :parameters (?deck ?wound ?draws ?empty - amount)
 :precondition (and (hurting) (deck ?deck) (wound ?wound) (draws ?draws) (lacking ?deck ?wound) (last ?empty))
 :effect (and (not (hurting)) (not (wound ?wound)) (not (draws ?draws)) (not (deck ?deck)) (deck ?empty) (failing)))
(:action draw
 :parameters (?deck ?draws ?after ?size ?larger - amount)
 :precondition (and (drawing) (deck ?deck) (draws ?draws) (size ?size)
  (drawn ?deck ?draws ?after) (grown ?deck ?draws ?size ?larger))
 :effect (and (not (drawing)) (not (draws ?draws)) (not (deck ?deck)) (deck ?after) (not (size ?size)) (size ?larger)
  (forall (?c - card) (when (drawn-card ?deck ?draws ?c) (hand ?c))) (ending)))
(:action end
 :parameters (?a - arc ?p - place)
 :precondition (and (ending) (doing ?a) (to ?a ?p))
 :effect (and (not (ending)) (not (doing ?a)) (at ?p)))
(:action fail
 :parameters (?a - arc ?p - place)
 :precondition (and (failing) (doing ?a) (else ?a ?p))
 :effect (and (not (failing)) (not (doing ?a)) (at ?p)))
"""
"""All that does not depend on the cards; ``last`` is the number 0, of cards due and of cards left in the deck alike."""

_BEGUN = """(not (at ?p)) (doing ?a) (due ?e) (taken {taken}) (paid none) (wound ?h) (draws ?d)
  (increase (total-cost) 1)"""
_PLAY = """(:action play-c{number}
 :parameters (?a - arc ?p - place ?e ?h ?d ?t - amount)
 :precondition (and (at ?p) (from ?a ?p) (uses ?a {kind}) (bill ?a ?e ?h ?d) (one-less ?t ?e) (hand c{number}){first})
 :effect (and (not (hand c{number})) {begun}))
(:action pay-c{number}
 :parameters (?n ?m - amount ?b - card)
 :precondition (and (due ?n) (one-less ?n ?m) (paid ?b) (lower ?b c{number}) (hand c{number}){first})
 :effect (and (not (hand c{number})) (not (due ?n)) (due ?m) (not (paid ?b)) (paid c{number})))
"""
_TURN_UP = """(:action turn-up-{left}
 :parameters (?a - arc ?p - place ?e ?h ?d - amount)
 :precondition (and (at ?p) (from ?a ?p) (turns ?a {kind}) (bill ?a ?e ?h ?d) (deck n{left}))
 :effect (and (not (deck n{left})) (deck n{after}) {begun}))
"""
_IN_VAIN = """(:action in-vain
 :parameters (?a - arc ?p - place ?e ?h ?d - amount)
 :precondition (and (at ?p) (from ?a ?p) (turns-nothing ?a) (bill ?a ?e ?h ?d) (deck n0))
 :effect (and {begun}))
"""


def domain(facts: Facts) -> str:
    """Return the domain: the flow of cards, with actions for every single card."""
    constants = ["none - card", *(f"c{number} - card" for number in range(len(facts.cards)))]
    constants += [f"{card} - kind" for card in sorted(set(facts.cards))]
    constants += [f"n{number} - amount" for number in range(len(facts.cards) + 1)]
    parts = [DOMAIN.format(constants=" ".join(constants))]
    held = len(facts.hand)
    for number, card in enumerate(facts.cards):
        first = "".join(f" (not (hand c{other}))" for other in facts.earlier(number))
        begun = _BEGUN.format(taken="?t")
        parts.append(_PLAY.format(number=number, kind=card, first=first, begun=begun))
        if number >= held:
            left = len(facts.cards) - number
            begun = _BEGUN.format(taken="?e")
            parts.append(_TURN_UP.format(left=left, after=left - 1, kind=card, begun=begun))
    parts.append(_IN_VAIN.format(begun=_BEGUN.format(taken="?e")))
    return "".join([*parts, ")\n"])


def problem(facts: Facts) -> str:
    """Return the problem: the places and arcs, the deck in its order, what is in the hand, and the sums of numbers."""
    objects = [f"{_place(place)} - place" for place in (WON, *range(facts.places))]
    objects += [f"a{number} - arc" for number in range(len(facts.arcs))]
    return "\n".join(
        [
            "(define (problem puzzle) (:domain day)",
            "(:objects",
            *objects,
            ")",
            "(:init (= (total-cost) 0)",
            *_static(facts),
            f"(at {_place(START)}) (deck n{len(facts.deck)}) (size n{len(facts.hand)})",
            *(f"(hand c{number})" for number in range(len(facts.hand))),
            ")",
            f"(:goal (at {_place(WON)}))",
            "(:metric minimize (total-cost)))\n",
        ]
    )


def _place(number: int) -> str:
    return "won" if number == WON else f"p{number}"


def _static(facts: Facts) -> Iterator[str]:
    for number, arc in enumerate(facts.arcs):
        yield from _arc(f"a{number}", arc)
    for source, target in facts.free:
        yield f"(free {_place(source)} {_place(target)})"
    yield from _order(facts)
    yield from _sums(facts)


def _arc(name: str, arc: Arc) -> Iterator[str]:
    yield f"(from {name} {_place(arc.source)}) (to {name} {_place(arc.target)}) (else {name} {_place(arc.failed)})"
    yield f"(bill {name} n{arc.energy} n{arc.health} n{arc.draws})"
    if not arc.from_deck:
        yield f"(uses {name} {arc.card})"
    else:
        yield f"(turns {name} {arc.card})" if arc.card else f"(turns-nothing {name})"


def _order(facts: Facts) -> Iterator[str]:
    """Yield the order in which cards pay: by kind, and of one kind as they came to the hand."""
    yield "(no-card none) (last n0)"
    ranks = sorted(range(len(facts.cards)), key=lambda number: (facts.cards[number], number))
    for place, number in enumerate(ranks):
        yield f"(lower none c{number})"
        for after in ranks[place + 1 :]:
            yield f"(lower c{number} c{after})"


def _sums(facts: Facts) -> Iterator[str]:
    """Yield what the actions need of addition and subtraction, up to the numbers that occur."""
    most, size, held = len(facts.cards), len(facts.deck), len(facts.hand)
    for number in range(most):
        yield f"(one-less n{number + 1} n{number})"
    bills = {(arc.energy, arc.energy + (not arc.from_deck)) for arc in facts.arcs}
    for taken in sorted({taken for _, taken in bills}):
        for cards in range(taken, most + 1):
            yield f"(settled n{cards} n{taken} n{cards - taken})"
    for due, taken in sorted(bills):
        for cards in range(taken - due, taken):
            yield f"(short n{cards} n{taken} n{due} n{cards - (taken - due)})"
    for left in range(size + 1):
        for health in sorted({arc.health for arc in facts.arcs}):
            yield f"(enough n{left} n{health} n{left - health})" if health <= left else f"(lacking n{left} n{health})"
        for draws in sorted({arc.draws for arc in facts.arcs}):
            drawn = min(left, draws)
            yield f"(drawn n{left} n{draws} n{left - drawn})"
            for number in range(drawn):
                yield f"(drawn-card n{left} n{draws} c{held + size - left + number})"
            for cards in range(most - drawn + 1):
                yield f"(grown n{left} n{draws} n{cards} n{cards + drawn})"
