import {type Commit, type Guard, nothing} from '../../domain/commit/commit.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import {type Call, type Caller, type PrincipalId, requireScope} from '../../domain/core/access.js';
import type {Answer} from '../core/answers.js';
import type {PublicHolidays} from '../../domain/absences/holidays.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {type DrawId, drawnPart, type Id, isId, storedId, type IdSuffix} from '../../domain/core/ids.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {createNameSearch} from '../../domain/core/name-search.js';
import {type Draft, isSame, previousAttributes, toDraft} from '../../domain/core/resource.js';
import {type TeamMember} from '../../domain/teams/team.js';
import {foldAddress} from '../../domain/core/text.js';
import {isDemotion, type Member, memberDefaults, type MemberRole} from '../../domain/workspaces/workspace.js';
import {findNamedTeam} from '../core/named-team.js';
import {scanPages} from '../core/paging.js';
import type {Authority, Proof} from '../core/authority.js';
import {
  changedMember,
  createWrites,
  draftMember,
  findNamed,
  findReferredMember,
  type MemberChange,
  type NewMember,
  renameWrites,
  requireFreeNames,
  roleWrites,
} from './member-records.js';
import {createMemberReferences} from './member-references.js';
import {actionsOf, type Kinds} from '../core/kind-rules.js';
import {type Mutate, planNothing} from '../core/mutation.js';
import {type Expected, requireRevision} from '../core/precondition.js';
import type {SettleClocks} from '../runs/settle-clocks.js';
import type {TokenLines} from '../tokens/token-lines.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';

export interface MemberQuery extends PageQuery {
  readonly email?: string | undefined;
  readonly slackUser?: string | undefined;
  readonly role?: MemberRole | undefined;
  /** The beginnings of words of their name, or of their e-mail address. */
  readonly name?: string | undefined;
  /** Id or slug of a team that they are in. */
  readonly team?: string | undefined;
}

export interface MemberService {
  /** Errors: `forbidden` but for those who run the workspace, `email_taken`, `slack_user_taken`. */
  createMember: (call: Call, input: NewMember) => Promise<Answer>;
  /** By id, e-mail address, Slack user or `me`, as all that follow. Errors: `not_found`. */
  findMember: (access: Caller, reference: string) => Promise<Member>;
  /**
   * Newest first; with a team, who came into it last. With `name`, or `role` in a team, a page may have
   * fewer rows than asked for. Errors: `team_not_found`, and `insufficient_scope` for a team that may not
   * be read.
   */
  listMembers: (access: Caller, query: MemberQuery) => Promise<Page>;
  /**
   * People may change their own name, time zone, reminders and holidays. Errors: `forbidden`, `last_owner`,
   * `email_taken`, `slack_user_taken`.
   */
  changeMember: (call: Call, reference: string, change: MemberChange, expected?: Expected) => Promise<Answer>;
  /**
   * Removes a member with their tokens, those that they have made for others, and their places in teams;
   * `erase` removes everything they wrote as well, and answers with the id of the erasure.
   * Errors: `forbidden`, `last_owner`.
   */
  deleteMember: (
    call: Call,
    reference: string,
    options: {erase: boolean},
    expected?: Expected,
  ) => Promise<Answer>;
}

export interface MemberParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly teams: Pick<Teams, 'fresh'>;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly tokenLines: TokenLines;
  readonly publicHolidays: Pick<PublicHolidays, 'findFault' | 'load'>;
  readonly kinds: Kinds;
  readonly settleClocks: Pick<SettleClocks, 'ofMember'>;
}

const changeOthers = 'change other members';

/** Revisions of somebody among which one is found, if any is kept. */
const manyRevisions = 200;

/** What people choose for themselves. */
const ownChoices: ReadonlySet<string> = new Set([
  'name',
  'timezone',
  'timezone_source',
  'reminders',
  'holidays',
]);

export function createMemberService({
  mutate,
  records,
  teams,
  drawId,
  authority,
  tokenLines,
  publicHolidays,
  kinds,
  settleClocks,
}: MemberParts): MemberService {
  async function requireMember(access: Caller, reference: string): Promise<Member> {
    const member = await findReferredMember(records, access, reference);
    if (member === undefined) throw new AppError('not_found', await references.unknown(access, reference));
    return member;
  }

  const references = createMemberReferences({records});

  /**
   * Somebody who is to be changed: only those who may do that learn whether there is anybody of that
   * reference.
   */
  async function requireTarget(call: Call, reference: string, act: string): Promise<Member> {
    const member = await findReferredMember(records, call, reference);
    if (member?.id !== call.principal.id) await authority.requireAdmin(call, act);
    if (member === undefined) throw new AppError('not_found', await references.unknown(call, reference));
    return member;
  }

  /** Those who run the workspace decide who is in it; on owners only owners do. */
  function requireManager(call: Call, roles: readonly MemberRole[], act: string): Promise<Proof> {
    return roles.includes('owner')
      ? authority.requireOwner(call, 'make, change or remove an owner')
      : authority.requireAdmin(call, act);
  }

  async function requireChangeable(call: Call, member: Member, draft: Draft<Member>): Promise<Proof> {
    const changed = Object.keys(previousAttributes(toDraft(member), draft));
    const own = call.principal.id === member.id;
    if (own && changed.every((name) => ownChoices.has(name))) return [];
    return requireManager(
      call,
      [member.role, draft.role],
      own ? 'change their own role, e-mail address or Slack user' : changeOthers,
    );
  }

  /** Holidays that have to be loaded first take nothing from the time that a request has for the store. */
  async function waitForHolidays(call: Call, chosen: MemberChange['holidays']): Promise<Call> {
    if (typeof chosen?.country !== 'string') return call;
    return {...call, deadline: call.deadline + (await publicHolidays.load())};
  }

  /** Errors: `validation_failed` for a country, a part of one, or a calendar that is not there. */
  async function requireHolidays(
    {workspace, deadline}: Call,
    before: Draft<Member>['holidays'],
    {country, region, calendar}: Draft<Member>['holidays'],
  ): Promise<Guard[]> {
    if (country !== before.country || region !== before.region) {
      const fault = await publicHolidays.findFault({country, region});
      if (fault !== undefined) {
        const told = country === null ? {reason: 'region_alone' as const} : {forPeople: true};
        throw fieldError('validation_failed', `#/holidays/${fault.member}`, fault.detail, told);
      }
    }
    if (calendar === null || calendar === before.calendar) return [];
    const found = isId('holiday_calendar', calendar)
      ? await records.find(workspace, calendar, deadline)
      : undefined;
    if (found !== undefined) return [{check: 'revision', id: found.id, revision: found.revision}];
    const detail = `There is no holiday calendar "${calendar}". GET /v1/holiday-calendars lists them.`;
    throw fieldError('validation_failed', '#/holidays/calendar', detail, {reason: 'calendar_gone'});
  }

  /** A workspace without an owner could never get one again. Errors: `last_owner`. */
  async function guardLastOwner({workspace, deadline}: Call, act: string): Promise<Guard> {
    const list = lists.membersOfRole('owner');
    if ((await records.count(workspace, list, deadline)) > 1) return {check: 'longer', list, than: 1};
    throw new AppError(
      'last_owner',
      `This is the workspace's last owner, who cannot be ${act}. Make somebody else an owner first.`,
    );
  }

  async function planCreate(call: Call, input: NewMember): Promise<Commit> {
    const draft = draftMember(input);
    const proof = await requireManager(call, [draft.role], 'add members');
    await requireFreeNames(records, call, undefined, draft);
    const holidays = await requireHolidays(call, memberDefaults.holidays, draft.holidays);
    const {created, guards, writes, events} = createWrites(draft, drawId());
    return {
      guards: [...proof, ...guards, ...holidays],
      writes,
      events,
      reply: {kind: 'resource', status: 201, of: created},
    };
  }

  async function planChange(
    call: Call,
    reference: string,
    change: MemberChange,
    expected?: Expected,
  ): Promise<Commit> {
    const member = await requireTarget(call, reference, changeOthers);
    const {id} = member;
    const changed = changedMember(member, change);
    // Nobody makes their own what Slack has given them and may take back.
    const isOwn = id === call.principal.id && changed.role === member.role;
    const draft = isOwn ? {...changed, role_source: member.role_source} : changed;
    const proof = await requireChangeable(call, member, draft);
    requireRevision(expected, member.revision);
    if (isSame(member, draft)) return planNothing(member);
    await requireFreeNames(records, call, member, draft);
    const holidays = await requireHolidays(call, member.holidays, draft.holidays);
    const stays = member.role !== 'owner' || draft.role === 'owner';
    const lastOwner = stays ? [] : [await guardLastOwner(call, 'given another role')];
    const drawn = drawnPart(id);
    const renamed = renameWrites(member, draft, drawn);
    const moves = draft.timezone !== member.timezone;
    const revision = member.revision + 1;
    const demoted = isDemotion(member.role, draft.role);
    const tokens = demoted ? await tokenLines.planRevocationOf(call, id, 'demoted') : nothing;
    const settled = moves ? await settleClocks.ofMember(call, id) : nothing;
    const revised = reviseWrite(member, draft);
    return {
      guards: [...proof, ...lastOwner, ...renamed.guards, ...holidays, ...settled.guards, ...tokens.guards],
      writes: [
        revised,
        ...renamed.writes,
        ...roleWrites(drawn, member.role, draft.role),
        ...settled.writes,
        ...tokens.writes,
      ],
      events: [{type: 'member.updated', about: drawn, revision}, ...tokens.events],
      reply: {kind: 'resource', status: 200, of: revised},
    };
  }

  /** Somebody who is removed, with something of them left, which is listed by the second half of their id. */
  async function hasLeftTraces({workspace, deadline}: Call, id: string): Promise<boolean> {
    if (!isId('member', id)) return false;
    if ((await records.findByDrawn(workspace, drawnPart(id), deadline)) !== undefined) return false;
    const steps = actionsOf(kinds, 'person').flat();
    const left = [...steps.map(({list}) => list(id)), lists.removedOf(id)];
    const counts = await Promise.all(left.map((list) => records.count(workspace, list, deadline)));
    return counts.some((count) => count > 0) && !(await isOfAnother({workspace, deadline}, id, left));
  }

  /** True when what is left by the second half of an id is of one with another first half, or of a program. */
  async function isOfAnother(
    {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
    id: Id<'member'>,
    left: readonly ListName[],
  ): Promise<boolean> {
    const drawn = drawnPart(id);
    const [themselves, ...pages] = await Promise.all([
      records.listRevisions(workspace, drawn, {from: 1, to: manyRevisions}, deadline),
      ...left.map(async (list) => (await records.list(workspace, {list, limit: 1}, deadline)).rows),
    ]);
    const whole = new RegExp(`"[a-z]+_[0-9a-z]{10}${drawn}"`, 'g');
    const told = [...themselves, ...pages.flat().map(({json}) => json)];
    // People write any id into a name or into metadata: a record that has this very one is theirs.
    return told.some((json) => json.match(whole)?.includes(`"${id}"`) === false);
  }

  async function planErase(call: Call, id: string, drawn: IdSuffix<'erasure'>): Promise<Commit> {
    const guards = await authority.requireAdmin(call, 'remove members');
    const {writes, reply} = erasureOf(storedId(id), drawn, 0);
    return {effect: 'release', guards, writes, events: [], reply};
  }

  /**
   * From this commit on nobody acts as them; what they leave behind may be much, and a job clears it away.
   */
  async function planDelete(
    call: Call,
    reference: string,
    erasure: IdSuffix<'erasure'> | undefined,
    expected?: Expected,
  ): Promise<Commit> {
    const erase = erasure !== undefined;
    // The search for traces takes long: by its time others would learn that somebody was here.
    if (erase) await authority.requireAdmin(call, 'remove members');
    if (erase && (await hasLeftTraces(call, reference))) return planErase(call, reference, erasure);
    const member = await requireTarget(call, reference, 'remove members');
    const {id} = member;
    const proof = await requireManager(call, [member.role], 'remove members');
    requireRevision(expected, member.revision);
    const lastOwner = member.role === 'owner' ? [await guardLastOwner(call, 'removed')] : [];
    const tokens = await tokenLines.planRevocationOf(call, id, erase ? 'erase' : 'gone');
    const drawn = drawnPart(id);
    const revoked = tokens.writes.filter((write) => write.do === 'admit-token').length;
    const {writes, reply} = erase
      ? erasureOf(id, erasure, revoked)
      : {
          writes: [{do: 'begin-work', work: {kind: 'forget-member', member: id, erase}} as const],
          reply: {kind: 'empty'} as const,
        };
    return {
      effect: 'release',
      guards: [...proof, ...lastOwner, ...tokens.guards],
      writes: [
        {
          do: 'remove',
          how: erase ? 'erase' : 'remove',
          id,
          from: member.revision,
          lists: [lists.members(), lists.membersOfRole(member.role)],
          names: [id],
        },
        ...renameWrites(member, undefined, drawn).writes,
        ...tokens.writes,
        ...writes,
      ],
      events: [...tokens.events, {type: 'member.left', about: drawn, revision: member.revision}],
      reply,
    };
  }

  async function isIn({workspace, deadline}: Caller, team: Id<'team'>, {id}: Member): Promise<boolean> {
    return (await records.findTeamPlace(workspace, team, id, deadline)) !== undefined;
  }

  /**
   * Errors: `team_not_found`, `insufficient_scope`: who is in a team is for those to see who may read
   * teams.
   */
  async function findTeam(access: Caller, reference: string | undefined): Promise<Id<'team'> | undefined> {
    if (reference === undefined) return undefined;
    requireScope(access, 'teams:read');
    return (await findNamedTeam(teams, access, reference))?.id;
  }

  /** The one member that a unique name leads to, as a page. */
  async function findByName(
    access: Caller,
    query: Omit<MemberQuery, 'team'>,
    team: Id<'team'> | undefined,
  ): Promise<Page> {
    const {email, slackUser, role, name, past} = query;
    const found = await (email === undefined
      ? findNamed(records, access, 'slack-user', slackUser ?? '')
      : findNamed(records, access, 'email', foldAddress(email)));
    const fits =
      found !== undefined &&
      past === undefined &&
      (slackUser === undefined || found.slack_user_id === slackUser) &&
      (role === undefined || found.role === role) &&
      (name === undefined || createNameSearch(name)(namesOf(found))) &&
      (team === undefined || (await isIn(access, team, found)));
    return {rows: fits ? [JSON.stringify(found)] : [], next: undefined};
  }

  return {
    async createMember(call, input) {
      const ready = await waitForHolidays(call, input.holidays);
      return mutate(ready, () => planCreate(ready, input));
    },
    findMember: requireMember,
    async listMembers(access, query) {
      const {email, slackUser, role, name} = query;
      const team = await findTeam(access, query.team);
      if (email !== undefined || slackUser !== undefined) return findByName(access, query, team);
      const isNamed = name === undefined ? undefined : createNameSearch(name);
      const readFrom = (list: ListName) => (page: PageQuery) =>
        records.list(access.workspace, {list, ...page}, access.deadline);
      if (team === undefined) {
        const list = role === undefined ? lists.members() : lists.membersOfRole(role);
        return scanPages(readFrom(list), query, (rows) =>
          rows.map(({json}) => (isNamed?.(namesOf(JSON.parse(json) as Member)) === false ? undefined : json)),
        );
      }
      return scanPages(readFrom(lists.teamMembers(team)), query, async (rows) => {
        const ids = rows.map(({json}) => (JSON.parse(json) as TeamMember).member.id);
        const found = await records.findMany(access.workspace, ids, access.deadline);
        // A place outlives its member for a moment.
        return found.map((member) =>
          member === undefined ||
          (role !== undefined && member.role !== role) ||
          isNamed?.(namesOf(member)) === false
            ? undefined
            : JSON.stringify(member),
        );
      });
    },
    async changeMember(call, id, change, expected) {
      const ready = await waitForHolidays(call, change.holidays);
      return mutate(ready, () => planChange(ready, id, change, expected));
    },
    deleteMember(call, id, {erase}, expected) {
      const erasure = erase ? drawId() : undefined;
      return mutate(call, () => planDelete(call, id, erasure, expected));
    },
  };
}

/** The work that erases somebody, and the record by which it can be followed. */
function erasureOf(
  member: PrincipalId,
  erasure: IdSuffix<'erasure'>,
  revoked: number,
): Pick<Commit, 'writes' | 'reply'> {
  return {
    writes: [
      {do: 'begin-work', work: {kind: 'forget-member', member, erase: true, erasure}},
      {do: 'start-erasure', drawn: erasure, member, revoked},
    ],
    reply: {kind: 'erasure', erasure},
  };
}

/** By what people look for them. */
function namesOf({name, email}: Member): string[] {
  return [name, email ?? ''];
}
