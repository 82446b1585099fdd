import {z} from 'zod';
import {blockerStates} from '../../domain/blockers/blocker.js';
import {limits} from '../../domain/core/limits.js';
import {
  id,
  instant,
  pageParameters,
  principalSchema,
  reference,
  resource,
  text,
  personParameter,
  personText,
} from '../http/shared-schemas.js';

const actor = z.object({
  type: z.string().meta({description: '`member` or `service_account`.'}),
  id: z.string(),
});

const namedActor = z.object({
  ...actor.shape,
  name: z.string().nullable().meta({description: 'The one they have now; null when they are gone.'}),
});

const question = z
  .string()
  .nullable()
  .meta({description: 'Key of the question whose answer it was; null where nothing was asked.'});

export const blockerSchema = z
  .object({
    id: id('blocker'),
    object: z.literal('blocker'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    author: principalSchema,
    text: z.string(),
    state: z.string().meta({
      description:
        '`raised`; `acknowledged`: somebody looks after it; `resolved`, from where it may be raised again.',
    }),
    standup: id('standup').nullable().meta({
      description:
        'The standup that tells of it, the first of several; null for one that was raised by itself.',
    }),
    question,
    acknowledged_by: actor.nullable(),
    acknowledged_at: instant.nullable(),
    resolved_by: actor.nullable(),
    resolved_at: instant.nullable(),
    ...resource,
  })
  .meta({id: 'BlockerRevision', description: 'A blocker as its events tell of it.'});

export const namedBlockerSchema = blockerSchema
  .extend({acknowledged_by: namedActor.nullable(), resolved_by: namedActor.nullable()})
  .meta({id: 'Blocker', description: 'What keeps somebody from going on, until it is resolved.'});

export const newBlockerSchema = z
  .strictObject({
    team: reference,
    text: text(limits.blocker).meta({examples: ['No access to the staging database.']}),
    author: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.email, `has at most ${limits.email} characters`)
      .optional()
      .meta({
        description:
          'Whom it keeps: a member of the team by id, e-mail address or Slack user; for a lead, one who has accepted their place there. Needs the scope `standups:write_any`; you, when left out.',
        examples: ['ada@example.com'],
      }),
  })
  .meta({id: 'NewBlocker', description: 'What a blocker is made from.'});

export const blockerChangeSchema = z
  .strictObject({
    state: z
      .enum(blockerStates, `must be ${blockerStates.map((state) => `"${state}"`).join(' or ')}`)
      .optional()
      .meta({
        description:
          '`acknowledged` or `resolved` for one that is raised; `resolved`, or `raised` when nobody looks after it any more, for one that is acknowledged; `raised` for one that is resolved.',
      }),
    text: text(limits.blocker).optional(),
  })
  .meta({id: 'BlockerChange', description: 'A merge patch of a blocker.'});

const queryStates = ['open', ...blockerStates] as const;

export const blockerQuerySchema = z.strictObject({
  ...pageParameters,
  team: reference.optional(),
  author: personParameter
    .optional()
    .meta({description: `Only those of this service account, by id, or member: ${personText}`}),
  state: z
    .enum(queryStates, `must be ${queryStates.map((state) => `"${state}"`).join(' or ')}`)
    .optional()
    .meta({description: '`open`: those that are not resolved.'}),
});
