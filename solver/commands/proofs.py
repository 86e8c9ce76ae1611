"""The command of doubters: a certificate checked by code that knows nothing of the search that wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands.exit_codes import LIMIT_HIT, NEGATIVE
from solver.commands.settings import Settings, shared

if TYPE_CHECKING:
    from solver.checker.archive import Archive
    from solver.checker.certificate import Certificate

HEADING = "Proofs"


@shared
def verify(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A file of 'bestline solve --proof' or of 'bestline audit --json'."),
    ],
    settings: Settings,
) -> None:
    """Check a certificate, or the witnesses of an audit, by the rules.

    The exit code is 1 if one fails.
    """
    from solver.checker.archive import check_proof
    from solver.checker.check import Rejected
    from solver.checker.closed import TooLarge
    from solver.render import draw
    from solver.screens.proof import certificate_data, certificate_rows

    name = str(certificate)
    audited = _audit_in(certificate)
    if audited is not None:
        _verify_witnesses(name, audited, settings)
        return
    try:
        checked = check_proof(load_certificate(certificate), settings.left_s)
    except (Rejected, TooLarge) as fault:
        failed = isinstance(fault, Rejected)
        if settings.json:
            settings.answer_json({"file": name, "ok": False if failed else None, "reason": str(fault)})
        else:
            settings.answer(f"{'FAILS' if failed else 'open'}  {fault}")
        raise typer.Exit(NEGATIVE if failed else LIMIT_HIT) from None
    if settings.json:
        settings.answer_json({"file": name, **certificate_data(checked)})
    else:
        settings.answer(draw(certificate_rows(checked), settings.style))


def _audit_in(path: Path) -> dict[str, Any] | None:
    """Return the answer of an audit that a file holds, or nothing if it holds something else."""
    import json

    from solver.checker.witness import is_audit

    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return data if is_audit(data) else None


def _verify_witnesses(name: str, audited: dict[str, Any], settings: Settings) -> None:
    from solver.checker.witness import check_witnesses
    from solver.render import draw
    from solver.screens.proof import witness_rows

    checked = list(check_witnesses(audited))
    ok = all(each.ok for each in checked)
    if settings.json:
        witnesses = [{"id": each.id, "ok": each.ok, "text": each.words} for each in checked]
        settings.answer_json({"file": name, "ok": ok, "witnesses": witnesses})
    else:
        settings.answer(draw(witness_rows(checked, len(audited["findings"])), settings.style))
    if not ok:
        raise typer.Exit(NEGATIVE)


def load_certificate(path: Path) -> Certificate | Archive:
    """Return the certificate in a file.

    Raises:
        BestlineError: there is no such file, or it is no certificate.
    """
    from solver.checker.archive import is_archive, read_archive
    from solver.checker.certificate import Unreadable, read_certificate

    try:
        if is_archive(path):
            return read_archive(path)
        return read_certificate(path.read_bytes())
    except OSError as fault:
        raise BestlineError(f"{path}: cannot be read: {fault.strerror}") from fault
    except Unreadable as fault:
        raise BestlineError(f"{path}: {fault}") from None


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("verify", rich_help_panel=HEADING)(verify)
