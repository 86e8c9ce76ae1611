"""The command of doubters: a certificate checked by code that knows nothing of the search that wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError, escaped
from solver.commands.exit_codes import LIMIT_HIT, NEGATIVE
from solver.commands.settings import Settings, shared

if TYPE_CHECKING:
    from solver.checker.certificate import Certificate

LONGEST = 400
"""Signs of a reason that are shown: it may name what a file says, however long."""


@shared
def verify(
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="A file of 'bestline solve --proof' or of 'bestline audit --json', or -."
        ),
    ],
    settings: Settings,
) -> None:
    """Check a certificate, or the witnesses of an audit, by the rules.

    The exit code is 1 if one fails.
    """
    from solver.checker.check import check
    from solver.checker.layers import TooLarge
    from solver.checker.question import Rejected
    from solver.screens.proof import certificate_data, certificate_rows

    name = escaped(str(certificate))
    with opened_proof(certificate) as proof:
        if isinstance(proof, Mapping):
            _verify_witnesses(name, proof, settings)
            return
        try:
            checked = check(proof, settings.left_s)
        except (Rejected, TooLarge) as fault:
            failed, reason = isinstance(fault, Rejected), escaped(str(fault)[:LONGEST])
            told = {"file": name, "ok": False if failed else None, "reason": reason}
            settings.say(told, f"{'FAILS' if failed else 'open'}  {reason}")
            raise typer.Exit(NEGATIVE if failed else LIMIT_HIT) from None
    settings.show(lambda: {"file": name, **certificate_data(checked)}, lambda _: certificate_rows(checked))


def _verify_witnesses(name: str, audited: Mapping[str, Any], settings: Settings) -> None:
    from solver.checker.witness import check_witnesses
    from solver.screens.proof import witness_rows

    until = None if settings.left_s is None else monotonic() + settings.left_s
    checked, in_time = [], True
    for each in check_witnesses(audited):
        checked.append(each)
        in_time = until is None or monotonic() < until
        if not in_time:
            break
    ok = False if not all(each.ok for each in checked) else True if in_time else None
    witnesses = [{"id": each.id, "ok": each.ok, "text": each.words} for each in checked]
    settings.show(
        lambda: {"file": name, "ok": ok, "witnesses": witnesses},
        lambda _: witness_rows(checked, len(audited["findings"]), complete=in_time),
    )
    if ok is not True:
        raise typer.Exit(LIMIT_HIT if ok is None else NEGATIVE)


@contextmanager
def opened_proof(path: Path) -> Iterator[Certificate | Mapping[str, Any]]:
    """Yield the certificate or the answer of an audit in a file; ``-`` is standard input.

    Raises:
        BestlineError: there is no such file, or it is neither.
    """
    from solver.checker.certificate import Unreadable, opened

    with ExitStack() as stack:
        try:
            proof = stack.enter_context(opened(path))
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or fault
            raise BestlineError(escaped(f"{path}: cannot be read: {reason}")) from fault
        except Unreadable as fault:
            raise BestlineError(escaped(f"{path}: {str(fault)[:LONGEST]}")) from None
        yield proof


COMMANDS = {"verify": verify}
