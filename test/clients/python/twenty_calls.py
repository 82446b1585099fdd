"""Makes the twenty calls of docs/clients.md, and prints what came of each."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from team_standup import (
    Client,
    ProblemError,
    WebhookVerificationError,
    follow_events,
    paginate,
    verify_webhook,
)

url = os.environ["STANDUP_URL"]
client = Client(url, os.environ["OWNER_TOKEN"])
narrow = Client(url, os.environ["NARROW_TOKEN"])
results: dict[str, object] = {}
deliveries: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        deliveries.put((dict(self.headers.items()), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def is_refused(body: bytes, headers: dict[str, str], key: str, now: float | None = None) -> bool:
    try:
        verify_webhook(body, headers, key, now=now)
    except WebhookVerificationError:
        return True
    return False


me = client.get_me()
results["1 getMe"] = [me["role"], me["principal"]["name"]]

team = client.create_team({"slug": "python", "name": "Python"})
results["2 createTeam"] = [team["slug"], team["revision"]]
results["3 listTeams"] = sorted(one["slug"] for one in paginate(client.list_teams, limit=1))
results["4 getTeam"] = client.get_team("Python")["id"] == team["id"]

posted = client.post_standup({"team": "python", "update": "Wrote the client."}, idempotency_key="first")
results["5 postStandup"] = [posted["team"], posted["update"], posted["source"]]
again = client.post_standup({"team": "python", "update": "Wrote the client."}, idempotency_key="first")
results["6 the same key"] = again["id"] == posted["id"]
results["7 getStandup"] = client.get_standup(posted["id"]) == posted
edited = client.edit_standup(posted["id"], {"update": "Wrote and tested the client."}, if_match=posted)
results["8 editStandup"] = [edited["update"], edited["revision"]]
try:
    client.edit_standup(posted["id"], {"update": "Wrote it."}, if_match=posted)
except ProblemError as problem:
    results["9 a stale If-Match"] = [problem.status, problem.code, problem.request_id.startswith("req_")]

for update in ("Reviewed a change.", "Planned the next one."):
    client.post_standup({"team": "python", "update": update})
results["10 listStandups"] = [
    one["update"] for one in paginate(client.list_standups, team=["python"], limit=2)
]
results["11 a search"] = [one["update"] for one in client.list_standups(team="python", q="REVIEWED")["data"]]
day = client.get_team_day("python", posted["date"])
results["12 getTeamDay"] = [day["team"], [len(person["standups"]) for person in day["people"]]]

blocker = client.raise_blocker({"team": "python", "text": "The build is red."})
results["13 raiseBlocker"] = [blocker["state"], blocker["text"]]
results["14 changeBlocker"] = client.change_blocker(blocker["id"], {"state": "resolved"}, if_match=blocker)[
    "state"
]
absence = client.create_absence({"kind": "away", "from": posted["date"], "reason": "Vacation"})
results["15 createAbsence"] = [absence["kind"], absence["from"] == posted["date"], absence["reason"]]

receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{receiver.server_port}/hooks"
webhook = client.create_webhook(
    {"url": address, "events": ["standup.created"], "signature_versions": ["v1", "v1a"]}
)
cursor = next(follow_events(client, types=["standup.*"], wait=1)).cursor
last = client.post_standup({"team": "python", "update": "Sent by webhook."})
headers, body = deliveries.get(timeout=30)
public_key = webhook["public_key"] or ""
event = verify_webhook(body, headers, webhook["secret"])
results["16 createWebhook"] = {
    "v1": event["type"],
    "v1a": verify_webhook(body, headers, public_key) == event,
    "changed": [is_refused(body + b" ", headers, key) for key in (webhook["secret"], public_key)],
    "old": [is_refused(body, headers, key, time.time() + 310) for key in (webhook["secret"], public_key)],
}
while (delivery := client.list_deliveries(webhook["id"])["data"][0])["state"] != "succeeded":
    time.sleep(0.05)
results["17 listDeliveries"] = [delivery["event_id"] == event["id"], delivery["attempts"]]
followed = next(follow_events(client, cursor, types=["standup.*"]))
results["18 followEvents"] = [
    one["data"] is not None and one["data"]["id"] == last["id"]
    for one in followed.events
    if one["type"] == "standup.created"
]

try:
    client.post_standup({"team": "python", "update": ""})
except ProblemError as problem:
    results["19 a wrong body"] = [
        problem.status,
        problem.code,
        [one.get("pointer") for one in problem.errors],
    ]
try:
    narrow.create_team({"slug": "other", "name": "Other"})
except ProblemError as problem:
    results["19 no scope"] = [problem.status, problem.code]

client.delete_standup(posted["id"], if_match=edited)
try:
    client.get_standup(posted["id"])
except ProblemError as problem:
    results["20 deleteStandup"] = [problem.status, problem.code]

print(json.dumps(results))
