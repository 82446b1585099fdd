import json
import os

from openapi_client import ApiClient, Configuration, EventsApi, NewStandup, NewWebhook, StandupChange, StandupsApi, WebhooksApi

configuration = Configuration(host=os.environ["STANDUP_URL"], access_token=os.environ["STANDUP_TOKEN"])
with ApiClient(configuration) as client:
    standups = StandupsApi(client)
    new = NewStandup(team="platform", update="Posted by a generated client.", metadata={"build": "7"})
    posted = standups.post_standup(new).actual_instance
    listed = standups.list_standups(limit=10, team=["platform"])
    edited = standups.edit_standup(posted.id, StandupChange(update="Edited by a generated client."))
    webhook = WebhooksApi(client).create_webhook(NewWebhook(url=os.environ["RECEIVER_URL"], events=["standup.*"]))
    events = EventsApi(client).list_events(types="standup.*")

print(json.dumps({
    "posted": posted.update,
    "listed": len(listed.data),
    "edited": edited.update,
    "revision": edited.revision,
    "webhook": webhook.events,
    "events": [event.type for event in events.data],
}))
