import {z} from 'zod';
import {isCalendarDate, isTimezone} from '../domain/dates.js';
import {eventPatterns, eventTypes} from '../domain/event.js';
import {type IdKind, idPrefixes} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import {codePoints, isSlug, textFault} from '../domain/text.js';

/**
 * Every shape the API takes or gives, once: requests are validated by these, and the OpenAPI document is made from them.
 * Requests are strict, answers lenient: clients must ignore members they do not know.
 */

const id = (kind: IdKind) =>
  z
    .string()
    .regex(new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
    .meta({description: `TypeID with the prefix \`${idPrefixes[kind]}_\`.`});

const instant = z.string().meta({format: 'date-time', description: 'RFC 3339, UTC, milliseconds.'});

const date = z
  .string()
  .refine(isCalendarDate, 'must be a calendar day that exists, as YYYY-MM-DD')
  .meta({format: 'date', examples: ['2026-11-23']});

/** Text a person wrote: trimmed length from 1 to `max` code points, no control characters, kept as sent. */
const text = (max: number) =>
  z
    .string()
    .superRefine((value, context) => {
      const fault = textFault(value, max);
      if (fault !== undefined) context.addIssue({code: 'custom', message: fault});
    })
    .meta({minLength: 1, maxLength: max});

const timezone = z
  .string()
  .refine(isTimezone, 'must be an IANA time zone such as "Europe/Berlin"')
  .meta({examples: ['Europe/Berlin']});

const slug = z
  .string()
  .refine(
    (value) => isSlug(value, limits.slug),
    `must be 1 to ${limits.slug} lower-case letters, digits and inner dashes, such as "platform"`,
  )
  .meta({pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$', maxLength: limits.slug, examples: ['platform']});

const reference = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.teamReference, `has at most ${limits.teamReference} characters`)
  .meta({description: 'Id or slug of a team, in any case.', examples: ['platform']});

const slackChannel = z
  .string()
  .regex(/^[CG][A-Z0-9]{2,20}$/, 'must be the id of a Slack channel, such as "C024BE91L"')
  .nullable()
  .meta({description: 'Slack channel in which the team posts and reads its standups.'});

const metadataKey = z
  .string()
  .min(1)
  .refine(
    (key) => codePoints(key) <= limits.metadataKey,
    `a key has at most ${limits.metadataKey} characters`,
  );
const metadataText = z
  .string()
  .refine(
    (value) => codePoints(value) <= limits.metadataValue,
    `a value has at most ${limits.metadataValue} characters`,
  );

const fewKeys = (value: object) => Object.keys(value).length <= limits.metadataKeys;
const tooManyKeys = `has at most ${limits.metadataKeys} keys`;

const metadata = z
  .record(metadataKey, metadataText)
  .refine(fewKeys, tooManyKeys)
  .meta({description: 'Up to 20 keys of 40 characters with texts of up to 500, for your own use.'});

const metadataPatch = z
  .record(metadataKey, metadataText.nullable())
  .refine(fewKeys, tooManyKeys)
  .nullable()
  .meta({description: 'Merged into the metadata there is; null removes a key, or all of them.'});

const resource = {revision: z.int().min(1), created_at: instant, updated_at: instant};

export const principalSchema = z
  .object({
    type: z.string().meta({examples: ['service_account'], description: '`member` or `service_account`.'}),
    id: z.string(),
    name: z.string(),
  })
  .meta({id: 'Principal', description: 'Who acts: a person or a program.'});

export const standupSchema = z
  .object({
    id: id('standup'),
    object: z.literal('standup'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    update: z.string(),
    author: principalSchema,
    date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
    source: z
      .string()
      .meta({description: 'The door it came through: `api`, `slack`, `dashboard`, `cli`; more may follow.'}),
    late: z.boolean(),
    edited: z.boolean().meta({description: 'Whether its text was changed after it was posted.'}),
    metadata: z.record(z.string(), z.string()),
    ...resource,
  })
  .meta({id: 'Standup', description: 'One update by one author for one team on one date.'});

export const teamSchema = z
  .object({
    id: id('team'),
    object: z.literal('team'),
    slug: z.string(),
    name: z.string(),
    timezone: z.string(),
    slack_channel_id: z.string().nullable(),
    ...resource,
  })
  .meta({id: 'Team', description: 'The group an update is for.'});

export const webhookSchema = z
  .object({
    id: id('webhook'),
    object: z.literal('webhook'),
    url: z.string(),
    events: z.array(z.string()),
    teams: z.array(id('team')).nullable(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({description: '`user`, `gone` (the receiver answered 410), `failing`, or null.'}),
    ...resource,
  })
  .meta({id: 'Webhook', description: 'A subscription: where to send which events.'});

export const createdWebhookSchema = webhookSchema
  .extend({secret: z.string().meta({description: 'Signing secret, `whsec_…`. Shown only now.'})})
  .meta({id: 'CreatedWebhook'});

export const attemptSchema = z
  .object({
    number: z.int(),
    at: instant,
    duration_ms: z.number(),
    status: z.int().nullable(),
    error: z.string().nullable(),
  })
  .meta({id: 'Attempt', description: 'One HTTP request of a delivery.'});

export const deliverySchema = z
  .object({
    id: id('delivery'),
    object: z.literal('delivery'),
    webhook_id: id('webhook'),
    event_id: id('event'),
    event_type: z.string(),
    state: z.string().meta({
      description:
        '`pending` → `delivering` → `succeeded`, or `retrying`, and in the end `exhausted`, `aborted` or `expired`; `held` while the webhook is disabled.',
    }),
    attempts: z.int(),
    next_attempt_at: instant.nullable(),
    last_attempt: attemptSchema.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({id: 'Delivery', description: 'One event to one webhook.'});

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
    data: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The resource as the API showed it after the change; null when it has been erased.',
    }),
    previous_attributes: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({description: 'Only in changes: what differed before.'}),
  })
  .meta({id: 'Event', description: 'A fact that happened. The same bytes in webhooks and in this feed.'});

export const meSchema = z
  .object({
    object: z.literal('me'),
    principal: principalSchema,
    workspace: z.object({id: id('workspace'), slug: z.string(), name: z.string()}),
    scopes: z.array(z.string()),
    expires_at: instant,
  })
  .meta({id: 'Me', description: 'Who the access token speaks for.'});

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z
      .array(
        z.object({
          code: z.string(),
          detail: z.string(),
          pointer: z.string().optional(),
          parameter: z.string().optional(),
          header: z.string().optional(),
        }),
      )
      .optional(),
  })
  .meta({id: 'Problem', description: 'RFC 9457 problem details; `code` is the stable name.'});

export const newStandupSchema = z
  .strictObject({
    team: reference,
    update: text(limits.update).meta({examples: ['Shipped the importer. Today: the retry page.']}),
    date: date.optional().meta({description: "Calendar day in the team's zone; today when left out."}),
    metadata: metadata.optional(),
  })
  .meta({id: 'NewStandup'});

export const standupChangeSchema = z
  .strictObject({
    update: text(limits.update).optional(),
    date: date.optional(),
    metadata: metadataPatch.optional(),
  })
  .meta({id: 'StandupChange'});

export const newTeamSchema = z
  .strictObject({
    slug,
    name: text(limits.name).optional(),
    timezone: timezone.optional(),
    slack_channel_id: slackChannel.optional(),
  })
  .meta({id: 'NewTeam'});

export const teamChangeSchema = z
  .strictObject({
    name: text(limits.name).optional(),
    timezone: timezone.optional(),
    slack_channel_id: slackChannel.optional(),
  })
  .meta({id: 'TeamChange'});

const eventPattern = z
  .string()
  .refine(
    (value) => eventPatterns.includes(value),
    'must be an event type, a whole noun such as "standup.*", or "*"',
  );

const webhookMembers = {
  url: z
    .string()
    .min(1, 'must not be empty')
    .max(limits.url, `has at most ${limits.url} characters`)
    .meta({format: 'uri', examples: ['https://example.com/standups']}),
  events: z
    .array(eventPattern)
    .min(1, 'names at least one event type')
    .max(limits.webhookEvents)
    .meta({examples: [['standup.*']]}),
  teams: z
    .array(reference)
    .min(1, 'names at least one team, or is null for all')
    .max(100)
    .nullable()
    .optional(),
  description: text(limits.description).nullable().optional(),
  enabled: z.boolean().optional(),
};

export const newWebhookSchema = z.strictObject(webhookMembers).meta({id: 'NewWebhook'});

export const webhookChangeSchema = z
  .strictObject({
    ...webhookMembers,
    url: webhookMembers.url.optional(),
    events: webhookMembers.events.optional(),
  })
  .meta({id: 'WebhookChange'});

export const emptySchema = z.strictObject({});

const limitParameter = z
  .string()
  .regex(/^\d{1,3}$/, `must be a number from 1 to ${limits.pageMax}`)
  .transform(Number)
  .refine((value) => value >= 1 && value <= limits.pageMax, `must be a number from 1 to ${limits.pageMax}`)
  .meta({type: 'integer', minimum: 1, maximum: limits.pageMax, default: limits.pageDefault});

/** Query parameters of every list. */
export const pageParameters = {
  limit: limitParameter.optional(),
  cursor: z.string().optional().meta({description: '`next_cursor` of the page before.'}),
};

export const pageQuerySchema = z.strictObject(pageParameters);

export const standupQuerySchema = z
  .strictObject({
    ...pageParameters,
    team: reference.optional(),
    author: z
      .string()
      .regex(/^(?:mem|svc)_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'must be the id of a member or a service account')
      .optional(),
    date: date.optional(),
    date_from: date.optional().meta({description: 'First day, inclusive.'}),
    date_to: date.optional().meta({description: 'Last day, inclusive.'}),
  })
  .refine(({date: day, date_from, date_to}) => day === undefined || (date_from ?? date_to) === undefined, {
    message: 'cannot be combined with date_from or date_to',
    path: ['date'],
  });

export const forceQuerySchema = z.strictObject({
  force: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: "`true` deletes the team's standups with it."}),
});

/** Nothing may be given. */
export const noQuerySchema = z.strictObject({});
