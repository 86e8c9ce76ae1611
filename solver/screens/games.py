"""The words and JSON of whole games: records judged step by step, luck apart from error, and simulated races."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from rules.core.tools.output import picked, plain, stated
from solver.render import EMPTY, Row, table
from solver.screens import common

if TYPE_CHECKING:
    from solver.tools.review import Judged, Review
    from solver.tools.simulate import Luck, Simulation

SAMPLED: Final = "what is 'about': against the best move that a sample finds, with what the player knew"
"""How decisions are judged of which nothing exact is known."""
SURE: Final = {"decided": "", "close": ", too close to call", "undecided": ", not settled"}
"""How sure a sampled loss is, behind it."""


def review_answer(position: Position, found: Review) -> dict[str, Any]:
    """Return the answer of ``review``: each step with what it lost or, by chance, brought; seats count from 0."""
    lost, impossible, goal = plain(found.lost), list(found.impossible_after), found.goal
    own = {} if goal is None else {"lost": lost[0], "impossible_after": impossible[0], "breaks_the_goal": found.broken}
    asked = {"objective": "win"} if goal is None else common.goal_data(goal)
    steps = {"goal": asked, "steps": list(map(_step, found.steps)), "lost": lost, "impossible_after": impossible}
    sums = {"luck": str(found.luck), "turning_points": list(found.turning), **picked(found, "unknown", "interrupted")}
    return common.answer_of("review", position, {**steps, **own, **sums})


def _step(each: Judged) -> dict[str, Any]:
    guess = each.guess
    goal = None if guess is None or guess.goal is None else common.goal_data(guess.goal)
    return {
        "step": each.text,
        "by": "chance" if each.by_chance else "player",
        **picked(each, "seat", "before", "after"),
        "luck" if each.by_chance else "loss": plain(each.loss),
        "method": "sampled" if guess else "exact" if each.known else "none",
        **stated(better=each.better),
        **({"sample": {**plain(guess), "goal": goal}, "verdict": guess.verdict} if guess else {}),
        **stated(sampled_luck=each.luck),
        "mark": each.mark,
    }


def review_rows(position: Position, goal: Goal | None, found: Review) -> list[Row]:
    """Return the record step by step, and the sums; ``goal`` is the one that was asked, none for who wins."""
    game, name = position.game, position.game.profile.seat_name
    words = common.words_for(found.goal, game)
    sampled, late = any(each.guess for each in found.steps), [_too_late(found, n, name) for n in found.impossible_after]
    if goal is None or found.goal is None:
        against = "the best move that a sample finds, with what the player knew" if sampled else "everybody's best play"
        rows = [Row(f"Every decision against {against}.", look="title"), EMPTY]
    else:
        rows = [Row(common.goal_sentence(goal, position)), *common.chance_rows(goal, found.goal), EMPTY]
    if found.impossible_after[0] == 0:
        rows += [Row(f"proved: {late[0]}", label="IMPOSSIBLE", look="bad"), EMPTY]
    several = len(found.lost) > 1
    cells: list[Sequence[str]] = [("", *[""] * several, "step", "", "could have", "")]
    for number, each in enumerate(found.steps, start=1):
        who = ["chance" if each.seat is None else name(each.seat)] if several else []
        guess = each.guess
        by = words._replace(goal=guess.goal) if guess and guess.goal and words.goal else words
        value, span = (each.before, None) if guess is None else (guess.value, guess.interval)
        cells.append((str(number), *who, each.text, by.bar(value, span), _before(by, each), _judgement(by, each, name)))
    rows += table(cells, indent=2, headed=True, bars=2 + several)
    ends = [found.steps[number - 1] if number else None for number in found.impossible_after]
    goes = [end is not None and end.change is None and not end.by_chance for end in ends]
    """By seat: a decision lost more than can be counted."""
    lucks = [each.luck for each in found.steps if each.luck is not None]
    turning = [(number, found.steps[number - 1]) for number in found.turning]
    broken = "" if found.broken is None else f"{found.broken} {found.steps[found.broken - 1].text}"
    turned = [f"{n} {step.text} ({'luck' if step.by_chance else step.mark or 'decision'})" for n, step in turning]
    part = f", as far as is {'proved' if sampled else 'known'}" if found.unknown or sampled else ""
    lost = [f"{_loss(words, loss)} by decisions" for loss in found.lost]
    unknown = f"{common.count(found.unknown, 'step')}{' not judged exactly' * (found.goal is None)}"
    facts = [
        (f"{name(seat)} lost" if several else "lost", f"{text}{', besides the goal itself' * goes[seat]}{part}")
        for seat, text in enumerate(lost)
        if found.lost[seat] or goes[seat] or not sampled  # what samples say stands with the steps
    ]
    facts += [
        ("luck", f"{_luck(words, found.luck, name)}{part}" if found.luck or not sampled else ""),
        ("sampled", SAMPLED if sampled and found.goal else ""),
        ("chance", _total(lucks, common.unit_of(game).name) if lucks else ""),
        ("turned", "; ".join(turned)),
        ("forbidden", broken and f"{broken}: the goal does not allow it, so nothing after it counts"),
        ("too late", "; ".join(filter(None, late))),
        ("unknown", f"{unknown}; --time allows more" if found.unknown else ""),
        ("left out", f"{common.count(found.past, 'step')} after the end of what was asked" if found.past else ""),
    ]
    return [*rows, *common.known_rows(position, facts)]


def _before(words: common.Words, each: Judged) -> str:
    if (guess := each.guess) is not None:
        if words.goal is not None and words.is_chance and guess.interval is not None:  # never as if it were sure
            low, high = guess.interval
            if common.tells_nothing(2, guess.interval):
                return common.TOO_FEW
            if guess.value in (0, 1):
                return f"over {floor(low * 100)} %" if guess.value else f"under {ceil(high * 100)} %"
        return common.about(words.about(guess.value))
    if each.before is not None:
        return words.value(each.before)
    if words.goal is None or (each.by_chance and not each.known):
        return ""
    lost = "no move left" if words.objective is Objective.MAX_DISTANCE else "out of reach"
    return lost if each.known else "not known"


def _judgement(words: common.Words, each: Judged, name: Callable[[int], str]) -> str:
    if each.luck is not None:
        over = f" in {each.luck.draws} draws" if each.luck.draws > 1 else ""
        return f"luck about {float(each.luck.luck):+.1f}{over}" if each.luck.is_settled else ""
    if each.by_chance:
        return _luck(words, each.change, name) if each.change else ""
    guess, loss = each.guess, each.loss
    if loss is None and not each.mark:
        return "" if each.known else "not known"
    sure = SURE[guess.verdict] if guess else ""
    verb = "may lose" if sure else "loses"
    lost = f"{verb} {_loss(words, loss, is_sampled=guess is not None)}{sure}" if loss else ""
    return ", ".join(filter(None, (each.mark, lost, each.better and f"better: {each.better}")))


def _loss(words: common.Words, loss: Fraction, *, is_sampled: bool = False) -> str:
    """Return a loss with its unit; that of a sample is no number to be trusted to the last digit."""
    is_round = is_sampled and not (words.goal is None or words.is_chance)
    return common.about(words.loss(Fraction(f"{float(loss):.1f}") if is_round else loss), is_sampled)


def _luck(words: common.Words, luck: Fraction, name: Callable[[int], str]) -> str:
    side = f"{'good' if luck > 0 else 'bad'} luck" if words.goal else f"luck of {name(int(luck < 0))}"
    return f"{side}, {_loss(words, abs(luck))}" if luck else "none"


def _total(lucks: list[Luck], unit: str) -> str:
    total = sum(float(each.luck) for each in lucks)
    off = sqrt(sum(((high - low) / 2) ** 2 for low, high in (each.interval for each in lucks)))
    low, high = total - off, total + off
    sure = "good luck" if low > 0 else "bad luck" if high < 0 else "good or bad luck is not settled"
    turns = common.count(max(each.turns for each in lucks), "turn")
    within = common.interval_text(f"{low:+.1f}", f"{high:+.1f}")
    return (
        f"about {total:+.1f} {unit}s in all, {within}: {sure}; that is "
        f"how much further the rule of thumb gets in {turns} after what came up than before it"
    )


def _too_late(found: Review, number: int | None, name: Callable[[int], str]) -> str:
    """Return when nothing was left to be had; a distance can be had as long as there is a move."""
    if number is None:
        return ""
    when = f"after step {number}" if number else "from the start"
    if found.goal is None:
        return f"{name(found.steps[number - 1].seat or 0)} could not win {when}"
    if found.goal.objective is Objective.MAX_DISTANCE:
        return f"{when} every way to play came to a turn with no move that the goal allows"
    return f"the goal was out of reach {when}"


# Simulated races


def simulation_answer(found: Simulation) -> dict[str, Any]:
    """Return the answer of ``simulate``: every race, the means, and the differences on the same draws."""
    request = found.request
    first, *others = request.players
    data = {
        "goal": common.goal_data(found.goal),
        "seed": request.seed,
        "effort": {"playouts": request.playouts} if request.move_s is None else {"time_s": request.move_s},
        "asked": request.games,
        "games": len(found.games),
        "most_turns": request.most_turns,
        "players": [found.player_data(player) for player in request.players],
        "differences": [found.compared(first, other) for other in (others if found.games else ())],
        "interrupted": found.interrupted,
    }
    return common.answer_of("simulate", found.position, data)


def simulation_rows(found: Simulation) -> list[Row]:
    """Return the answer on a screen."""
    from solver.tools.simulate import BEST

    request, answer = found.request, simulation_answer(found)
    rows = [Row(common.goal_sentence(found.goal, found.position)), EMPTY]
    if not found.games:
        return [*rows, Row("no game was played to its end before the limit", label="UNKNOWN", look="open")]
    cells = [
        (each["player"], f"{_about(each)} turns", f"{each['finished']} of {answer['games']} there")
        for each in answer["players"]
    ]
    cells += [(" and ".join(each["players"]), "", _comparison(each)) for each in answer["differences"]]
    spent = f"{request.playouts} playouts" if request.move_s is None else f"{request.move_s:g} s"
    given_up = any(each["bound"] for each in answer["players"])
    facts = [
        ("games", f"{answer['games']} of {request.games}, on the same cards and rolls; seed {request.seed}"),
        ("given up", f"races not over after {request.most_turns} turns: counted as longer" if given_up else ""),
        ("each move", f"{spent} for {BEST}" if BEST in request.players else ""),
        ("rules", f"{found.position.ruleset.id} {found.position.fingerprint}"),
    ]
    return [*rows, *table(cells, indent=2), *common.known_rows(found.position, facts)]


def _comparison(difference: Mapping[str, Any]) -> str:
    score = f"{difference['players'][0]} is quicker in {difference['quicker']}, slower in {difference['slower']}"
    if not difference["mean"]:
        return score
    least, most = difference["interval"] or (-1.0, 1.0)
    sure = "" if least > 0 or most < 0 else ": the sample does not settle who is quicker"
    return f"{score}; it takes {_about(difference)} turns more{sure}"


def _about(told: Mapping[str, Any]) -> str:
    mean, interval = f"{told['mean']:.2f}", told["interval"]
    if told.get("bound"):
        return f"{told['bound']} {mean}"
    return mean if interval is None else f"{mean} ({common.interval_text(*(f'{each:.2f}' for each in interval))})"
