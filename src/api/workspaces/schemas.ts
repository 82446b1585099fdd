import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {id, text, resourceEnd} from '../../domain/core/schemas.js';

export const workspaceSchema = z
  .object({
    id: id('workspace'),
    object: z.literal('workspace'),
    slug: z
      .string()
      .meta({description: 'The slug, made from the original name of the workspace. It is permanent.'}),
    name: z.string(),
    retention_days: z.int().nullable().meta({
      description:
        'The days for which standups are kept after their date, and blockers and absences after their end. Older ones are deleted within the hour. A standup is deleted with the unacknowledged blockers that it alone raised (`blocker.deleted`); everything else without an event. Counts are kept. A standup of such a date, or a reason of such an absence, is rejected. Null: kept until deleted.',
    }),
    ...resourceEnd,
    slack: z.object({
      connected: z.boolean().meta({
        description:
          'Whether a Slack workspace is connected, by a configured token or by an installation of the bot.',
      }),
    }),
    storage: z
      .object({
        used_bytes: z.int().meta({
          description:
            'The bytes of the store that all data of the workspace uses, including deleted data that is kept for webhooks. The number is rounded up to a multiple of 64 KiB. It is measured each hour; changes since then are added.',
        }),
        limit_bytes: z.int().nullable().meta({
          description:
            'The limit (`WORKSPACE_BYTES`). Beyond it new data is rejected: 507 `workspace_full`. Null: no limit.',
        }),
      })
      .meta({description: 'How much of the store the workspace uses.'}),
  })
  .meta({id: 'Workspace', description: 'The tenant. Every resource belongs to exactly one.'});

export const workspaceChangeSchema = z
  .strictObject({
    name: text(limits.name).optional(),
    retention_days: z
      .int()
      .min(limits.retentionDaysMin, `must be at least ${limits.retentionDaysMin} days`)
      .max(limits.retentionDaysMax, `must be at most ${limits.retentionDaysMax} days`)
      .nullable()
      .optional()
      .meta({
        description:
          'The days for which texts are kept. Older ones are deleted permanently. Null: kept until deleted.',
      }),
  })
  .meta({id: 'WorkspaceChange', description: 'Changes to the workspace, as a JSON merge patch.'});
