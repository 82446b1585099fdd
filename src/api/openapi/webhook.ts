import type {EventType} from '../../domain/event.js';
import {eventExample} from '../examples/events.js';
import {exampleIds} from '../examples/ids.js';
import {eventSchemaOf, thinEventSchema} from '../schemas/events.js';
import type {Components, Json} from './components.js';

/** When each event happens. */
const meanings: Readonly<Record<EventType, string>> = {
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
  'holiday_calendar.created': 'Days off were read from an iCalendar file.',
  'holiday_calendar.deleted': 'A holiday calendar was deleted; `data` is what it was.',
  'absence.deleted': 'An absence was taken back, or its member has left; `data` is what it was.',
  'workspace.updated': 'The workspace was changed; `previous_attributes` has what differed.',
  'token.created':
    'An access token was made. A `kind` of `session`: somebody has signed in to the dashboard; of `sign_in_link`: somebody may.',
  'token.revoked':
    'An access token was revoked. A `kind` of `session`: somebody has signed out, or was signed out.',
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
};

const headers: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'Id of the event, the same on every attempt: drop what you have seen.', exampleIds.event],
  [
    'webhook-timestamp',
    'When this attempt was signed, in Unix seconds: refuse what is older than five minutes.',
    '1795424400',
  ],
  [
    'webhook-signature',
    'HMAC-SHA256 over `id.timestamp.body` as `v1,<base64>`; two of them, separated by a space, while a secret is being rotated. With `v1a` among the `signature_versions` of the webhook also `v1a,<base64>`, Ed25519 over the same.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  ['standup-delivery', 'Id of the delivery.', exampleIds.delivery],
  ['standup-attempt', 'Number of the attempt, from 1.', '1'],
  [
    'standup-sequence',
    'Counts the deliveries made for this webhook, without a gap. Absent where the event has no number, as in a replay of what came while the webhook was disabled.',
    '12',
  ],
];

/** Those that a delivery from before they were there lacks. */
const optional: readonly string[] = ['standup-sequence'];

/** What a receiver is sent for one type of event. */
export function describeWebhook(type: EventType, components: Components): Json {
  return {
    post: {
      summary: type,
      operationId: `on_${type.replaceAll('.', '_')}`,
      description: `${meanings[type]}\n\nSigned as [Standard Webhooks](https://www.standardwebhooks.com): verify the body before you trust it.`,
      tags: ['Webhooks'],
      security: [],
      parameters: headers.map(([name, description, example]) =>
        components.refer('parameters', name, () => ({
          name,
          in: 'header',
          required: !optional.includes(name),
          description,
          schema: {type: 'string'},
          example,
        })),
      ),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [components.schema(eventSchemaOf(type)), components.schema(thinEventSchema)],
              description: 'As the feed shows the event; thin for a webhook with the `payload` `thin`.',
            },
            example: eventExample(type),
          },
        },
      },
      responses: {
        '2XX': {description: 'Received. The body does not matter.'},
        default: {
          description:
            'Tried again, also after a redirect or no answer: after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or as the `retry_schedule` of the webhook says. `Retry-After` is honoured up to 24 h. `webhook-delivery: abort` ends this delivery; 410, or any answer with `webhook-delivery: disable`, disables the webhook with the reason `gone`.',
        },
      },
    },
  };
}
