import {z} from 'zod';
import {principalSchema} from '../core/access.js';
import {limits} from '../core/limits.js';
import {id, type Infer, instant, visibility} from '../core/schemas.js';

export const ownTeam = z
  .object({
    id: id('team'),
    slug: z.string(),
    name: z.string(),
    role: z.string().meta({
      examples: ['member'],
      description: 'The role: `lead`, `member` or `observer`. More values may be added.',
    }),
    visibility,
  })
  .meta({id: 'OwnTeam', description: 'A team of the member, with their role there.'});

/** The caller of a request: name, rights and teams. */
export type Me = Infer<typeof meSchema>;

export const meSchema = z
  .object({
    object: z.literal('me'),
    principal: principalSchema,
    workspace: z.object({
      id: id('workspace'),
      slug: z.string(),
      name: z.string(),
      leads_invite: z.boolean().meta({description: 'Whether leads of teams can invite people.'}),
    }),
    scopes: z.array(z.string()),
    expires_at: instant,
    role: z.string().meta({
      examples: ['member'],
      description:
        'The role of the holder in the workspace: `owner`, `admin`, `member` or `service_account`. More values may be added.',
    }),
    timezone: z
      .string()
      .nullable()
      .meta({description: 'The time zone of the holder. Null: the zone of each team applies.'}),
    teams: z
      .array(ownTeam)
      .nullable()
      .meta({description: 'The teams of the holder, by name. Null without the scope `teams:read`.'}),
    inbox: z
      .object({
        unread: z.int().meta({
          description: `The number of unread items in the inbox. More than ${limits.inboxUnread} are not counted.`,
        }),
      })
      .nullable()
      .meta({
        description: "The holder's inbox. Null for a service account, and without the scope `standups:read`.",
      }),
    blockers: z
      .object({
        open: z.int().meta({description: 'The number of blockers that are not resolved.'}),
      })
      .nullable()
      .meta({
        description:
          "The blockers of the holder's teams. Null for a service account, and without the scope `standups:read`.",
      }),
    webhooks: z
      .object({
        failing: z.int().meta({
          description: `The number of enabled webhooks whose last attempt failed. At most the ${limits.webhooksWatched} newest ones are counted.`,
        }),
      })
      .nullable()
      .meta({
        description:
          'The webhooks of the workspace. Null for all but owners and admins, and without the scope `webhooks:manage`.',
      }),
  })
  .meta({id: 'Me', description: 'The holder of the access token.'});
