import {type Call, type Caller, operatorId, requireScope} from '../../domain/core/access.js';
import {
  type Commit,
  type CommitPart,
  type Guard,
  joinCommitParts,
  removeDuplicateGuards,
} from '../../domain/commit/commit.js';
import {createWrite, type CreateWrite} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {type Id, type IdSuffix, isId} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists, type ListName, type Page, type PageQuery, positionOf} from '../../domain/core/lists.js';
import {type Draft, parseWire, type WireJson} from '../../domain/core/resource.js';
import {createEmailComparisonKey, normalizeEmail} from '../../domain/core/text.js';
import {
  computeInviteState,
  createJoinAddress,
  type Invite,
  type InviteState,
  type NewInvite,
  type ShownInvite,
} from '../../domain/invites/invite.js';
import {mailOfInvite} from '../../domain/mail/mail.js';
import {normalizeEmailDomain} from '../../domain/invites/email-domain.js';
import {requireNamedTeams, requireTeamAtPointer} from '../../domain/teams/team.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {findByAddress} from '../core/member-references.js';
import {createQueueMailWrites, hashCountedAddress} from '../core/queue-mail.js';
import {listAllRecords, scanPages} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createTeamsUnchangedGuard} from '../teams/find-team.js';
import {findIssuers, hashSecret} from '../tokens/token-records.js';
import type {Sessions} from '../tokens/sessions.js';
import {createAcceptInvite} from './accept-invite.js';
import {createInvitePresenter} from './invite-presenter.js';
import {
  computeInviteRemoval,
  createAddressKey,
  dayOfInstant,
  listInviteLists,
  listInvitesTo,
  planErasureOfAddress,
  planRevocation,
} from './invite-records.js';
import {createInviteRightFinder} from './invite-rights.js';
import {createJoinByInvite} from './join-by-invite.js';
import {createOpenInvites} from './open-invites.js';

export interface InviteQuery extends PageQuery {
  /** The present state. Left out: all states. */
  readonly state?: InviteState | undefined;
  /** The id or slug of a team that the invites lead into. */
  readonly team?: string | undefined;
  readonly email?: string | undefined;
}

export type Invites = ReturnType<typeof createInvites>;

/** The random values of a new invite. They stay the same if it is planned again. */
interface MadeInvite {
  /** Null for a link. */
  readonly email: string | null;
  readonly suffix: IdSuffix<never>;
  readonly secret: string;
}

const weekMs = 7 * 24 * 3_600_000;

export function createInvites(context: ServiceContext, uses: {readonly sessions: Sessions}) {
  const {mutate, records, teams, clock, cipher, authority, admissions, sha256, publicUrl, workspaces, mail} =
    context;
  const {generateSuffix, generateSecret, waysIn} = context;
  const findRight = createInviteRightFinder(context);
  const present = createInvitePresenter(context);
  const open = createOpenInvites(context, findRight);
  const provesAddresses = (['mail', 'slack', 'provider'] as const).some((way) => waysIn.has(way));

  /** Checks that the workspace may create so many invites today. */
  async function requireInvitesLeft({workspace, deadline}: Call, count: number): Promise<Guard> {
    const now = clock.now();
    const made = (await workspaces.find(workspace, deadline))?.created_at ?? toInstant(now);
    const isYoung = Date.parse(made) + weekMs > now;
    const most = isYoung ? limits.invitesPerDayAtFirst : limits.invitesPerDay;
    const past = positionOf(dayOfInstant(toInstant(now)), 0);
    const list = lists.invites();
    const {rows} = await records.list(workspace, {list, from: past, limit: most}, deadline);
    if (rows.length + count <= most) return {check: 'length', list, below: most - count + 1, past};
    throw new AppError(
      'limit_reached',
      `A workspace may create ${most} invites a day${isYoung ? ' in its first week' : ''}, and ${rows.length} were created today. More can be created tomorrow (UTC).`,
    );
  }

  /** Checks that a lead may have so many more open invites. */
  async function requireFewOpen({workspace, principal, deadline}: Call, count: number): Promise<Guard> {
    const list = lists.invitesBy(principal.id);
    const own = await listAllRecords(records, {workspace, deadline}, {list, limit: limits.pageMax});
    const open = own.filter((invite) => computeInviteState(invite, clock.now(), true) === 'open');
    if (open.length + count <= limits.openInvitesPerLead)
      return {check: 'length', list, below: own.length + 1};
    throw new AppError(
      'limit_reached',
      `A lead may have ${limits.openInvitesPerLead} open invites, and you have ${open.length}. End some, or ask an owner or admin.`,
    );
  }

  async function planInvite(
    call: Call,
    draft: Draft<Invite>,
    {suffix, secret, email}: MadeInvite,
    mayReplace: (earlier: Invite) => boolean,
  ): Promise<CommitPart & {readonly created: CreateWrite}> {
    const now = toInstant(clock.now());
    const created = createWrite('invite', suffix, draft, listInviteLists(draft, now));
    const admitted = {until: computeInviteRemoval(draft), proof: hashSecret(sha256, secret)};
    const made: CommitPart = {
      guards: [],
      writes: [created, {do: 'admit-token', suffix, admitted}],
      events: [{type: 'invite.created', about: suffix, revision: 1}],
    };
    if (email === null) return {...made, created};
    const queued = createQueueMailWrites(context, {
      suffix: mailOfInvite(suffix),
      fact: {kind: 'invite', ...(mail === 'sent' && {onlyByMail: true})},
      to: email,
      secret,
      until: Date.parse(draft.expires_at),
    });
    // Counted apart from the invites: they are no longer invites to the address once they have lost it.
    const [address, day] = [hashCountedAddress(context, call.workspace, email), dayOfInstant(now)];
    const [earlier, today] = await Promise.all([
      listInvitesTo(records, call, email),
      admissions.countInvites(call.workspace, address, day, call.deadline),
    ]);
    if (today >= limits.invitesPerAddress) {
      throw new AppError(
        'limit_reached',
        `${email} was invited ${limits.invitesPerAddress} times today. They can be invited again tomorrow (UTC).`,
      );
    }
    const guards: Guard[] = [
      {check: 'length', list: lists.invitesTo(createAddressKey(email)), below: earlier.length + 1},
      {check: 'name-free', names: 'email', name: createEmailComparisonKey(email)},
    ];
    const counted: CommitPart['writes'] = [...queued, {do: 'count-invite', address, day, from: today}];
    const replaced = earlier.filter(mayReplace).map(planRevocation);
    return {...joinCommitParts([{guards, writes: counted}, made, ...replaced]), created};
  }

  async function planInvites(
    call: Call,
    {emails, teams: named = [], role = 'member', max_uses, expires_in, email_domain, locale}: NewInvite,
    made: readonly MadeInvite[],
  ): Promise<Commit> {
    const {principal, workspace} = call;
    if (role === 'admin') requireScope(call, 'tokens:manage');
    // The answer says which addresses are those of members.
    if (emails !== undefined) requireScope(call, 'members:read');
    if (emails === undefined) requireLinkForMembers(role, named);
    if (email_domain !== undefined && !provesAddresses) throw createNoProofError();
    const directory = await teams.all(call);
    const seen = await teams.among(directory, call);
    const joined = new Map<Id<'team'>, Invite['teams'][number]>();
    for (const [i, {team_id: reference, role: teamRole = 'member'}] of named.entries()) {
      const {id} = requireTeamAtPointer(`#/teams/${i}/team_id`, seen, reference, call);
      joined.set(id, {team_id: id, role: teamRole});
    }
    const maker = principal.id === operatorId ? null : ({type: principal.type, id: principal.id} as const);
    const given = {role, teams: [...joined.values()]};
    const issuers = await findIssuers(records, call);
    if (issuers === undefined) throw createLongLineError();
    const makers = {created_by: maker, issued_by: issuers};
    const right = await findRight(call, {...given, ...makers}, directory);
    if (right === undefined) throw createMayNotInviteError();
    const lifetime = expires_in ?? lifetimes.inviteDefault;
    const draft: Draft<Invite> = {
      object: 'invite',
      email: null,
      email_domain: (email_domain && normalizeEmailDomain(email_domain)) ?? null,
      ...given,
      max_uses: emails === undefined ? (max_uses ?? limits.inviteUsesDefault) : 1,
      uses: 0,
      locale: locale ?? null,
      state: 'open',
      expires_at: toInstant((Math.floor(clock.now() / 1_000) + lifetime) * 1_000),
      ...makers,
    };
    const members = await Promise.all(
      made.map(async ({email}) => (email === null ? undefined : findByAddress(records, call, email))),
    );
    const invited = made.filter((_, i) => members[i] === undefined);
    const skipped = made.flatMap(({email}, i) => {
      const member = members[i];
      return member === undefined ? [] : [{email, reason: 'member', member_id: member.id}];
    });
    // A lead ends no invite of others.
    const mayReplace = ({created_by: other}: Invite) => right.role !== 'member' || other?.id === maker?.id;
    const planned = await Promise.all(
      invited.map((one) => planInvite(call, {...draft, email: one.email}, one, mayReplace)),
    );
    const all = joinCommitParts(planned);
    // A link that is mailed is shown to no one else, so that it proves the address.
    const rows = invited.map(({suffix, secret, email}) => ({
      url:
        email !== null && mail === 'sent' ? null : createJoinAddress(publicUrl, {workspace, suffix, secret}),
    }));
    const once = JSON.stringify({rows, list: {skipped}});
    return {
      ...all,
      guards: removeDuplicateGuards([
        ...right.proof,
        createTeamsUnchangedGuard(directory),
        ...(invited.length === 0 ? [] : [await requireInvitesLeft(call, invited.length)]),
        ...(right.role === 'member' ? [await requireFewOpen(call, invited.length)] : []),
        ...all.guards,
      ]),
      reply: {
        kind: 'list',
        of: planned.map(({created}) => created),
        encrypted: cipher.encrypt('shown-once', workspace, once),
      },
    };
  }

  /** True for callers who see the invites of everybody. */
  async function seesAll(access: Caller): Promise<boolean> {
    return (await authority.findRole(access)) !== 'member';
  }

  /** Leaves out of invites the private teams that the caller may not see. */
  async function leaveOutHidden(access: Caller, invites: readonly ShownInvite[]): Promise<ShownInvite[]> {
    const hidden = await teams.listHidden(
      access,
      invites.flatMap(({teams: into}) => into.map(({team_id: id}) => id)),
    );
    return invites.map((invite) => ({
      ...invite,
      teams: invite.teams.filter(({team_id: id}) => !hidden.has(id)),
    }));
  }

  /** Finds an invite, and whether the caller created it. */
  async function findInvite({workspace, principal, deadline}: Caller, id: string) {
    const invite = isId('invite', id) ? await records.find(workspace, id, deadline) : undefined;
    return {invite, isOwn: invite !== undefined && invite.created_by?.id === principal.id};
  }

  return {
    ...createJoinByInvite(context, {...uses, open, present}),
    acceptInvite: createAcceptInvite(context, open, present),
    /**
     * Creates an invite for each address, or one link. An open invite to the same address is replaced, but a
     * lead replaces only their own. Members are passed over: `skipped` of the answer. Each row has its `url`,
     * here and in repeats with the same idempotency key only, or null if a mail has it.
     * Errors: `forbidden`, `team_not_found`, `limit_reached`, `insufficient_scope`, `validation_failed`.
     */
    createInvites(call: Call, input: NewInvite): Promise<Answer> {
      const addresses = input.emails?.map(normalizeEmail) ?? [null];
      const each = new Map(addresses.map((email) => [email && createEmailComparisonKey(email), email]));
      const made = [...each.values()].map((email) => ({
        email,
        suffix: generateSuffix(),
        secret: generateSecret(),
      }));
      return mutate(call, () => planInvites(call, input, made));
    },
    /** Lists invites, newest first: all of them for those who run the workspace, otherwise the caller's own. */
    async listInvites(
      access: Caller,
      {state, team: named, email, ...page}: InviteQuery,
    ): Promise<Page<WireJson<ShownInvite>>> {
      // The right of a maker depends on all teams of an invite.
      const directory = await teams.all(access);
      const seen = await teams.among(directory, access);
      const team = requireNamedTeams(seen, named === undefined ? undefined : [named], access)?.[0];
      const list: ListName<'invite'> = !(await seesAll(access))
        ? lists.invitesBy(access.principal.id)
        : email === undefined
          ? lists.invites()
          : lists.invitesTo(createAddressKey(email));
      const key = email && createEmailComparisonKey(email);
      const isWanted = (invite: Invite) =>
        (team === undefined || invite.teams.some(({team_id: id}) => id === team.id)) &&
        (key === undefined || (invite.email !== null && createEmailComparisonKey(invite.email) === key));
      return scanPages(
        (query) => records.list(access.workspace, {list, ...query}, access.deadline),
        page,
        async (rows) => {
          const found = rows.map(({json}) => parseWire(json));
          const wanted = found.filter(isWanted);
          const presented = await leaveOutHidden(access, await present(access, wanted, directory));
          const shown = new Map(presented.map((invite) => [invite.id, invite]));
          return found.map(({id}) => {
            const invite = shown.get(id);
            return invite !== undefined && (state === undefined || invite.state === state)
              ? JSON.stringify(invite)
              : undefined;
          });
        },
      );
    },
    /** Errors: `not_found`, also for an invite that the caller may not see. */
    async findInvite(access: Caller, id: string): Promise<ShownInvite> {
      const {invite, isOwn} = await findInvite(access, id);
      if (invite === undefined || !(isOwn || (await seesAll(access)))) throw notFound('invite');
      const directory = await teams.all(access);
      const [shown] = await leaveOutHidden(access, await present(access, [invite], directory));
      if (shown === undefined) throw notFound('invite');
      return shown;
    },
    /**
     * Ends an invite. `erase`: also erases its address, from its events too. Ending it again changes nothing.
     * Errors: `forbidden` for callers who neither created it nor run the workspace; `not_found`;
     * `precondition_failed`.
     */
    revokeInvite: (
      call: Call,
      id: string,
      {erase}: {readonly erase: boolean},
      expected?: Precondition,
    ): Promise<Answer<void>> =>
      mutate(call, async () => {
        const {invite, isOwn} = await findInvite(call, id);
        // Only callers who may end the invites of others learn whether an id exists.
        const proof = isOwn ? [] : await authority.requireAdmin(call, 'end the invites of others');
        if (invite === undefined) throw notFound('invite');
        requireRevision(expected, invite.revision);
        const ended = erase ? planErasureOfAddress(invite) : planRevocation(invite);
        return {effect: 'release', guards: proof, ...ended, reply: {kind: 'empty'}};
      }),
  };
}

/** Refuses a link that gives more than the role of a member, since anyone may hold it. */
function requireLinkForMembers(role: string, teams: NonNullable<NewInvite['teams']>): void {
  if (role !== 'member') {
    throw fieldError(
      'validation_failed',
      '#/role',
      '`role` must be "member" for a link: anyone may hold it.',
    );
  }
  const at = teams.findIndex((team) => team.role === 'lead');
  if (at === -1) return;
  throw fieldError(
    'validation_failed',
    `#/teams/${at}/role`,
    `\`teams.${at}.role\` must be "member" or "observer" for a link: anyone may hold it.`,
  );
}

function createNoProofError(): AppError {
  return fieldError(
    'validation_failed',
    '#/email_domain',
    '`email_domain` needs codes by e-mail or a sign-in provider. Both are off here, so the service could not prove an address.',
    {forPeople: true},
  );
}

function createMayNotInviteError(): AppError {
  return new AppError(
    'forbidden',
    'You may not invite people to this. Owners invite members and admins; admins and service accounts invite members; leads invite members into teams that they lead, as member or observer, unless the workspace forbids it.',
    {reason: 'lead_only'},
  );
}

function createLongLineError(): AppError {
  return new AppError(
    'forbidden',
    `More than ${limits.tokensPerPrincipal} tokens, each created with the one before, lead to this one. Create a token while signed in, and invite people with that.`,
  );
}
