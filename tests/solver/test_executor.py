"""Many questions at once: the same answers in the same order, wherever they are made, and through losses."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rules.core.errors import BestlineError
from solver.executor import executor

ITEMS = list(range(6))


def tripled(number: int) -> int:
    return 3 * number


def refused(number: int) -> int:
    if number == 2:
        raise BestlineError("two is refused")
    return number


def lost_once(item: tuple[str, int]) -> int:
    """Kill the process that works on it, the first time."""
    mark, number = Path(item[0]), item[1]
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def always_lost(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def slow(number: int) -> int:
    time.sleep(0.3)
    return os.getpid() * 10 + number


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_order(jobs: int) -> None:
    with executor(jobs) as where:
        assert list(where.map(tripled, iter(ITEMS))) == [0, 3, 6, 9, 12, 15]
        assert list(where.map(tripled, [])) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_refusal_comes_when_its_turn_has_come(jobs: int) -> None:
    with executor(jobs) as where:
        answers = where.map(refused, ITEMS)
        assert [next(answers), next(answers)] == [0, 1]
        with pytest.raises(BestlineError, match="two is refused"):
            next(answers)


def test_a_lost_process_costs_no_answer(tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    with executor(2) as where:
        assert list(where.map(lost_once, [(mark, number) for number in ITEMS])) == ITEMS
    assert Path(mark).exists()


def test_a_task_that_always_kills_its_process_is_named() -> None:
    with executor(2) as where:
        answers = where.map(always_lost, [0, 1])
        assert next(answers) == 0
        with pytest.raises(BestlineError, match="the process of question 2 was lost 3 times"):
            next(answers)


ENDLESS = """
import os, sys, time
from solver.executor import executor

def endless(number):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    with executor(2) as where:
        list(where.map(endless, range(2)))
"""


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_one_that_began_them(tmp_path: Path, end: signal.Signals) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS, "utf-8")
    root = str(Path(__file__).parents[2])
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        assert all(is_alive(each) for each in workers)
        parent.send_signal(end)
        parent.wait()
        for _ in range(100):
            if not any(is_alive(each) for each in workers):
                return
            time.sleep(0.1)
    pytest.fail("processes went on after the one that began them had ended")


def test_leaving_early_stops_what_still_runs() -> None:
    with executor(2) as where:
        answers = where.map(slow, range(200))
        worker = next(answers) // 10
        answers.close()  # type: ignore[attr-defined] # a generator, as every executor of processes gives
    for _ in range(50):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process went on after nobody waited for it")


@pytest.mark.slow
def test_a_cluster_answers_alike_and_survives_the_loss_of_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    processes: list[subprocess.Popen[bytes]] = []

    def started(*words: str) -> None:
        with (tmp_path / f"{len(processes)}.log").open("wb") as log:
            command = [sys.executable, "-m", *words]
            root = str(Path(__file__).parents[2])
            processes.append(
                subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path, env={**os.environ, "PYTHONPATH": root})
            )

    address = tmp_path / "scheduler.json"
    try:
        file = ("--scheduler-file", str(address))
        started("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *file)
        for _ in range(2):
            started("distributed.cli.dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "1", *file)
        for _ in range(300):
            if address.exists():
                break
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(address)) as client:
            client.wait_for_workers(2, timeout=60)
            contact = client.scheduler.address
        mark = str(tmp_path / "mark")
        with executor(cluster=contact) as where:
            assert list(where.map(tripled, ITEMS)) == [0, 3, 6, 9, 12, 15]
            # The worker kills itself in the middle of a task; the other one does all that is left.
            assert list(where.map(lost_once, [(mark, number) for number in ITEMS])) == ITEMS
        ended = [process.poll() for process in processes]
        assert ended.count(None) == 2
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_that_is_not_there_is_named() -> None:
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with pytest.raises(BestlineError, match="no scheduler answers there"), executor(cluster="nonsense://x"):
        pass


@pytest.mark.parametrize("place", ["SimpleQueue", "Lock"])
def test_where_there_is_no_room_for_processes_one_does_the_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(multiprocessing.get_context("spawn")), place, full)
    with executor(2) as where:
        assert list(where.map(tripled, ITEMS)) == [3 * number for number in ITEMS]
    assert capsys.readouterr().err == "one process instead of 2: No space left on device\n"
