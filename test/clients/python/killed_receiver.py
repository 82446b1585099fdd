"""Runs the sample receiver, and kills it with SIGKILL during one delivery: before its commit, or after it."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys

sys.path.insert(0, sys.argv[1])

import receiver
from team_standup.types import AnyEvent

place = os.environ["DIE"]
left = int(os.environ["DELIVERIES"])
take, work = receiver.take, receiver.work


def take_or_die(database: sqlite3.Connection, event: AnyEvent) -> None:
    global left
    left -= 1
    take(database, event)
    die_at("after-commit")


def work_or_die(database: sqlite3.Connection, event: AnyEvent) -> None:
    work(database, event)
    die_at("before-commit")


def die_at(here: str) -> None:
    if left == 0 and place == here:
        os.kill(os.getpid(), signal.SIGKILL)


receiver.take, receiver.work = take_or_die, work_or_die
receiver.main()
