// src/store/: Redis keys, the commit script, repositories and the event log. Only this folder may use
// `redis`. It makes no decisions: it reads data, and runs a commit completely or not at all.
import type {Guard} from '../../domain/commit/commit.js';
import type {Collection} from '../../domain/commit/writes.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {positionOf} from '../../domain/core/lists.js';
import {renderStampFields} from '../../domain/core/resource.js';
import {type Step, stale} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {serializeMembership} from '../core/records.js';
import {createTypedInputGuardStep} from '../slack/typed-records.js';

/**
 * The Lua expression for the version of a collection. The version of the teams is in the workspace's head, a
 * hash that the script has already read.
 */
const versionOf: Readonly<Record<Collection, string>> = {
  teams: 'head[3]',
  webhooks: "redis.call('HGET', headKey, 'version:webhooks')",
};

type GuardOf<C extends Guard['check']> = Extract<Guard, {readonly check: C}>;

/** Creates the step for each kind of guard, which checks that nothing has changed since the plan. */
const steps: {readonly [C in Guard['check']]: (guard: GuardOf<C>, keys: WorkspaceKeys) => Step} = {
  unchanged: ({collection, version}) => ({
    shape: `unchanged:${collection}`,
    keys: [],
    args: [version],
    check: (_, arg) => `if (${versionOf[collection]} or '') ~= ${arg(0)} then ${stale} end`,
  }),
  revision: ({id, revision}, keys) => createRevisionGuard(keys, id, revision),
  'as-read': (guard, keys) => ({
    shape: 'as-read',
    keys: [keys.record(suffixOf(guard.id))],
    args: [renderStampFields(guard)],
    check: (key, arg) =>
      `if redis.call('GETRANGE', ${key(0)}, -#${arg(0)}, -1) ~= ${arg(0)} then ${stale} end`,
  }),
  'name-free': ({names, name, but = ''}, keys) => ({
    shape: 'free',
    keys: [keys.names(names)],
    args: [name, but],
    check: (key, arg) =>
      `if (redis.call('HGET', ${key(0)}, ${arg(0)}) or ${arg(1)}) ~= ${arg(1)} then ${stale} end`,
  }),
  membership: ({team, member, is}, keys) => {
    const [state, args] =
      typeof is === 'string' ? ([is, []] as const) : (['this', [serializeMembership(is)]] as const);
    return {
      shape: `membership:${state}`,
      keys: [keys.teamMembers(team)],
      args: [suffixOf(member), ...args],
      check: (key, arg) => `if ${membershipIsNot[state](`${key(0)}, ${arg(0)}`, arg(1))} then ${stale} end`,
    };
  },
  replaying: ({webhook, replay}, keys) => ({
    shape: 'replaying',
    keys: [keys.webhookState(webhook)],
    args: [replay ?? ''],
    check: (key, arg) => `if (redis.call('HGET', ${key(0)}, 'replay') or '') ~= ${arg(0)} then ${stale} end`,
  }),
  length: ({list, past, ...bound}, keys) => {
    const [is, than] = 'below' in bound ? ['<', bound.below] : ['>', bound.above];
    return {
      shape: `length:${is}`,
      keys: [keys.list(list)],
      args: [String(than), past === undefined ? '-inf' : `(${past}`],
      check: (key, arg) =>
        `if not (redis.call('ZCOUNT', ${key(0)}, ${arg(1)}, '+inf') ${is} tonumber(${arg(0)})) then ${stale} end`,
    };
  },
  listed: ({list, suffixes}, keys) =>
    suffixes.length === 0
      ? {
          shape: 'empty',
          keys: [keys.list(list)],
          args: [],
          check: (key) => `if redis.call('EXISTS', ${key(0)}) == 1 then ${stale} end`,
        }
      : {
          shape: 'listed',
          keys: [keys.list(list)],
          args: [suffixes.join(' ')],
          check: (key, arg) =>
            `if table.concat(redis.call('ZRANGE', ${key(0)}, 0, -1), ' ') ~= ${arg(0)} then ${stale} end`,
        },
  'day-free': ({list, day}, keys) => ({
    shape: 'day-free',
    keys: [keys.list(list)],
    args: [String(positionOf(day, 0)), `(${positionOf(day + 1, 0)}`],
    check: (key, arg) => `if redis.call('ZCOUNT', ${key(0)}, ${arg(0)}, ${arg(1)}) > 0 then ${stale} end`,
  }),
  unasked: ({team, asked}, keys) => ({
    shape: 'unasked',
    keys: [keys.looks()],
    args: [team, String(asked)],
    check: (key, arg) =>
      `if (string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^(%d+) %d+$') or '0') ~= ${arg(1)} then ${stale} end`,
  }),
  before: ({instant}) => ({
    shape: 'before',
    keys: [],
    args: [String(instant)],
    check: (_, arg) => `if now >= tonumber(${arg(0)}) then ${stale} end`,
  }),
  'run-posts': ({run, count}, keys) => ({
    shape: 'run-posts',
    keys: [keys.runPosts(run)],
    args: [String(count)],
    check: (key, arg) => `if (redis.call('GET', ${key(0)}) or '0') ~= ${arg(0)} then ${stale} end`,
  }),
  failing: ({webhook, since, warned}, keys) => ({
    shape: 'failing',
    keys: [keys.webhookState(webhook)],
    args: [String(since), warned ? '1' : '0'],
    check: (key, arg) => `
do
  local state = redis.call('HMGET', ${key(0)}, 'failing', 'warned')
  if tonumber(state[1] or '') ~= tonumber(${arg(0)}) or (state[2] or '0') ~= ${arg(1)} then ${stale} end
end`,
  }),
  typed: createTypedInputGuardStep,
  slack: ({installedAt, connected}, keys) => ({
    shape: 'slack',
    keys: [keys.slackInstallation(), keys.slackToken()],
    args: [installedAt === null ? '' : String(installedAt), connected ? '1' : '0'],
    check: (key, arg) => `
if (redis.call('HGET', ${key(0)}, 'installed') or '') ~= ${arg(0)}
  or redis.call('EXISTS', ${key(1)}) ~= tonumber(${arg(1)}) then ${stale} end`,
  }),
};

/**
 * The Lua conditions that are true when a member's membership differs from the planned one. See
 * `serializeMembership`.
 */
const membershipIsNot: Readonly<
  Record<'none' | 'any' | 'accepted' | 'lead' | 'this', (at: string, membership: string) => string>
> = {
  none: (at) => `redis.call('HEXISTS', ${at}) == 1`,
  any: (at) => `redis.call('HEXISTS', ${at}) == 0`,
  accepted: (at) => `not string.match(redis.call('HGET', ${at}) or '', '^[^/]*/[^/]*$')`,
  lead: (at) => `string.match(redis.call('HGET', ${at}) or '', '^[^/]*') ~= 'lead'`,
  this: (at, membership) => `redis.call('HGET', ${at}) ~= ${membership}`,
};

export function createGuardStep(keys: WorkspaceKeys, guard: Guard): Step {
  // The compiler cannot infer that the step matches this kind of guard.
  const step = steps[guard.check] as (guard: Guard, keys: WorkspaceKeys) => Step;
  return step(guard, keys);
}

/** Creates a step that checks that a resource still has this revision. */
export function createRevisionGuard(keys: WorkspaceKeys, id: Id, from: number): Step {
  return {
    shape: 'at',
    keys: [keys.record(suffixOf(id))],
    args: [String(from)],
    check: (key, arg) => `if revision(${key(0)}) ~= ${arg(0)} then ${stale} end`,
  };
}
