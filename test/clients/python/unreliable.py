"""Posts one standup for each line of UPDATES, through a service that fails; prints the ids, or the errors."""

from __future__ import annotations

import json
import os
import time

from team_standup import Client, StandupError

client = Client(os.environ["STANDUP_URL"], os.environ["STANDUP_TOKEN"])
results = []
for update in os.environ["UPDATES"].split("\n"):
    began = time.monotonic()
    try:
        result = client.post_standup({"team": "platform", "update": update})["id"]
    except StandupError as error:
        result = str(error)
    results.append({"result": result, "seconds": time.monotonic() - began})
print(json.dumps(results))
