import {z} from 'zod';
import {findResourceKind} from '../../domain/events/change.js';
import {
  type EventType,
  eventPatterns,
  eventTypes,
  longestPattern,
  showsPrevious,
  suggestEventTypes,
} from '../../domain/events/event.js';
import {type Id, type IdKind, idPrefixes, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {id, instant, isObject, longestId} from '../../domain/core/schemas.js';
import {countParameter, cursor, instantParameter, pageParameters} from '../http/shared-schemas.js';
import {eventSubjects} from './subjects.js';

const openRecord = z.record(z.string(), z.unknown());

const dataText = 'The resource after the change, as in the API. Null after an erasure.';

const actorSchema = z
  .object({
    type: z.string().meta({
      description:
        'The type: `member`, `service_account`, `operator` (the operator, with the command) or `system` (the service itself: schedules, retention, the effects of a removal). More values may be added.',
    }),
    id: z
      .string()
      .nullable()
      .meta({description: 'The id of the member or service account. Null for the other types.'}),
    token: id('access_token')
      .nullable()
      .meta({description: 'The id of the access token. Null if no token of this service was used.'}),
    source: z.string().meta({
      description:
        'The interface: `api`, `mcp`, `slack`, `cli`, `dashboard` or `system`. More values may be added.',
    }),
    request_id: z.string().nullable().meta({
      description:
        'The `X-Request-Id` of the response, also in the log. It is null if the API got no request, or if the client sent an id that is not a UUID: such a text could name people.',
    }),
  })
  .meta({
    id: 'Actor',
    description:
      'The cause of the event, by ids only. The ids stay when a member leaves. After an erasure they refer to no one.',
  });

const actor = actorSchema.nullable().meta({description: 'The cause of the event. Null if it is unknown.'});

const previous = openRecord
  .optional()
  .meta({description: 'The previous values of the changed members; only in events of changes.'});

export const eventSchema = z
  .object({
    id: id('event'),
    object: z.literal('event'),
    type: z.string().meta({
      description: `The type. More values may be added. Now: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`,
    }),
    timestamp: instant,
    sequence: z.int().meta({description: 'The number of the event in the workspace, without a gap.'}),
    workspace: id('workspace'),
    api_version: z.string(),
    actor,
    data: openRecord.nullable().meta({description: dataText}),
    previous_attributes: previous,
  })
  .meta({
    id: 'Event',
    description: 'A change that happened. It has the same bytes in webhooks and in this feed.',
  });

export const thinEventSchema = z
  .object({
    ...eventSchema.omit({previous_attributes: true}).shape,
    data: z
      .object({id: z.string(), object: z.string()})
      .nullable()
      .meta({description: 'The resource of the event. Null after an erasure.'}),
  })
  .meta({
    id: 'ThinEvent',
    description: 'An event for a webhook with the `payload` `thin`. Fetch the resource if you need more.',
  });

const types = z
  .string()
  .transform((list) => list.split(','))
  .refine(
    (list) => list.length <= limits.webhookEvents && list.every((type) => eventPatterns.includes(type)),
    {
      error: 'must be event types such as "standup.created" or "standup.*", with commas between them',
      params: {suggest: suggestEventTypes},
    },
  )
  .optional()
  .meta({
    maxLength: limits.webhookEvents * (longestPattern + 1),
    pattern: '^[a-z_.*,]+$',
    description: 'Only events of these types, separated by commas: `standup.*,team.created`.',
  });

/** The kinds of resources that events report on. */
const subjectKinds = [...new Set(eventTypes.map(findResourceKind))];
const isOneOf = (kinds: readonly IdKind[], given: string) => kinds.some((kind) => isId(kind, given));

const eventFilters = {
  ...pageParameters,
  wait: countParameter(
    'The longest time (s) to wait while there is no matching event yet. The response comes with the first event.',
    limits.waitForEvents,
  ),
  order: z
    .enum(['asc', 'desc'], 'must be "asc" or "desc"')
    .optional()
    .meta({description: 'The order: `asc`, oldest first (the default), or `desc`, newest first.'}),
  types,
  since: instantParameter.optional().meta({description: 'Only events at or after this instant.'}),
  until: instantParameter.optional().meta({description: 'Only events at or before this instant.'}),
  about: z
    .string()
    .refine(
      (given): given is Id => isOneOf(subjectKinds, given),
      `must be the id of a team, a member or another thing that events tell of, such as "${idPrefixes.team}_01h455vb4pex5vsknk084sn02q"`,
    )
    .optional()
    .meta({
      maxLength: longestId,
      description:
        'Only events about the resource with this id. For a team, events of what belongs to it are included. For a member, events of their standups, blockers, comments, absences, memberships, tokens, reminders and accepted invites are included.',
    }),
  actor: z
    .string()
    .refine(
      (given) =>
        ['system', 'operator'].includes(given) ||
        isOneOf(['member', 'service_account', 'access_token'], given),
      'must be the id of a member, a service account or an access token, or "system" or "operator"',
    )
    .optional()
    .meta({
      maxLength: longestId,
      description:
        'Only events caused by the member or service account with this id, with the access token with this id, or by `system` or `operator`.',
    }),
};

export const eventsQuerySchema = z
  .strictObject(eventFilters)
  .refine(({wait, order, until}) => wait === undefined || (order !== 'desc' && until === undefined), {
    message: 'cannot be combined with `until` or `order=desc`, which ask for earlier events',
    path: ['wait'],
    when: isObject,
  });

export const streamQuerySchema = z.strictObject({
  after: cursor
    .optional()
    .meta({description: 'A cursor of the feed without filters. The stream continues from there.'}),
  types,
});

export const changesQuerySchema = streamQuerySchema.omit({after: true});

/** Creates the schema of an event of one type, with a name such as `StandupCreatedEvent`. */
export function createEventSchema(type: EventType): z.ZodType {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const {previous_attributes: _, ...members} = eventSchema.shape;
  return z
    .object({
      ...members,
      type: z.literal(type),
      data: eventSubjects[type].schema.nullable().meta({description: dataText}),
      ...(showsPrevious(type) && {previous_attributes: previous}),
    })
    .meta({id: `${words.join('')}Event`, description: `An event \`${type}\`.`});
}
