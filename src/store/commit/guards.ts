import type {Guard} from '../../domain/commit/commit.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {positionOf} from '../../domain/core/lists.js';
import {renderStampFields} from '../../domain/core/resource.js';
import {formatKnownMessage} from '../../domain/slack/known-message.js';
import {slackItemName} from '../../domain/slack/slack-post.js';
import {createGuard, type Step} from './step.js';
import {formatDraftField} from '../drafts/draft-records.js';
import {formatDueNotice} from '../inbox/inboxes.js';
import * as lua from '../core/compiled/lua.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {serializeMembership} from '../core/records.js';
import {formatPasskeyUse} from '../../domain/tokens/passkey.js';

const versions = {teams: lua.requireTeamsVersionLua, webhooks: lua.requireWebhooksVersionLua} as const;
const memberships = {
  none: lua.requireNoMembershipLua,
  any: lua.requireAnyMembershipLua,
  accepted: lua.requireAcceptedMembershipLua,
  lead: lua.requireLeadLua,
} as const;

type GuardOf<C extends Guard['check']> = Extract<Guard, {readonly check: C}>;

/** Creates the step for each kind of guard, which checks that nothing has changed since the plan. */
const steps: {readonly [C in Guard['check']]: (guard: GuardOf<C>, keys: WorkspaceKeys) => Step} = {
  unchanged: ({collection, version}) => createGuard(versions[collection], [], [version]),
  revision: ({id, revision}, keys) => createRevisionGuard(keys, id, revision),
  'as-read': (guard, keys) =>
    createGuard(lua.requireAsReadLua, [keys.record(suffixOf(guard.id))], [renderStampFields(guard)]),
  'name-free': ({names, name, but = ''}, keys) =>
    createGuard(lua.requireNameFreeLua, [keys.names(names)], [name, but]),
  membership({team, member, is}, keys) {
    const [members, suffix] = [[keys.teamMembers(team)], suffixOf(member)];
    return typeof is === 'string'
      ? createGuard(memberships[is], members, [suffix])
      : createGuard(lua.requireMembershipLua, members, [suffix, serializeMembership(is)]);
  },
  replaying: ({webhook, replay}, keys) =>
    createGuard(lua.requireReplayLua, [keys.webhookState(webhook)], [replay ?? '']),
  length({list, past, ...bound}, keys) {
    const from = past === undefined ? '-inf' : `(${past}`;
    return 'below' in bound
      ? createGuard(lua.requireLengthBelowLua, [keys.list(list)], [String(bound.below), from])
      : createGuard(lua.requireLengthAboveLua, [keys.list(list)], [String(bound.above), from]);
  },
  listed: ({list, suffixes}, keys) =>
    suffixes.length === 0
      ? createGuard(lua.requireEmptyListLua, [keys.list(list)], [])
      : createGuard(lua.requireListLua, [keys.list(list)], [suffixes.join(' ')]),
  'day-free': ({list, day}, keys) =>
    createGuard(
      lua.requireDayFreeLua,
      [keys.list(list)],
      [String(positionOf(day, 0)), `(${positionOf(day + 1, 0)}`],
    ),
  unasked: ({team, asked}, keys) => createGuard(lua.requireUnaskedLua, [keys.looks()], [team, String(asked)]),
  before: ({instant}) => createGuard(lua.requireBeforeLua, [], [String(instant)]),
  'run-posts': ({run, count}, keys) =>
    createGuard(lua.requireRunPostsLua, [keys.runPosts(run)], [String(count)]),
  failing: ({webhook, since, warned}, keys) =>
    createGuard(lua.requireFailingLua, [keys.webhookState(webhook)], [String(since), warned ? '1' : '0']),
  'slack-message': ({channel, ts, known}, keys) =>
    createGuard(
      lua.requireSlackMessageLua,
      [keys.slackMessage(channel, ts)],
      [known === undefined ? '' : formatKnownMessage(known)],
    ),
  typed: ({slackUser, version}, keys) =>
    createGuard(lua.requireTypedVersionLua, [keys.typed(slackUser)], [version]),
  'draft-part': (guard, keys) =>
    createGuard(
      lua.requireDraftPartLua,
      [keys.drafts(guard.member)],
      [formatDraftField(guard), String(guard.changedAt ?? ''), String(guard.count)],
    ),
  'mail-held': ({suffix, holder}, keys) => createGuard(lua.requireMailHeldLua, [keys.mail(suffix)], [holder]),
  'mail-state': ({suffix, state}, keys) => createGuard(lua.requireMailStateLua, [keys.mail(suffix)], [state]),
  'notice-due': ({member, standup, due}, keys) =>
    createGuard(lua.requirePromptDueLua, [keys.noticesDue()], [formatDueNotice({member, standup}), due]),
  'passkey-use': ({passkey, use}, keys) =>
    createGuard(lua.requirePasskeyUseLua, [keys.passkeyUse()], [passkey, formatPasskeyUse(use)]),
  'prompt-due': ({member, date, due}, keys) =>
    createGuard(
      lua.requirePromptDueLua,
      [keys.remindPending()],
      [slackItemName({kind: 'prompt', member, date}), due],
    ),
  'prompt-snooze': ({member, date, user, snoozed = ''}, keys) =>
    createGuard(lua.requirePromptSnoozeLua, [keys.slackPrompt(member, date)], [user, String(snoozed)]),
  slack: ({installedAt, connected}, keys) =>
    createGuard(
      lua.requireSlackInstallationLua,
      [keys.slackInstallation(), keys.slackToken()],
      [installedAt === null ? '' : String(installedAt), connected ? '1' : '0'],
    ),
};

export function createGuardStep(keys: WorkspaceKeys, guard: Guard): Step {
  // The compiler cannot infer that the step matches this kind of guard.
  const step = steps[guard.check] as (guard: Guard, keys: WorkspaceKeys) => Step;
  return step(guard, keys);
}

/** Creates a step that checks that a resource still has this revision. */
export function createRevisionGuard(keys: WorkspaceKeys, id: Id, from: number): Step {
  return createGuard(lua.requireRevisionLua, [keys.record(suffixOf(id))], [String(from)]);
}
