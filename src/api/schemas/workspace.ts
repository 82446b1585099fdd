import {z} from 'zod';
import {limits} from '../../domain/limits.js';
import {id, resource, text} from './shared.js';

export const workspaceSchema = z
  .object({
    id: id('workspace'),
    object: z.literal('workspace'),
    slug: z.string().meta({description: 'Made from its first name; permanent.'}),
    name: z.string(),
    ...resource,
    slack: z.object({
      connected: z.boolean().meta({
        description:
          'Whether the service serves a Slack workspace for this one: by the token it was given or, where many install the bot, since somebody has installed it.',
      }),
    }),
  })
  .meta({id: 'Workspace', description: 'The tenant: everything belongs to exactly one.'});

export const workspaceChangeSchema = z
  .strictObject({name: text(limits.name).optional()})
  .meta({id: 'WorkspaceChange', description: 'A merge patch of the workspace.'});
