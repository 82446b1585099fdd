import {z} from 'zod';
import {id, instant, principalSchema} from '../http/shared-schemas.js';

export const ownTeam = z
  .object({
    id: id('team'),
    slug: z.string(),
    name: z.string(),
    role: z
      .string()
      .meta({examples: ['member'], description: '`lead`, `member` or `observer`; more may follow.'}),
  })
  .meta({id: 'OwnTeam', description: 'A team that somebody is in, with their role there.'});

export const meSchema = z
  .object({
    object: z.literal('me'),
    principal: principalSchema,
    workspace: z.object({id: id('workspace'), slug: z.string(), name: z.string()}),
    scopes: z.array(z.string()),
    expires_at: instant,
    role: z.string().meta({
      examples: ['member'],
      description:
        'What its holder may do in the workspace: `owner`, `admin`, `member`, or `service_account`; more may follow.',
    }),
    timezone: z
      .string()
      .nullable()
      .meta({description: 'Theirs; null: they have none, and the zone of each team counts.'}),
    teams: z
      .array(ownTeam)
      .nullable()
      .meta({description: 'Those that they are in, by name; null without the scope `teams:read`.'}),
  })
  .meta({id: 'Me', description: 'Who the access token speaks for.'});
