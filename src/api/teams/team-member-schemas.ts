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
        'The role: `lead`, `member` or `observer`. An observer sees what a member sees, and is never asked, expected or counted. More values may be added.',
    }),
    accepted: z.boolean().meta({
      description:
        "Whether the team's leads can post and create absences for the member. It is false after a lead adds a member. It becomes true when the member writes for the team, or when they, an owner or an admin repeat the `PUT` of the membership.",
    }),
    ...resource,
  })
  .meta({
    id: 'TeamMember',
    description:
      "A member's membership in a team, from joining to leaving. Its `id` stays when the role changes. A member who joins again gets a new one.",
  });

export const membershipSchema = z.strictObject({
  role: z.enum(teamRoles, 'must be lead, member or observer').default('member'),
});
