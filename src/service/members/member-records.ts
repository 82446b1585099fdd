import {type CommitPart, type Guard, nothing} from '../../domain/commit/commit.js';
import {createWrite, type CreateWrite, reviseWrite, type Write} from '../../domain/commit/writes.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {fieldError} from '../../domain/core/errors.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, applyPatch, toDraft} from '../../domain/core/resource.js';
import {createEmailComparisonKey, normalizeEmail} from '../../domain/core/text.js';
import {
  type Member,
  memberDefaults,
  type MemberRole,
  type NewMember,
  type MemberChange,
} from '../../domain/workspaces/workspace.js';
import type {Records} from '../../store/core/records.js';
import type {ServiceContext} from '../core/context.js';
import {createNameKey} from '../core/member-references.js';
import {createNoticeWrites, limitNotices} from '../core/queue-mail.js';
import {createTimeZoneChanges} from '../runs/time-zone-changes.js';
import {updateEmailStatus} from '../core/email-status.js';
import {createTokenLines} from '../tokens/token-lines.js';

/** The fields that are unique among the members of a workspace. Each value belongs to one member. */
export const memberNames = [
  {names: 'email', member: 'email', code: 'email_taken', what: 'the e-mail address'},
  {names: 'slack-user', member: 'slack_user_id', code: 'slack_user_taken', what: 'the Slack user'},
] as const;

/** Drafts a new member. `zoneFrom`: the source of the time zone. */
export function draftMember(input: NewMember, zoneFrom: 'slack' | 'chosen' = 'chosen'): Draft<Member> {
  return {
    object: 'member',
    name: input.name,
    email: typeof input.email === 'string' ? normalizeEmail(input.email) : null,
    email_status: typeof input.email === 'string' ? 'unproven' : null,
    role: input.role ?? 'member',
    role_source: 'chosen',
    timezone: input.timezone ?? null,
    timezone_source: typeof input.timezone === 'string' ? zoneFrom : null,
    locale: input.locale ?? null,
    slack_user_id: input.slack_user_id ?? null,
    reminders: applyPatch(memberDefaults.reminders, input.reminders),
    reports: applyPatch(memberDefaults.reports, input.reports),
    notify: applyPatch(memberDefaults.notify, input.notify),
    slack_status: input.slack_status ?? memberDefaults.slack_status,
    holidays: applyPatch(memberDefaults.holidays, input.holidays),
  };
}

/** Takes over the Slack profile's time zone until the member chooses one here; null for none. */
export function adoptSlackTimeZone(member: Draft<Member>, slackZone: string | null): Draft<Member> {
  if (slackZone === null || member.timezone_source === 'chosen') return member;
  return {...member, timezone: slackZone, timezone_source: 'slack'};
}

/** Makes a member who runs the Slack workspace an admin while they run it. A role chosen here stays. */
export function adoptSlackRole(member: Draft<Member>, runsSlack: boolean): Draft<Member> {
  const {role, role_source: source} = member;
  if (runsSlack && role === 'member') return {...member, role: 'admin', role_source: 'slack'};
  if (!runsSlack && role === 'admin' && source === 'slack')
    return {...member, role: 'member', role_source: 'chosen'};
  return member;
}

/** Returns the writes that create a member, for every channel. */
export function planMemberCreation(
  draft: Draft<Member>,
  suffix: IdSuffix<'member'>,
): CommitPart & {readonly created: CreateWrite} {
  const {guards, writes} = planUniqueNames(undefined, draft, suffix);
  const listings = [{list: lists.members()}, {list: lists.membersOfRole(draft.role)}];
  const created = createWrite('member', suffix, draft, listings);
  return {
    created,
    guards,
    writes: [created, ...writes],
    events: [{type: 'member.joined', about: suffix, revision: 1}],
  };
}

/** Reserves the unique names that a member gets, and frees those that the member had. */
export function planUniqueNames(
  before: Draft<Member> | undefined,
  after: Draft<Member> | undefined,
  suffix: IdSuffix<'member'>,
): {guards: Guard[]; writes: Write[]} {
  const guards: Guard[] = [];
  const writes: Write[] = [];
  for (const {names, member} of memberNames) {
    const [old, name] = [before?.[member] ?? null, after?.[member] ?? null];
    if (old === name) continue;
    const freed = old === null ? undefined : createNameKey(names, old);
    const taken = name === null ? undefined : createNameKey(names, name);
    if (freed !== undefined && freed !== taken) writes.push({do: 'free-name', names, name: freed, suffix});
    if (old !== null && names === 'slack-user')
      writes.push({do: 'leave-slack', member: suffix, slackUser: old});
    if (taken !== undefined) {
      guards.push({check: 'name-free', names, name: taken, but: suffix});
      writes.push({do: 'name', names, name: taken, suffix});
    }
  }
  return {guards, writes};
}

/**
 * Plans the revision of a member, with all that follows from it. `own`: also the tokens that the member made
 * are revoked if the role rises. Tokens may be revoked before the commit: check the caller's right first.
 */
export function createMemberChangePlanner(context: ServiceContext) {
  const tokenLines = createTokenLines(context);
  const timeZoneChanges = createTimeZoneChanges(context);

  /** Notifies an address that it is no longer that of the member, even if mails to it were refused. */
  async function notifyEarlierAddress(
    call: Call,
    {id, email: to, revision}: Member,
    {email}: Draft<Member>,
  ): Promise<Write[]> {
    if (to === null || (email !== null && createEmailComparisonKey(email) === createEmailComparisonKey(to)))
      return [];
    const fact = {kind: 'notice', about: 'address_changed', revision: revision + 1} as const;
    const notices = createNoticeWrites(context, fact, {member: id, to});
    return limitNotices(context, call, {kind: fact.about, about: to}, notices);
  }

  return async function planMemberChange(call: Call, before: Member, draft: Draft<Member>) {
    const {id, revision, role} = before;
    const suffix = suffixOf(id);
    const names = planUniqueNames(before, draft, suffix);
    const tokens = await tokenLines.planRoleChange(call, before, draft.role);
    const moves = draft.timezone !== before.timezone;
    const openings = moves ? await timeZoneChanges.ofMember(call, id) : nothing;
    const revised = reviseWrite(before, draft);
    return {
      revised,
      guards: [...names.guards, ...openings.guards, ...tokens.guards],
      writes: [
        revised,
        ...names.writes,
        ...createRoleWrites(suffix, role, draft.role),
        ...openings.writes,
        ...(draft.slack_status === 'never' && before.slack_status !== 'never'
          ? [{do: 'drop-slack-status', member: id} as const]
          : []),
        ...tokens.writes,
        ...(await notifyEarlierAddress(call, before, draft)),
      ],
      events: [{type: 'member.updated', about: suffix, revision: revision + 1} as const, ...tokens.events],
    };
  };
}

/** Moves a member to the list of another role. */
function createRoleWrites(suffix: IdSuffix<'member'>, before: MemberRole, after: MemberRole): Write[] {
  if (before === after) return [];
  return [
    {
      do: 'relist',
      suffix,
      from: lists.membersOfRole(before),
      to: {list: lists.membersOfRole(after), positionFrom: lists.members()},
    },
  ];
}

/** Checks that no other member has these names. Errors: `email_taken`, `slack_user_taken`. */
export async function requireFreeNames(
  records: Records,
  {workspace, deadline}: RequestContext,
  before: Member | undefined,
  after: Draft<Member>,
): Promise<void> {
  const own = before && suffixOf(before.id);
  for (const {names, member, code, what} of memberNames) {
    const name = after[member];
    if (name === null || name === before?.[member]) continue;
    const holder = await records.findName(workspace, names, createNameKey(names, name), deadline);
    if (holder === undefined || holder === own) continue;
    throw fieldError(
      code,
      `#/${member}`,
      `Another member has ${what} "${name}" already. Search for that member, or use another value.`,
    );
  }
}

export function applyMemberChange(member: Member, change: MemberChange): Draft<Member> {
  const {name = member.name, role = member.role, email, timezone, locale, slack_user_id} = change;
  const draft = {
    ...toDraft(member),
    ...draftMember({
      name,
      role,
      email: email === undefined ? member.email : email,
      timezone: timezone === undefined ? member.timezone : timezone,
      locale: locale === undefined ? member.locale : locale,
      slack_user_id: slack_user_id === undefined ? member.slack_user_id : slack_user_id,
      reminders: applyPatch(member.reminders, change.reminders),
      reports: applyPatch(member.reports, change.reports),
      notify: applyPatch(member.notify, change.notify),
      slack_status: change.slack_status ?? member.slack_status,
      holidays: applyPatch(member.holidays, change.holidays),
    }),
  };
  const kept = change.role === undefined ? {...draft, role_source: member.role_source} : draft;
  // A form also submits the time zone with which it was opened. So an unchanged time zone does not mean that
  // the member chose it.
  const stays = draft.timezone === member.timezone;
  return updateEmailStatus(member, stays ? {...kept, timezone_source: member.timezone_source} : kept);
}
