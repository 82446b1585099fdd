import type {Scope} from '../../src/domain/core/access.js';
import {scopes as allScopes} from '../../src/domain/core/access.js';
import type {TeamRole} from '../../src/domain/teams/team.js';
import type {MemberRole} from '../../src/domain/workspaces/workspace.js';
import type {TestService, TestWorkspace} from '../support/service.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

export interface Person {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly token: string;
}

/** A member with their own token; in a team if `team` (a slug) is given. */
export async function addPerson(
  {core}: Pick<TestService, 'core'>,
  workspace: TestWorkspace,
  {
    name = 'Ada Lovelace',
    role = 'member',
    scopes = allScopes,
    team,
    as = 'member',
    email,
    slack_user_id,
    timezone,
  }: {
    name?: string;
    role?: MemberRole;
    scopes?: readonly Scope[];
    team?: string;
    as?: TeamRole;
    email?: string;
    slack_user_id?: string;
    timezone?: string;
  } = {},
): Promise<Person> {
  const {members, teamMembers, tokens} = core.services;
  const input = {name, role, email, slack_user_id, timezone};
  const {id = ''} = await members.createMember(workspace.operator(), input);
  if (team !== undefined) await teamMembers.setTeamMember(workspace.operator(), team, id, as);
  const holder = {type: 'member', id: asId(id), name} as const;
  const {value} = await tokens.issueToken(workspace.operator(), {name: 'own', holder, scopes});
  return {id: asId(id), name, token: value};
}
