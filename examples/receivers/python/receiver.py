"""Receives webhooks and counts the standups of each team and day, in SQLite.

Run it behind a proxy with TLS.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from team_standup import WebhookVerificationError, verify_webhook
from team_standup.types import AnyEvent

MOST_BYTES = 1_000_000
KEYS = os.environ.get("WEBHOOK_SECRET", "").split()
DATABASE = os.environ.get("DATABASE", "standups.db")

TABLES = """
    CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS standups (team TEXT, date TEXT, posted INTEGER, PRIMARY KEY (team, date));
"""


def take(database: sqlite3.Connection, event: AnyEvent) -> None:
    """Does the work of an event, once. Its id and the work are one transaction: both are kept, or neither."""
    with database:
        new = database.execute("INSERT OR IGNORE INTO received VALUES (?)", (event["id"],))
        if new.rowcount == 1:
            work(database, event)


def work(database: sqlite3.Connection, event: AnyEvent) -> None:
    """Replace this. What cannot be rolled back, such as a mail, belongs into a table for a job of yours."""
    if event["type"] == "standup.created" and event["data"] is not None:
        count = "INSERT INTO standups VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET posted = posted + 1"
        database.execute(count, (event["data"]["team_id"], event["data"]["date"]))


class Receiver(BaseHTTPRequestHandler):
    # Seconds that a sender may be silent.
    timeout = 30

    def do_POST(self) -> None:
        self.send_response_only(self.receive())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        """Returns the status. Without a 2xx the service sends the event again."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return 411
        if len(length) > 9 or int(length) > MOST_BYTES:
            return 413
        body = self.rfile.read(int(length))
        try:
            event = verify_webhook(body, self.headers, KEYS)
        except WebhookVerificationError:
            return 400
        try:
            with closing(sqlite3.connect(DATABASE)) as database:
                take(database, event)
        except sqlite3.Error as error:
            self.log_error("not kept: %s", error)
            return 503
        return 204


def main() -> None:
    if not KEYS:
        raise SystemExit("WEBHOOK_SECRET is missing")
    with closing(sqlite3.connect(DATABASE)) as database:
        database.executescript(TABLES)
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "4000")))
    server = ThreadingHTTPServer(address, Receiver)
    print(f"Receiving at http://{address[0]}:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
