import {z} from 'zod';
import {forbidBothFields, addRulesToSchema} from '../../domain/core/member-rules.js';
import {scopes, tokenKinds, tokenSchema} from '../../domain/core/access.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {isCalendarDate} from '../../domain/core/dates.js';
import {date, longestId, reference, text} from '../../domain/core/schemas.js';
import {findMondayOf} from '../../domain/schedules/week.js';
import {pageParameters} from '../http/shared-schemas.js';

export const createdTokenSchema = tokenSchema
  .extend({token: z.string().meta({description: 'The value for `Authorization: Bearer`. Shown only once.'})})
  .meta({id: 'CreatedAccessToken', description: 'A new access token with its value.'});

export const createdSignInLinkSchema = tokenSchema
  .extend({
    url: z.string().meta({description: 'The URL that opens the dashboard, signed in. Shown only once.'}),
  })
  .meta({id: 'CreatedSignInLink', description: 'A new sign-in link with its URL.'});

export const createdCalendarFeedSchema = tokenSchema
  .extend({
    url: z.string().meta({
      description: 'The secret address of the calendar, for a calendar application. Shown only once.',
    }),
  })
  .meta({id: 'CreatedCalendarFeed', description: 'A new calendar feed with its address.'});

export const newCalendarFeedSchema = z
  .strictObject({
    name: text(limits.name)
      .optional()
      .meta({
        description: 'The calendar application that reads it. The default is `Calendar`.',
        examples: ['Calendar on my phone'],
      }),
  })
  .meta({id: 'NewCalendarFeed', description: 'The fields of a new calendar feed.'});

export const createdShareLinkSchema = tokenSchema
  .extend({url: z.string().meta({description: 'The secret address of the page. Shown only once.'})})
  .meta({id: 'CreatedShareLink', description: 'A new share link with its address.'});

const shareLifetimeMessage = `must be a whole number of seconds from ${lifetimes.shareLinkMin} (an hour) to ${lifetimes.shareLinkMax} (30 days)`;

export const newShareLinkSchema = z
  .strictObject({
    team: reference,
    monday: date
      .refine((day) => !isCalendarDate(day) || findMondayOf(day) === day, 'must be a Monday')
      .meta({description: 'The first day of the week.'}),
    name: text(limits.name)
      .optional()
      .meta({
        description: 'The people or purpose that the link is for. The default names the week.',
        examples: ['For the steering group'],
      }),
    names: z.boolean().optional().meta({
      description:
        'Whether the page names people: who posted how often, and whose blockers are open. A team that does not show who is missing (`names_missing`) has no such page.',
      default: false,
    }),
    blockers: z.boolean().optional().meta({
      description: 'Whether the page has the texts of open blockers. It always has their number and age.',
      default: false,
    }),
    expires_in: z
      .int(shareLifetimeMessage)
      .min(lifetimes.shareLinkMin, shareLifetimeMessage)
      .max(lifetimes.shareLinkMax, shareLifetimeMessage)
      .optional()
      .meta({
        description:
          'The seconds until it ends. It never outlives the token of the request, unless that is a session’s.',
        default: lifetimes.shareLink,
      }),
  })
  .meta({id: 'NewShareLink', description: 'The fields of a new share link.'});

export const newSignInLinkSchema = z
  .strictObject({
    member: z.string().min(1, 'must not be empty').max(320, 'has at most 320 characters').optional().meta({
      description: 'The member to sign in, by id, e-mail address or Slack user. The default is the caller.',
    }),
  })
  .meta({id: 'NewSignInLink', description: 'The fields of a new sign-in link.'});

export const tokenQuerySchema = z.strictObject({
  ...pageParameters,
  created_by: z
    .string()
    .regex(/^(?:mem|svc)_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'must be the id of a member or a service account')
    .optional()
    .meta({
      maxLength: longestId,
      description: 'Only tokens created by this member or service account.',
    }),
  kind: z
    .enum(tokenKinds, `must be one of ${tokenKinds.join(', ')}`)
    .optional()
    .meta({description: 'Only tokens of this kind.'}),
});

const lifetimeMessage = `must be a whole number of seconds from ${lifetimes.tokenMin} (a minute) to ${lifetimes.tokenMax} (366 days)`;

export const newTokenSchema = addRulesToSchema(
  z.strictObject({
    name: text(limits.name).meta({description: 'The purpose of the token.', examples: ['deploy bot']}),
    scopes: z
      .array(z.enum(scopes, `must be one of ${scopes.join(', ')}`))
      .min(1, 'names at least one scope')
      .max(scopes.length, 'names each scope once')
      .optional()
      .meta({
        description: 'The scopes, a subset of your own. The default is `standups:read` and `standups:write`.',
        examples: [['standups:read']],
      }),
    expires_in: z
      .int(lifetimeMessage)
      .min(lifetimes.tokenMin, lifetimeMessage)
      .max(lifetimes.tokenMax, lifetimeMessage)
      .optional()
      .meta({
        description:
          'The seconds until it expires. It never expires later than the token of the request, regardless of this value. `expires_at` in the response is the result.',
        default: lifetimes.tokenDefault,
      }),
    member: z.string().min(1, 'must not be empty').max(320, 'has at most 320 characters').optional().meta({
      description:
        'The member that holds the token, by id, e-mail address or Slack user. The default is the caller.',
    }),
    service_account: text(limits.name).optional().meta({
      description:
        'The name of the service account that holds the token. It is created if it does not exist.',
    }),
  }),
  [forbidBothFields(['member', 'service_account'], 'cannot stand beside `member`: a token has one holder')],
).meta({id: 'NewAccessToken', description: 'The fields of a new access token.'});
