import {createCache} from '../../domain/core/cache.js';
import type {Call, Principal} from '../../domain/core/access.js';
import {type CommitPart, nothing} from '../../domain/commit/commit.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import type {Stamp} from '../../domain/core/resource.js';
import {isExpected, type Team, type Membership} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Proof} from '../core/authority.js';
import type {ServiceContext} from '../core/context.js';
import {describeUnknownMember, findReferredMember, isMemberReferredAs} from '../core/member-references.js';
import type {PlanJoin} from './plan-join.js';
import {acceptMembership} from './membership-writes.js';
import {storedId, type Id} from '../../domain/core/ids.js';

export interface Author {
  readonly author: Principal;
  readonly timezone: string | null;
  readonly proof: Proof;
  /**
   * The part of the commit that gives the author access to the team. It accepts a membership that only a lead
   * has created, or adds the author to the team if that is allowed.
   */
  readonly accepts: CommitPart;
}

/**
 * Finds the author of a resource that a call creates for a team: the caller, or a member given by id, e-mail
 * address or Slack user. A member must be in the team and not only observe it; a service account may write
 * for all teams. `act`: the action, as in "so you cannot post for it". `attempt`: only the first attempt of a
 * mutation may use a cached member. `join`: the way in which an author outside the team joins it. Errors:
 * `forbidden`, `validation_failed`.
 */
export function createAuthorFinder({records, authority}: ServiceContext) {
  const insiders = createCache<Insider>(maxInsiders);

  /** Finds a member who may write in a team. Others are not cached, so no old role refuses a call. */
  async function readAuthorInTeam(
    {workspace, deadline}: Call,
    principal: Principal<'member'>,
    team: Id<'team'>,
    key: string,
  ): Promise<{membership?: Membership; member?: Member}> {
    const [membership, member] = await Promise.all([
      records.findMembership(workspace, team, principal.id, deadline),
      records.find(workspace, principal.id, deadline),
    ]);
    if (membership?.accepted === true && isExpected(membership) && member !== undefined) {
      const {id, timezone, revision, created_at, updated_at} = member;
      insiders.set(key, {membership, member: {id, timezone, revision, created_at, updated_at}});
    }
    return {...(membership && {membership}), ...(member && {member})};
  }

  /**
   * Checks that the caller may write for a member of this team. The right is checked first, so that a refusal
   * does not reveal which members exist.
   */
  async function requireOtherAuthor(call: Call, reference: string, team: Team, act: string): Promise<Author> {
    const proof = await authority.requireLead(call, team, `${act} for another member`);
    const member = await findReferredMember(records, call, reference);
    if (member === undefined) {
      const detail = await describeUnknownMember(records, call, reference);
      throw fieldError('validation_failed', '#/author', `\`author\` must name a member. ${detail}`);
    }
    const {id, name, timezone} = member;
    const membership = await records.findMembership(call.workspace, team.id, id, call.deadline);
    if (membership === undefined) {
      const detail = `${name} is not in the team "${team.slug}". Add them to it first, then repeat.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    if (!isExpected(membership)) {
      const detail = `${name} is an observer of the team "${team.slug}", so no one can ${act} for them there. Give them the role \`member\` first, then repeat.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    const accepted = await authority.requireAccepted(call, team, member);
    const guards = [...proof, ...accepted, ...createMembershipGuard(team, member, membership)];
    return {author: {type: 'member', id, name}, timezone, proof: guards, accepts: nothing};
  }

  return async (
    call: Call,
    reference: string | undefined,
    team: Team,
    act: string,
    {attempt = 1, join}: {readonly attempt?: number; readonly join?: PlanJoin | undefined} = {},
  ): Promise<Author> => {
    const {workspace, principal, deadline} = call;
    if (principal.type === 'service_account') {
      if (reference !== undefined && reference !== principal.id) {
        return requireOtherAuthor(call, reference, team, act);
      }
      return {author: principal, timezone: null, proof: [], accepts: nothing};
    }
    const key = `${workspace} ${team.id} ${principal.id}`;
    let found: Partial<Insider> | undefined =
      reference === undefined && attempt === 0 ? insiders.get(key) : undefined;
    if (found === undefined) {
      const read = await readAuthorInTeam(call, principal, team.id, key);
      if (reference !== undefined && !(read.member && isMemberReferredAs(read.member, reference))) {
        return requireOtherAuthor(call, reference, team, act);
      }
      if (join !== undefined && read.membership === undefined && read.member !== undefined) {
        const joined = await join(call, team, read.member, {role: 'member', accepted: true});
        return {author: principal, timezone: read.member.timezone, proof: joined.guards, accepts: joined};
      }
      found = read;
    }
    const {membership, member} = found;
    if (membership === undefined || member === undefined) {
      throw new AppError(
        'forbidden',
        `You are not in the team "${team.slug}", so you cannot ${act} for it. Who leads it can add you.`,
        {reason: 'outside_team', team: team.id},
      );
    }
    if (!isExpected(membership)) {
      throw new AppError(
        'forbidden',
        `You are an observer of the team "${team.slug}": you see it, and cannot ${act} for it. Who leads it can make you a member.`,
        {reason: 'observer'},
      );
    }
    const put = membership.accepted
      ? undefined
      : await records.findBySuffix(workspace, membership.suffix, deadline);
    return {
      author: principal,
      timezone: member.timezone,
      proof: createMembershipGuard(team, member, membership),
      accepts: put === undefined ? nothing : acceptMembership(put),
    };
  };
}

/** A team member as a plan needs it, without personal data, which an erasure would have to find. */
interface Insider {
  readonly membership: Membership;
  readonly member: Stamp & Pick<Member, 'timezone'>;
}

/** The number of cached members. Each takes about 512 bytes. */
const maxInsiders = 16_000;

/** Guards the membership: no job would remove what is created for a member who has just left. */
function createMembershipGuard(
  team: Team,
  {id, revision, created_at, updated_at}: Stamp,
  membership: Membership,
): Proof {
  const member = storedId<'member'>(id);
  return [
    {check: 'membership', team: team.id, member, is: membership},
    {check: 'as-read', id, revision, created_at, updated_at},
  ];
}
