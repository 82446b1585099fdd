import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {id, resource, text} from '../http/shared-schemas.js';

export const workspaceSchema = z
  .object({
    id: id('workspace'),
    object: z.literal('workspace'),
    slug: z.string().meta({description: 'Made from its first name; permanent.'}),
    name: z.string(),
    retention_days: z.int().nullable().meta({
      description:
        'How many days after their date standups are kept, and blockers and absences after their end. What is older is erased within the hour, a standup with the blockers that it alone raised and nobody has acknowledged (`blocker.deleted`), all else without an event; counts stay. A standup of such a date, or a reason of such an absence, is refused. Null: kept until somebody deletes it.',
    }),
    ...resource,
    slack: z.object({
      connected: z.boolean().meta({
        description:
          'Whether the service serves a Slack workspace for this one: by the token it was given or, where many install the bot, since somebody has installed it.',
      }),
    }),
    storage: z
      .object({
        used_bytes: z.int().meta({
          description:
            'What it uses of the store, up to the next 64 KiB: everything that is kept for it, what was deleted and is kept for webhooks a while too. Measured each hour, and counted in between.',
        }),
        limit_bytes: z.int().nullable().meta({
          description:
            'What it may use (`WORKSPACE_BYTES`). Beyond it everything new is refused: 507 `workspace_full`. Null: no limit.',
        }),
      })
      .meta({description: 'Its share of the store.'}),
  })
  .meta({id: 'Workspace', description: 'The tenant: everything belongs to exactly one.'});

export const workspaceChangeSchema = z
  .strictObject({
    name: text(limits.name).optional(),
    retention_days: z
      .int()
      .min(limits.retentionDaysMin, `must be at least ${limits.retentionDaysMin} days`)
      .max(limits.retentionDaysMax, `must be at most ${limits.retentionDaysMax} days`)
      .nullable()
      .optional()
      .meta({description: 'What is older is erased for good. Null: kept until somebody deletes it.'}),
  })
  .meta({id: 'WorkspaceChange', description: 'A merge patch of the workspace.'});
