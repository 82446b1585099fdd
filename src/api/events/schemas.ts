import {z} from 'zod';
import {objectOf} from '../../domain/events/change.js';
import {
  type EventType,
  eventPatterns,
  eventTypes,
  longestPattern,
  showsPrevious,
  suggestEvent,
} from '../../domain/events/event.js';
import {type Id, type IdKind, idPrefixes, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {cursor, id, instant, instantParameter, longestId, pageParameters} from '../http/shared-schemas.js';
import {eventSubjects} from './subjects.js';

const openRecord = z.record(z.string(), z.unknown());

const dataText = 'The resource as the API showed it after the change; null when it has been erased.';

export const actorSchema = z
  .object({
    type: z.string().meta({
      description:
        '`member`, `service_account`, `operator` (who runs the installation, by the command) or `system` (the service itself: schedules, retention, what follows from a removal); more may follow.',
    }),
    id: z
      .string()
      .nullable()
      .meta({description: 'Of the member or service account; null for the other types.'}),
    token: id('access_token')
      .nullable()
      .meta({description: 'The access token; null where none of ours was used.'}),
    source: z
      .string()
      .meta({description: 'The door: `api`, `slack`, `cli`, `dashboard` or `system`; more may follow.'}),
    request_id: z.string().nullable().meta({
      description:
        'The `X-Request-Id` of the answer, also in the log; null where there was no request of the API, or where its sender chose an id that is no UUID: a text of theirs could name people.',
    }),
  })
  .meta({
    id: 'Actor',
    description:
      'Who did it, by ids alone. They stay when a member leaves; of who was erased they lead to nobody.',
  });

const actor = actorSchema
  .nullable()
  .meta({description: 'Who did it; null in events from before that was recorded.'});

const previous = openRecord.optional().meta({description: 'Only in changes: what differed before.'});

export const eventSchema = z
  .object({
    id: id('event'),
    object: z.literal('event'),
    type: z
      .string()
      .meta({description: `Open list; now: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`}),
    timestamp: instant,
    sequence: z.int().meta({description: 'Counts the events of the workspace without a gap.'}),
    workspace: id('workspace'),
    api_version: z.string(),
    actor,
    data: openRecord.nullable().meta({description: dataText}),
    previous_attributes: previous,
  })
  .meta({id: 'Event', description: 'A fact that happened. The same bytes in webhooks and in this feed.'});

export const thinEventSchema = z
  .object({
    ...eventSchema.omit({previous_attributes: true}).shape,
    data: z
      .object({id: z.string(), object: z.string()})
      .nullable()
      .meta({description: 'Which resource it is about; null when it has been erased.'}),
  })
  .meta({
    id: 'ThinEvent',
    description:
      'An event as a webhook with the `payload` `thin` gets it: fetch what it is about when you need more.',
  });

const types = z
  .string()
  .transform((list) => list.split(','))
  .refine(
    (list) => list.length <= limits.webhookEvents && list.every((type) => eventPatterns.includes(type)),
    {
      error: 'must be event types such as "standup.created" or "standup.*", with commas between them',
      params: {suggest: suggestEvent},
    },
  )
  .optional()
  .meta({
    maxLength: limits.webhookEvents * (longestPattern + 1),
    description: 'Only events of these types, with commas between them: `standup.*,team.created`.',
  });

/** Kinds of resources that events are about. */
const subjectKinds = [...new Set(eventTypes.map(objectOf))];
const isOneOf = (kinds: readonly IdKind[], given: string) => kinds.some((kind) => isId(kind, given));

export const eventsQuerySchema = z.strictObject({
  ...pageParameters,
  order: z
    .enum(['asc', 'desc'], 'must be "asc" or "desc"')
    .optional()
    .meta({description: '`asc`, oldest first, when left out; `desc` is newest first.'}),
  types,
  since: instantParameter.optional().meta({description: 'Only events from then on; inclusive.'}),
  until: instantParameter.optional().meta({description: 'Only events up to then; inclusive.'}),
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
        'Only events about the thing with this id. Of a team also those of what belongs to it, of a member those of their standups, blockers, absences, places in teams, tokens and reminders.',
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
        'Only what was done by the member or service account with this id, with the access token with this id, or by `system` or `operator`.',
    }),
});

export const streamQuerySchema = z.strictObject({
  after: cursor
    .optional()
    .meta({description: 'A cursor of the feed without filters: the stream goes on from there.'}),
  types,
});

export const changesQuerySchema = streamQuerySchema.omit({after: true});

/** The schema of an event of one type with its subject, named such as `StandupCreatedEvent`. */
export function eventSchemaOf(type: EventType): z.ZodType {
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
