import {z} from 'zod';
import {notBoth, withRules} from '../http/member-rules.js';
import {scopes, tokenKinds} from '../../domain/core/access.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {
  id,
  instant,
  longestId,
  pageParameters,
  principalSchema,
  resource,
  text,
} from '../http/shared-schemas.js';

export const tokenSchema = z
  .object({
    id: id('access_token'),
    object: z.literal('access_token'),
    name: z.string(),
    kind: z.string().meta({
      description: `What it is: ${tokenKinds.map((kind) => `\`${kind}\``).join(', ')}; more may follow. A session is somebody who is signed in to the dashboard; a sign-in link makes one.`,
    }),
    holder: principalSchema,
    scopes: z.array(z.string()),
    expires_at: instant,
    created_by: principalSchema
      .nullable()
      .meta({description: 'Who has made it; null: the operator, with the command.'}),
    parent: id('access_token').nullable().meta({
      description:
        'The token that it was made with, if any: it expires no later than that, and is revoked with it.',
    }),
    ...resource,
    last_used_at: instant
      .nullable()
      .meta({description: 'To the minute, and up to a minute late; null for a token that was not used yet.'}),
  })
  .meta({
    id: 'AccessToken',
    description: 'A credential of a member or a service account, without its value.',
  });

export const createdTokenSchema = tokenSchema
  .extend({token: z.string().meta({description: 'The value for `Authorization: Bearer`. Shown only now.'})})
  .meta({id: 'CreatedAccessToken', description: 'An access token with its value, once.'});

export const createdSignInLinkSchema = tokenSchema
  .extend({
    url: z.string().meta({description: 'What opens the dashboard, signed in. Shown only now.'}),
  })
  .meta({id: 'CreatedSignInLink', description: 'A sign-in link with its address, once.'});

export const newSignInLinkSchema = z
  .strictObject({
    member: z.string().min(1, 'must not be empty').max(320, 'has at most 320 characters').optional().meta({
      description: 'Id, e-mail address or Slack user of the member it signs in; you when left out.',
    }),
  })
  .meta({id: 'NewSignInLink', description: 'What a sign-in link is made from.'});

export const tokenQuerySchema = z.strictObject({
  ...pageParameters,
  created_by: z
    .string()
    .regex(/^(?:mem|svc)_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'must be the id of a member or a service account')
    .optional()
    .meta({
      maxLength: longestId,
      description: 'Only those that this member or service account has made.',
    }),
  kind: z
    .enum(tokenKinds, `must be one of ${tokenKinds.join(', ')}`)
    .optional()
    .meta({description: 'Only those of this kind.'}),
});

const lifetimeFault = `must be a whole number of seconds from ${lifetimes.tokenMin} (a minute) to ${lifetimes.tokenMax} (366 days)`;

export const newTokenSchema = withRules(
  z.strictObject({
    name: text(limits.name).meta({description: 'What it is for.', examples: ['deploy bot']}),
    scopes: z
      .array(z.enum(scopes, `must be one of ${scopes.join(', ')}`))
      .min(1, 'names at least one scope')
      .max(scopes.length, 'names each scope once')
      .optional()
      .meta({
        description: 'A subset of your own; `standups:read` and `standups:write` when left out.',
        examples: [['standups:read']],
      }),
    expires_in: z
      .int(lifetimeFault)
      .min(lifetimes.tokenMin, lifetimeFault)
      .max(lifetimes.tokenMax, lifetimeFault)
      .optional()
      .meta({
        description:
          'Seconds until it expires; never later than the token that asks, whatever stands here. `expires_at` in the answer says when.',
        default: lifetimes.tokenDefault,
      }),
    member: z.string().min(1, 'must not be empty').max(320, 'has at most 320 characters').optional().meta({
      description: 'Id, e-mail address or Slack user of the member it speaks for; you when left out.',
    }),
    service_account: text(limits.name).optional().meta({
      description: 'Name of the service account it speaks for; made when there is none of that name.',
    }),
  }),
  [notBoth(['member', 'service_account'], 'cannot stand beside `member`: a token has one holder')],
).meta({id: 'NewAccessToken', description: 'What an access token is made from.'});
