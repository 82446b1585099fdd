import {type Commit, emptyCommit, type Guard} from '../../domain/commit/commit.js';
import type {Call, Principal, PrincipalId, RequestContext} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {suffixOf, type Id, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, isUnchangedByDraft, parseWire, toDraft} from '../../domain/core/resource.js';
import {isExpected, type Team, type TeamRole} from '../../domain/teams/team.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import type {SlackProfile} from '../../domain/slack/slack-installation.js';
import type {Member, NewMember, ServiceAccount} from '../../domain/workspaces/workspace.js';
import {readPages, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {
  findByAddress,
  findByUniqueName,
  findReferredMember,
  isUnconfirmedOwner,
} from '../core/member-references.js';
import {listRolesOf} from '../core/memberships.js';
import {createServiceAccountFinder} from '../tokens/service-accounts.js';
import {createTeamsUnchangedGuard} from '../teams/find-team.js';
import {createJoinPlanner} from '../teams/plan-join.js';
import {acceptMembership} from '../teams/membership-writes.js';
import {updateEmailStatus} from '../core/email-status.js';
import {createClearUnconfirmedWrites, createUnconfirmedSlackUserError} from './given-names.js';
import {
  planMemberCreation,
  draftMember,
  adoptSlackRole,
  adoptSlackTimeZone,
  createMemberChangePlanner,
} from './member-records.js';
import {adoptSlackNames, createMarkSlackNameWrites} from './slack-names.js';

export type People = ReturnType<typeof createPeople>;

export function createPeople(context: ServiceContext) {
  const {mutate, records, teams, generateSuffix, slackPeople} = context;
  const planMemberChange = createMemberChangePlanner(context);
  const planJoin = createJoinPlanner(context);

  /** Creates a member unless one exists. If another process has just created one, that member is used. */
  async function ensureMember(
    call: Call,
    find: () => Promise<Member | undefined>,
    input: NewMember,
    guards: readonly Guard[] = [],
  ): Promise<Principal<'member'>> {
    await mutate(call, async () => {
      if ((await find()) !== undefined) return emptyCommit;
      const draft = draftMember({...input, email: await keepEmailIfFree(call, input.email ?? null)});
      const made = planMemberCreation(draft, generateSuffix());
      return {...made, guards: [...guards, ...made.guards], reply: {kind: 'empty'}};
    });
    const member = await find();
    if (member === undefined)
      throw new AppError('service_unavailable', 'The member could not be made; try again.');
    return {type: 'member', id: member.id, name: member.name};
  }

  /** Returns an e-mail address; null if another member already has it. */
  async function keepEmailIfFree(call: Call, email: string | null): Promise<string | null> {
    if (email === null) return null;
    const holder = await findByAddress(records, call, email);
    return holder === undefined ? email : null;
  }

  /** Returns the member who was the first to become an owner. */
  async function findFirstOwner(call: RequestContext): Promise<Member | undefined> {
    return (await listRecords(records, call, {list: lists.membersOfRole('owner'), limit: 100})).at(-1);
  }

  /** Returns the commit that changes a member to the draft; undefined if nothing changes. */
  async function planMemberRevision(
    call: Call,
    known: Member,
    changed: Draft<Member>,
  ): Promise<Commit | undefined> {
    const draft = updateEmailStatus(known, changed);
    if (isUnchangedByDraft(known, draft)) return undefined;
    const {guards, writes, events} = await planMemberChange(call, known, draft);
    return {guards, writes, events, reply: {kind: 'empty'}};
  }

  async function planAdoptSlackProfile(
    call: Call,
    slackUser: string,
    {timezone = null, runsSlack, ...profile}: Parameters<People['followSlackProfile']>[2],
  ): Promise<Commit | undefined> {
    const known = await findByUniqueName(records, call, 'slack-user', slackUser);
    if (known === undefined) return undefined;
    const {names, writes} = await adoptSlackNames(records, call, known, profile);
    const there = adoptSlackTimeZone({...toDraft(known), ...names}, timezone);
    const draft = runsSlack === undefined ? there : adoptSlackRole(there, runsSlack);
    const plan = await planMemberRevision(call, known, draft);
    return plan && {...plan, writes: [...plan.writes, ...writes]};
  }

  /** Returns the commit that makes a Slack person a member; undefined if nothing changes. */
  async function planSlackMember(
    call: Call,
    slackUser: string,
    {role, runsSlack = false, ...from}: Parameters<People['ensureSlackMember']>[2],
  ): Promise<Commit | undefined> {
    // Slack's locale is no language of ours.
    const {locale: _, ...profile} = from;
    const linked = await findByUniqueName(records, call, 'slack-user', slackUser);
    const namesake =
      linked === undefined && typeof profile.email === 'string'
        ? await findByAddress(records, call, profile.email)
        : undefined;
    const known = linked ?? (namesake?.slack_user_id === null ? namesake : undefined);
    if (known === undefined) {
      const email = namesake === undefined ? profile.email : null;
      const made = draftMember({...profile, email, slack_user_id: slackUser, role}, 'slack');
      const draft = adoptSlackRole(made, runsSlack);
      const suffix = generateSuffix();
      const {writes, ...created} = planMemberCreation(draft, suffix);
      return {
        ...created,
        writes: [...writes, ...createMarkSlackNameWrites(draft, suffix)],
        reply: {kind: 'empty'},
      };
    }
    if (linked === undefined && role !== 'owner') requireMayLinkSlack(known, slackUser);
    const given = role === undefined ? {} : ({role, role_source: 'chosen'} as const);
    const own = {...toDraft(known), slack_user_id: slackUser, ...given};
    const linkedTo = linked === undefined ? adoptSlackRole(own, runsSlack) : own;
    const draft = adoptSlackTimeZone(linkedTo, profile.timezone ?? null);
    if (role !== 'owner' || !(await isUnconfirmedOwner(records, call, {...known, role}))) {
      return planMemberRevision(call, known, draft);
    }
    // Slack has just proven who the Slack user is. The e-mail address only tells which member belongs to this
    // user.
    const email = profile.email ?? null;
    const isTheirs =
      email !== null &&
      known.email !== null &&
      createEmailComparisonKey(email) === createEmailComparisonKey(known.email);
    const proven = {...draft, email: isTheirs ? known.email : null};
    const plan = (await planMemberRevision(call, known, proven)) ?? emptyCommit;
    const {revision} = known;
    return {
      ...plan,
      guards: [{check: 'revision', id: known.id, revision}, ...plan.guards],
      writes: [...plan.writes, ...createClearUnconfirmedWrites(suffixOf(known.id))],
    };
  }

  /** Stores the address of a member's Slack picture, or that there is none. */
  const keepSlackPicture = (
    call: RequestContext,
    slackUser: string,
    address: string | undefined,
  ): Promise<void> =>
    saveForMember(call, slackUser, address, (kept) =>
      slackPeople.keepPicture(call.workspace, slackUser, kept, call.deadline),
    );

  /** Stores the locale of a member's Slack. Does nothing for a person who is not a member. */
  const keepSlackLocale = (call: RequestContext, slackUser: string, locale: string): Promise<void> =>
    saveForMember(call, slackUser, locale, (kept) =>
      slackPeople.keepLocale(call.workspace, slackUser, kept, call.deadline),
    );

  async function saveForMember(
    call: RequestContext,
    slackUser: string,
    value: string | undefined,
    keep: (kept: string | undefined) => Promise<void>,
  ): Promise<void> {
    const isMember = async () =>
      (await findByUniqueName(records, call, 'slack-user', slackUser)) !== undefined;
    if (!(await isMember())) return;
    await keep(value);
    // If the member has been erased meanwhile, the value is deleted again, since no later job would find it.
    if (value !== undefined && !(await isMember())) await keep(undefined);
  }

  return {
    keepSlackPicture,
    keepSlackLocale,
    findSlackLocale: (
      {workspace, deadline}: RequestContext,
      slackUser: string,
    ): Promise<string | undefined> => slackPeople.findLocale(workspace, slackUser, deadline),
    ensureServiceAccount: createServiceAccountFinder(context),
    /** Returns the workspace's owner, who is created if there is none. */
    ensureOwner: (call: Call, name: string): Promise<Principal<'member'>> =>
      ensureMember(call, () => findFirstOwner(call), {name, role: 'owner'}, [
        {check: 'length', list: lists.membersOfRole('owner'), below: 1},
      ]),
    /**
     * Finds or creates the member of a Slack user. On first use the member is found by e-mail address,
     * unless that member has another Slack user. Pass an address only if Slack has confirmed it. `role:
     * 'owner'` makes the member an owner.
     */
    async ensureSlackMember(
      call: Call,
      slackUser: string,
      profile: Omit<NewMember, 'role' | 'slack_user_id' | 'locale'> & {
        readonly role?: 'owner';
        /** True if the person runs the Slack workspace, which makes them an admin. */
        readonly runsSlack?: boolean | undefined;
        readonly picture?: string | undefined;
        readonly locale?: string | undefined;
      },
    ): Promise<Principal<'member'>> {
      await mutate(call, async () => (await planSlackMember(call, slackUser, profile)) ?? emptyCommit);
      const member = await findByUniqueName(records, call, 'slack-user', slackUser);
      if (member === undefined)
        throw new AppError('service_unavailable', 'The member could not be made; try again.');
      // The person counts as a member even if these fields cannot be stored.
      if (profile.picture !== undefined)
        await keepSlackPicture(call, slackUser, profile.picture).catch(() => undefined);
      if (profile.locale !== undefined)
        await keepSlackLocale(call, slackUser, profile.locale).catch(() => undefined);
      return {type: 'member', id: member.id, name: member.name};
    },
    /**
     * Updates a member from their Slack profile.
     * - A time zone, name or e-mail address that came from Slack is updated, unless another one was chosen
     *   here. The address of an admin or owner, and one that another member has, is not.
     * - A member who runs the Slack workspace becomes an admin. When that ends, they become an ordinary member
     *   again, and tokens that they made for others are revoked. A role chosen here is kept.
     * - A person who is not a member is ignored, and without a change nothing is written.
     */
    async followSlackProfile(
      call: Call,
      slackUser: string,
      profile: Partial<Omit<SlackProfile, 'picture' | 'locale'>>,
    ): Promise<void> {
      // Usually nothing has changed, and this ends without a commit.
      if ((await planAdoptSlackProfile(call, slackUser, profile)) === undefined) return;
      await mutate(call, async () => (await planAdoptSlackProfile(call, slackUser, profile)) ?? emptyCommit);
    },
    async findOwner(call: RequestContext): Promise<Principal<'member'> | undefined> {
      const owner = await findFirstOwner(call);
      return owner && {type: 'member', id: owner.id, name: owner.name};
    },
    /** Finds a member by id, e-mail address or Slack user. Errors: `not_found`. */
    async findMember(call: RequestContext, reference: string): Promise<Principal<'member'>> {
      const member = await findReferredMember(records, call, reference);
      if (member === undefined)
        throw new AppError('not_found', `There is no member "${reference}".`, {missing: 'member'});
      return {type: 'member', id: member.id, name: member.name};
    },
    findSlackMember: (call: RequestContext, slackUser: string): Promise<Member | undefined> =>
      findByUniqueName(records, call, 'slack-user', slackUser),
    /**
     * Finds the member of a Slack user, for a caller who acts as this member. Errors: `forbidden` for an
     * owner whose Slack user has not been confirmed by an owner.
     */
    async admitSlackMember(call: RequestContext, slackUser: string): Promise<Member | undefined> {
      const found = await findByUniqueName(records, call, 'slack-user', slackUser);
      if (found !== undefined && (await isUnconfirmedOwner(records, call, found)))
        throw createUnconfirmedSlackUserError();
      return found;
    },
    async listSlackUsers(call: RequestContext): Promise<string[]> {
      const found: string[] = [];
      for await (const rows of readPages(records, call, {list: lists.members(), limit: limits.pageMax}))
        found.push(...rows.flatMap(({json}) => parseWire(json).slack_user_id ?? []));
      return found;
    },
    /** Returns the principal with an id; undefined if there is none, or no longer. */
    async findPrincipal(
      workspace: Id<'workspace'>,
      id: PrincipalId,
      deadline: number,
    ): Promise<Principal | undefined> {
      if (!isId('member', id) && !isId('service_account', id)) return undefined;
      const found = await records.find(workspace, id, deadline);
      return found && toPrincipal(found);
    },
    async listTeamsOf(
      asked: RequestContext,
      member: PrincipalId,
      teams: readonly Team[],
      only?: 'expected',
    ): Promise<Team[]> {
      const roles = await listRolesOf(records, asked, member);
      return teams.filter(({id}) => {
        const role = roles.get(id);
        return role !== undefined && (only === undefined || isExpected({role}));
      });
    },
    /**
     * Adds a member to a team by their own act or that of the operator, so the membership is accepted.
     * Returns true if the member was not in the team.
     */
    async joinTeam(
      call: Call,
      team: Pick<Team, 'id' | 'slug'>,
      member: Id<'member'>,
      role: TeamRole = 'member',
    ): Promise<boolean> {
      if (call.principal.type === 'member' && call.principal.id !== member) {
        throw new AppError('forbidden', 'Members can only join a team themselves.');
      }
      let isNew = false;
      await mutate(call, async () => {
        const [directory, known, person] = await Promise.all([
          teams.all(call),
          records.findMembership(call.workspace, team.id, member, call.deadline),
          records.find(call.workspace, member, call.deadline),
        ]);
        isNew = known === undefined;
        if (known?.accepted === true) return emptyCommit;
        if (known !== undefined) {
          const membership = await records.findBySuffix(call.workspace, known.suffix, call.deadline);
          return membership === undefined ? emptyCommit : {...emptyCommit, ...acceptMembership(membership)};
        }
        if (person === undefined) throw new AppError('not_found', 'There is no such member.');
        const joined = directory.byReference(team.id);
        if (joined === undefined) throw notFound('team');
        const {guards, writes, events} = await planJoin(call, joined, person, {role, accepted: true});
        return {
          guards: [createTeamsUnchangedGuard(directory), ...guards],
          writes,
          events,
          reply: {kind: 'empty'},
        };
      });
      return isNew;
    },
  };
}

/**
 * Refuses to link a Slack user to an owner or admin by e-mail address. An admin of the Slack workspace
 * controls the addresses there, and must not gain the rights of an owner or admin here.
 */
function requireMayLinkSlack({id, role, email}: Member, slackUser: string): void {
  if (role === 'member') return;
  throw new AppError(
    'forbidden',
    `${email} is the address of an ${role} here. An address alone does not link an ${role} to Slack. They link it themselves: PATCH /v1/members/${id} with {"slack_user_id": "${slackUser}"}.`,
    {reason: 'known_address'},
  );
}

function toPrincipal({object: type, id, name}: Member | ServiceAccount): Principal {
  return {type, id, name} as Principal;
}
