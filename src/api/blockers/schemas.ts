import {z} from 'zod';
import {blockerStates} from '../../domain/blockers/blocker.js';
import {limits} from '../../domain/core/limits.js';
import {id, instant, principalSchema, reference, text, resourceEnd} from '../../domain/core/schemas.js';
import {pageParameters, personParameter, personText} from '../http/shared-schemas.js';

const actor = z.object({
  type: z.string().meta({description: 'The type: `member` or `service_account`.'}),
  id: z.string(),
});

const namedActor = z.object({
  ...actor.shape,
  name: z.string().nullable().meta({description: 'The current name. Null after the member is removed.'}),
});

const question = z
  .string()
  .nullable()
  .meta({description: 'The key of the question whose answer raised the blocker. Null without a question.'});

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
        'The state: `raised`; `acknowledged`, a member works on it; `resolved`, which can be raised again.',
    }),
    standup: id('standup').nullable().meta({
      description:
        'The standup that raised the blocker, or the first of several that did. Null for a blocker that was raised directly.',
    }),
    question,
    acknowledged_by: actor.nullable(),
    acknowledged_at: instant.nullable(),
    resolved_by: actor.nullable(),
    resolved_at: instant.nullable(),
    ...resourceEnd,
  })
  .meta({id: 'BlockerRevision', description: 'A blocker, as in its events.'});

export const namedBlockerSchema = blockerSchema
  .extend({acknowledged_by: namedActor.nullable(), resolved_by: namedActor.nullable()})
  .meta({
    id: 'Blocker',
    description: 'Something that prevents a member from continuing their work, until it is resolved.',
  });

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
          'The blocked member: a member of the team by id, e-mail address or Slack user. For a lead, the member must have accepted their membership there. Needs the scope `standups:write_any`. The default is the caller.',
        examples: ['ada@example.com'],
      }),
  })
  .meta({id: 'NewBlocker', description: 'The fields of a new blocker.'});

export const blockerChangeSchema = z
  .strictObject({
    state: z
      .enum(blockerStates, `must be ${blockerStates.map((state) => `"${state}"`).join(' or ')}`)
      .optional()
      .meta({
        description:
          'The new state. A raised blocker can become `acknowledged` or `resolved`. An acknowledged one can become `resolved`, or `raised` when its acknowledgement is withdrawn. A resolved one can become `raised`.',
      }),
    text: text(limits.blocker).optional(),
  })
  .meta({id: 'BlockerChange', description: 'Changes to a blocker, as a JSON merge patch.'});

const queryStates = ['open', ...blockerStates] as const;

export const blockerQuerySchema = z.strictObject({
  ...pageParameters,
  team: reference.optional(),
  author: personParameter
    .optional()
    .meta({description: `Only blockers of this author: a service account by id, or a member ${personText}`}),
  state: z
    .enum(queryStates, `must be ${queryStates.map((state) => `"${state}"`).join(' or ')}`)
    .optional()
    .meta({description: 'Only blockers in this state. `open` returns those that are not resolved.'}),
});
