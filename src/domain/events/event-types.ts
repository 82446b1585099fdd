/** Every event type, with a sentence that says when it happens, for the API, webhooks and documents. */
export const eventMeanings = {
  'standup.created': 'A standup was posted, with any interface.',
  'standup.updated': 'A standup was edited; `previous_attributes` has the previous values.',
  'standup.deleted': 'A standup was deleted; `data` is its last state.',
  'team.created': 'A team was created.',
  'team.updated': 'A team was changed; `previous_attributes` has the previous values.',
  'team.deleted': 'A team was deleted, with its standups; there is no event for each of those.',
  'team.member_added': 'A member was added to a team.',
  'team.member_updated': 'The role of a member in a team has changed.',
  'team.member_removed': 'A member has left a team.',
  'member.joined': 'A member was added to the workspace.',
  'member.updated': 'A member was changed; `previous_attributes` has the previous values.',
  'member.left': 'A member was removed from the workspace.',
  'member.mail_failed':
    'A mail to a member could not be delivered; `data.reason` is the reply code of the mail server.',
  'invite.created': 'A person was invited, or a link to join was created.',
  'invite.accepted': 'A person joined by an invite. `data.accepted_by` is the member.',
  'invite.revoked': 'An invite was ended, or replaced by another one to the same address.',
  'invite.mail_failed':
    'The mail of an invite could not be delivered; `data.reason` is the reply code of the mail server.',
  'import.completed':
    'An import of standups was finished; `data` has its counts. Its standups have no events.',
  'absence.created': 'An absence was created, by the member or by another.',
  'absence.updated': 'An absence was changed; `previous_attributes` has the previous values.',
  'absence.deleted': 'An absence was deleted, or its member has left; `data` is its last state.',
  'holiday_calendar.created': 'Days off were read from an iCalendar file.',
  'holiday_calendar.deleted': 'A holiday calendar was deleted; `data` is its last state.',
  'token.created':
    'An access token was created. For the `kind` `session`, a member signed in to the dashboard; for `sign_in_link`, a link for that was created.',
  'token.revoked':
    'An access token was revoked. For the `kind` `session`, a member signed out, or was signed out.',
  'passkey.created': 'A member added a passkey, with which they sign in to the dashboard.',
  'passkey.updated': 'A passkey was renamed; `previous_attributes` has the previous values.',
  'passkey.deleted': 'A passkey was removed, by its member or with a new role; `data` is its last state.',
  'workspace.updated': 'The workspace was changed; `previous_attributes` has the previous values.',
  'webhook.created': 'A webhook was created. A webhook is never notified about itself.',
  'webhook.updated': 'A webhook was changed; `previous_attributes` has the previous values.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.failing':
    'No attempt of a webhook has succeeded for two and a half days, and five or more have failed. After five days and ten failed attempts it is disabled. The event is sent once until an attempt succeeds again.',
  'webhook.disabled':
    'A webhook was disabled, by a caller (`user`) or by the service. `disabled_reason` is the reason; `previous_attributes` has the other changes. Enabling it sends `webhook.updated`.',
  'webhook.test': 'A test of this webhook was requested.',
  'run.opened': 'A run was opened, by the schedule or by a caller.',
  'run.reminded':
    'Members who had not posted were asked for their standup. `data.reminder` lists them with the reason: the run opened, closes soon, or a reminder was requested. One event covers up to 50 of them.',
  'run.closed': 'A run was closed; `data` has its result.',
  'run.missed':
    'A run, or a step of it, was missed: the service was down for two hours or more, or the team was paused before its run opened. `missed_steps` lists the steps.',
  'run.cancelled': 'The team was paused while the run was open. The run counts for no one.',
  'run.updated': 'The result of a past run has changed; `previous_attributes` has the previous values.',
  'blocker.raised':
    'A blocker was raised: in a standup, directly, again, or because its acknowledgement was withdrawn.',
  'blocker.updated':
    'The text of a blocker was changed, or its `standup` was deleted and another says the same. `previous_attributes` has the previous values.',
  'blocker.acknowledged': 'A member of the team acknowledged a blocker.',
  'blocker.resolved': 'A blocker was resolved.',
  'blocker.deleted':
    'An unacknowledged blocker was deleted with the standup or answer that raised it; `data` is its last state.',
  'comment.created': 'A comment on a standup was written.',
  'comment.updated': 'A comment was edited; `previous_attributes` has the previous values.',
  'comment.deleted':
    'A comment was deleted; `data` is its last state. Comments that go with their standup have no events.',
  'reaction.created': 'A member or program reacted to a standup for the first time.',
  'reaction.updated':
    'Emoji were added to a reaction, or removed; `previous_attributes` has the previous ones.',
  'reaction.deleted':
    'The last emoji of a reaction was removed; `data` is its last state. A deleted standup takes its reactions along without events.',
  'slack.connected': 'The bot was installed in the Slack workspace, or installed again.',
  'slack.disconnected':
    'The bot was uninstalled from the Slack workspace, or its token was revoked. Nothing is posted there until it is installed again.',
  'slack.post_failed': 'A standup could not be posted in its Slack channel; `data.reason` is the reason.',
  'slack.report_failed':
    'The report of a run, or its latest version, could not be posted in its Slack channel; `data.reason` is the reason.',
} as const;
