import {type Commit, type Guard} from '../../domain/commit/commit.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {fieldError} from '../../domain/core/errors.js';
import {suffixOf, isId} from '../../domain/core/ids.js';
import {type Draft, isUnchangedByDraft, findPreviousAttributes, toDraft} from '../../domain/core/resource.js';
import {
  type Member,
  type MemberChange,
  memberDefaults,
  type NewMember,
} from '../../domain/workspaces/workspace.js';
import {requireMember} from '../core/member-references.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {
  applyMemberChange,
  planMemberCreation,
  draftMember,
  requireFreeNames,
  createMemberChangePlanner,
} from './member-records.js';
import {createUnconfirmedNamesPlanner} from './given-names.js';
import {createMemberLister} from './member-list.js';
import {createMemberRights} from './member-rights.js';
import {createMemberRemovalPlanner} from './remove-member.js';
import {createUnmarkSlackNameWrites} from './slack-names.js';

export type MemberService = ReturnType<typeof createMemberService>;

const changeOthers = 'change other members';

/** The fields of a member that people may choose for themselves. */
const ownChoices: ReadonlySet<string> = new Set([
  'name',
  'timezone',
  'timezone_source',
  'locale',
  'reminders',
  'reports',
  'notify',
  'slack_status',
  'holidays',
]);

export function createMemberService(context: ServiceContext) {
  const {mutate, records, generateSuffix, publicHolidays} = context;
  const planMemberChange = createMemberChangePlanner(context);
  const rights = createMemberRights(context);
  const planGivenNames = createUnconfirmedNamesPlanner(context);
  const planRemoval = createMemberRemovalPlanner(context);

  async function requireChangeable(call: Call, member: Member, draft: Draft<Member>): Promise<Proof> {
    const changed = Object.keys(findPreviousAttributes(toDraft(member), draft));
    const own = call.principal.id === member.id;
    if (own && changed.every((name) => ownChoices.has(name))) return [];
    return rights.requireManager(
      call,
      [member.role, draft.role],
      own ? 'change their own role, e-mail address or Slack user' : changeOthers,
    );
  }

  /** Loads public holidays, and extends the deadline by the time that this takes. */
  async function waitForHolidays(call: Call, chosen: MemberChange['holidays']): Promise<Call> {
    if (typeof chosen?.country !== 'string') return call;
    return {...call, deadline: call.deadline + (await publicHolidays.load())};
  }

  /** Checks the chosen holidays. Errors: `validation_failed` for an unknown country, region or calendar. */
  async function requireHolidays(
    {workspace, deadline}: Call,
    before: Draft<Member>['holidays'],
    {country, region, calendar}: Draft<Member>['holidays'],
  ): Promise<Guard[]> {
    if (country !== before.country || region !== before.region) {
      const error = await publicHolidays.findRegionError({country, region});
      if (error !== undefined) {
        const details = country === null ? {reason: 'region_alone' as const} : {forPeople: true};
        throw fieldError('validation_failed', `#/holidays/${error.member}`, error.detail, details);
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

  async function planCreateMember(call: Call, input: NewMember): Promise<Commit> {
    const draft = draftMember(input);
    const proof = await rights.requireManager(call, [draft.role], 'add members');
    await requireFreeNames(records, call, undefined, draft);
    const holidays = await requireHolidays(call, memberDefaults.holidays, draft.holidays);
    const suffix = generateSuffix();
    const {created, guards, writes, events} = planMemberCreation(draft, suffix);
    const given = await planGivenNames(call, {before: undefined, after: draft, change: input, suffix});
    return {
      guards: [...proof, ...guards, ...holidays],
      writes: [...writes, ...given],
      events,
      reply: {kind: 'resource', of: created},
    };
  }

  async function planChangeMember(
    call: Call,
    reference: string,
    change: MemberChange,
    expected?: Precondition,
  ): Promise<Commit> {
    const member = await rights.requireTarget(call, reference, changeOthers);
    const {id} = member;
    const changed = applyMemberChange(member, change);
    // A role given by Slack can be taken back by Slack. Callers must not be able to make such a role of their
    // own permanent.
    const isOwn = id === call.principal.id && changed.role === member.role;
    const draft = isOwn ? {...changed, role_source: member.role_source} : changed;
    const proof = await requireChangeable(call, member, draft);
    requireRevision(expected, member.revision);
    const suffix = suffixOf(id);
    const given = await planGivenNames(call, {before: member, after: draft, change, suffix});
    if (isUnchangedByDraft(member, draft)) return {...planNothing(member), writes: given};
    await requireFreeNames(records, call, member, draft);
    const holidays = await requireHolidays(call, member.holidays, draft.holidays);
    const stays = member.role !== 'owner' || draft.role === 'owner';
    const lastOwner = stays ? [] : [await rights.guardLastOwner(call, 'given another role')];
    const {revised, ...changes} = await planMemberChange(call, member, draft);
    return {
      guards: [...proof, ...lastOwner, ...holidays, ...changes.guards],
      writes: [...changes.writes, ...given, ...createUnmarkSlackNameWrites(member, draft, suffix)],
      events: changes.events,
      reply: {kind: 'resource', of: revised},
    };
  }

  return {
    /** Creates a member. Errors: `forbidden` except for admins, `email_taken`, `slack_user_taken`. */
    async createMember(call: Call, input: NewMember): Promise<Answer<Member>> {
      const ready = await waitForHolidays(call, input.holidays);
      return mutate(ready, () => planCreateMember(ready, input));
    },
    /** Finds a member by id, e-mail address, Slack user or `me`, as all below. Errors: `not_found`. */
    findMember: (access: Caller, reference: string): Promise<Member> =>
      requireMember(records, access, reference),
    /**
     * Lists members, newest first; with a team, the last who joined comes first. With `name`, or `role` in a
     * team, a page may have fewer rows than requested. Errors: `team_not_found`; `insufficient_scope` for a
     * team that the caller may not read.
     */
    listMembers: createMemberLister(context),
    /**
     * Changes a member. People may change their own name, time zone, language, reminders, reports and
     * holidays. Errors:
     * `forbidden`, `last_owner`, `email_taken`, `slack_user_taken`.
     */
    async changeMember(
      call: Call,
      id: string,
      change: MemberChange,
      expected?: Precondition,
    ): Promise<Answer<Member>> {
      const ready = await waitForHolidays(call, change.holidays);
      return mutate(ready, () => planChangeMember(ready, id, change, expected));
    },
    /**
     * Removes a member with their tokens, memberships, and tokens that they made for others. With `erase`
     * everything they wrote is removed too, and the id of the erasure is returned. Errors: `forbidden`,
     * `last_owner`.
     */
    deleteMember(
      call: Call,
      id: string,
      {erase}: {erase: boolean},
      expected?: Precondition,
    ): Promise<Answer<void>> {
      const erasure = erase ? generateSuffix() : undefined;
      return mutate(call, () => planRemoval(call, id, erasure, expected));
    },
  };
}
