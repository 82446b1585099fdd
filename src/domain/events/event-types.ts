/** Every type of event, and when it happens: one list for API, feed, webhooks and documents. */
export const eventMeanings = {
  'standup.created': 'A standup was posted, through whatever door.',
  'standup.updated': 'A standup was edited; `previous_attributes` has what differed.',
  'standup.deleted': 'A standup was deleted; `data` is what it was.',
  'team.created': 'A team was made.',
  'team.updated': 'A team was changed; `previous_attributes` has what differed.',
  'team.deleted': 'A team was deleted, with its standups; there is no event for each of those.',
  'team.member_added': 'Somebody is now in a team.',
  'team.member_updated': 'The role of somebody in a team has changed.',
  'team.member_removed': 'Somebody has left a team.',
  'member.joined': 'Somebody is now in the workspace.',
  'member.updated': 'A member was changed; `previous_attributes` has what differed.',
  'member.left': 'Somebody is no longer in the workspace.',
  'absence.created': 'Somebody has entered when they, or another, take no part.',
  'absence.updated': 'An absence was changed; `previous_attributes` has what differed.',
  'absence.deleted': 'An absence was taken back, or its member has left; `data` is what it was.',
  'holiday_calendar.created': 'Days off were read from an iCalendar file.',
  'holiday_calendar.deleted': 'A holiday calendar was deleted; `data` is what it was.',
  'token.created':
    'An access token was made. A `kind` of `session`: somebody has signed in to the dashboard; of `sign_in_link`: somebody may.',
  'token.revoked':
    'An access token was revoked. A `kind` of `session`: somebody has signed out, or was signed out.',
  'workspace.updated': 'The workspace was changed; `previous_attributes` has what differed.',
  'webhook.created': 'A webhook was made. A webhook is never told about itself.',
  'webhook.updated': 'A webhook was changed; `previous_attributes` has what differed.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.failing':
    'No attempt of a webhook has succeeded for two and a half days, and five or more have failed; after five days, and ten of them, it is disabled. Told once until it succeeds again.',
  'webhook.disabled':
    'A webhook was disabled, by somebody (`user`) or by the service; `disabled_reason` says why, `previous_attributes` what else has changed with it. Enabling it is a `webhook.updated`.',
  'webhook.test': 'Somebody asked for a test of this webhook.',
  'run.opened': 'A run was opened, by the schedule or by somebody.',
  'run.reminded':
    'People who had not posted were asked for their standup; `data.reminder` says who, and why: the run opened, closes soon, or somebody wanted it. One event for up to 50 of them.',
  'run.closed': 'A run was closed; `data` says how it ended.',
  'run.missed':
    'A run, or a step of it, was not done since the service was away for two hours or more, or the team was paused before its run had been opened; `missed_steps` says which.',
  'run.cancelled': 'The team was paused while the run was open. It counts for nobody.',
  'run.updated': 'A run that is over stands differently now; `previous_attributes` has what differed.',
  'blocker.raised':
    'Something keeps somebody from going on: told of in a standup, raised by itself, raised again, or given back by who looked after it.',
  'blocker.updated':
    'The text of a blocker was changed, or its `standup` went and another says the same; `previous_attributes` has what differed.',
  'blocker.acknowledged': 'Somebody of the team has seen a blocker and looks after it.',
  'blocker.resolved': 'A blocker is in the way no longer.',
  'blocker.deleted':
    'A blocker that nobody had acknowledged went with the standup, or the answer, that told of it; `data` is what it was.',
  'slack.connected': 'The bot was installed in the Slack workspace, or installed anew.',
  'slack.disconnected':
    'The bot was uninstalled from the Slack workspace, or its token was revoked. Nothing is shown there until it is installed again.',
  'slack.post_failed': 'A standup could not be shown in its Slack channel; `data.reason` says why.',
  'slack.report_failed':
    'The report of a run could not be shown in its Slack channel, or not as it is now; `data.reason` says why.',
} as const;
