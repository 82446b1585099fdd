import json
import os

from standup import AuthenticatedClient
from standup.api.events import list_events
from standup.api.standups import edit_standup, list_standups, post_standup
from standup.api.webhooks import create_webhook
from standup.models import NewStandup, NewStandupMetadata, NewWebhook, StandupChange

client = AuthenticatedClient(base_url=os.environ["STANDUP_URL"], token=os.environ["STANDUP_TOKEN"])
new = NewStandup(
    team="platform",
    update="Posted by a generated client.",
    metadata=NewStandupMetadata.from_dict({"build": "7"}),
)
posted = post_standup.sync(client=client, body=new)
listed = list_standups.sync(client=client, limit=10, team=["platform"])
edited = edit_standup.sync(posted.id, client=client, body=StandupChange(update="Edited by a generated client."))
wanted = NewWebhook(url=os.environ["RECEIVER_URL"], events=["standup.*"])
webhook = create_webhook.sync(client=client, body=wanted)
events = list_events.sync(client=client, types="standup.*")

print(json.dumps({
    "posted": posted.update,
    "listed": len(listed.data),
    "edited": edited.update,
    "revision": edited.revision,
    "webhook": webhook.events,
    "events": [event.type_ for event in events.data],
}))
