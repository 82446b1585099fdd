import {z} from 'zod';
import {teamRoles} from '../../domain/teams/team.js';
import {id, principalSchema, resource} from '../http/shared-schemas.js';

export const teamMemberSchema = z
  .object({
    id: id('team_member'),
    object: z.literal('team_member'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    member: principalSchema,
    role: z.string().meta({
      examples: ['member'],
      description:
        '`lead`, `member` or `observer`, who sees what a member sees and is never asked, expected or counted; more may follow.',
    }),
    accepted: z.boolean().meta({
      description:
        "Whether the team's leads may post and enter absences for them. False for whom a lead has put in, until they write for the team themselves, `PUT` their own place as it is, or somebody who runs the workspace does.",
    }),
    ...resource,
  })
  .meta({
    id: 'TeamMember',
    description:
      "A person's place in a team, from joining to leaving: its `id` stays while the role changes, and who comes back gets a new one.",
  });

export const teamPlaceSchema = z.strictObject({
  role: z.enum(teamRoles, 'must be lead, member or observer').default('member'),
});
