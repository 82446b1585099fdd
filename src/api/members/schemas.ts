import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {reference} from '../../domain/core/schemas.js';
import {email, memberSchema, role, slackUser} from '../../domain/workspaces/workspace.js';
import {pageParameters, searchText} from '../http/shared-schemas.js';
import {ownTeam} from '../../domain/members/me.js';

export const listedMemberSchema = memberSchema
  .extend({
    teams: z
      .object({data: z.array(ownTeam).max(limits.teamsPerRow), has_more: z.boolean()})
      .optional()
      .meta({
        description: `The teams of the member, by name; only with \`include=teams\`. If there are more than ${limits.teamsPerRow}, the last joined are included and \`has_more\` is true; \`GET /v1/teams?member=…\` lists all.`,
      }),
  })
  .meta({id: 'ListedMember', description: 'A member of the workspace, as in lists.'});

export const memberQuerySchema = z.strictObject({
  ...pageParameters,
  email: email
    .optional()
    .meta({description: 'Only the member with this e-mail address. The case of A to Z is ignored.'}),
  slack_user_id: slackUser.optional().meta({description: 'Only the member linked to this Slack user.'}),
  role: role.optional().meta({description: 'Only members with this role.'}),
  q: searchText.optional().meta({
    description:
      'Only members that match the search: each of its words begins a word of the name or e-mail address. Case and accents are ignored.',
    examples: ['ada'],
  }),
  team: reference
    .optional()
    .meta({description: 'Only members of this team, by id or slug. Also needs the scope `teams:read`.'}),
  include: z.enum(['teams'], 'must be teams').optional().meta({
    description:
      'Related data to include. `teams`: the teams of each member. Also needs the scope `teams:read`.',
  }),
});

export const eraseQuerySchema = z.strictObject({
  erase: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: 'Whether to delete everything they wrote, and their name wherever it occurs.'}),
});
