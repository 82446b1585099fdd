import {z} from 'zod';
import {date, id, type Infer} from '../core/schemas.js';

/** The largest number of names in a group. */
export const namedReaders = 20;

const group = z.object({
  count: z.int(),
  names: z.array(z.string()).meta({description: `The first ${namedReaders} names, by name.`}),
});

export type ReaderGroup = z.infer<typeof group>;

export const teamReadersSchema = z
  .object({
    object: z.literal('team_readers'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    visibility: z.enum(['open', 'private']),
    members: group.meta({description: 'Leads and members.'}),
    observers: group,
    admins: group.meta({description: 'Owners and admins who are not in the team.'}),
    others: z.int().meta({
      description:
        'The number of other members of the workspace. They can read the team only while it is open.',
    }),
    service_accounts: group.meta({
      description:
        'Service accounts with a live token that has the scope `teams:private`, and those of trusted issuers, whose tokens are not stored.',
    }),
    webhooks: group.meta({
      description:
        'Webhooks that name the team, each by its description, or else by the host of its address.',
    }),
    slack_channel_id: z
      .string()
      .nullable()
      .meta({description: 'The Slack channel, in which everyone reads what is posted.'}),
    standups: z.object({
      count: z.int(),
      since: date.nullable().meta({description: 'The date of the earliest standup.'}),
    }),
  })
  .meta({
    id: 'TeamReaders',
    description: 'Who can read a team now, and who could if its visibility changed.',
  });

/** Who can read a team. */
export type TeamReaders = Infer<typeof teamReadersSchema>;
