// The store: Redis keys, the commit script, repositories and the event log. The only folder that may use `redis`.
// No decisions here: a store says what is there and makes a commit true in one step, or not at all.
import type {Collection, Guard} from '../../domain/commit/commit.js';
import {drawnPart} from '../../domain/core/ids.js';
import {placeOf} from '../../domain/core/lists.js';
import {renderEnd} from '../../domain/core/resource.js';
import {type Step, stale} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {writePlace} from '../core/records.js';
import {typedGuardStep} from '../slack/typed-records.js';

/** The version of a collection, in Lua. The head that is read before has that of the teams, for every post. */
const versionOf: Readonly<Record<Collection, string>> = {
  teams: 'head[3]',
  webhooks: "redis.call('HGET', headKey, 'version:webhooks')",
};

/** The step of one guard: something the plan was built on, looked at again. */
export function guardStep(keys: WorkspaceKeys, guard: Guard): Step {
  switch (guard.check) {
    case 'unchanged':
      return {
        shape: `unchanged:${guard.collection}`,
        keys: [],
        args: [guard.version],
        check: (_, arg) => `if (${versionOf[guard.collection]} or '') ~= ${arg(0)} then ${stale} end`,
      };
    case 'revision':
      return revisionGuard(keys, guard.id, guard.revision);
    case 'as-read':
      return {
        shape: 'as-read',
        keys: [keys.record(drawnPart(guard.id))],
        args: [renderEnd(guard)],
        check: (key, arg) =>
          `if redis.call('GETRANGE', ${key(0)}, -#${arg(0)}, -1) ~= ${arg(0)} then ${stale} end`,
      };
    case 'name-free':
      return {
        shape: 'free',
        keys: [keys.names(guard.names)],
        args: [guard.name],
        check: (key, arg) => `if redis.call('HEXISTS', ${key(0)}, ${arg(0)}) == 1 then ${stale} end`,
      };
    case 'joined':
      if (guard.accepted === true) {
        return {
          shape: 'accepted',
          keys: [keys.teamMembers(guard.team)],
          args: [drawnPart(guard.member)],
          check: (key, arg) => `
if not string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^[^/]*/[^/]*$') then ${stale} end`,
        };
      }
      return guard.role === undefined
        ? {
            shape: 'joined',
            keys: [keys.teamMembers(guard.team)],
            args: [drawnPart(guard.member)],
            check: (key, arg) => `if redis.call('HEXISTS', ${key(0)}, ${arg(0)}) == 0 then ${stale} end`,
          }
        : {
            shape: 'joined-as',
            keys: [keys.teamMembers(guard.team)],
            args: [drawnPart(guard.member), guard.role],
            check: (key, arg) => `
if string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^[^/]*') ~= ${arg(1)} then ${stale} end`,
          };
    case 'placed':
      return {
        shape: 'placed',
        keys: [keys.teamMembers(guard.team)],
        args: [drawnPart(guard.member), writePlace(guard)],
        check: (key, arg) => `if redis.call('HGET', ${key(0)}, ${arg(0)}) ~= ${arg(1)} then ${stale} end`,
      };
    case 'apart':
      return {
        shape: 'apart',
        keys: [keys.teamMembers(guard.team)],
        args: [drawnPart(guard.member)],
        check: (key, arg) => `if redis.call('HEXISTS', ${key(0)}, ${arg(0)}) == 1 then ${stale} end`,
      };
    case 'replaying':
      return {
        shape: 'replaying',
        keys: [keys.webhookState(guard.webhook)],
        args: [guard.replay ?? ''],
        check: (key, arg) =>
          `if (redis.call('HGET', ${key(0)}, 'replay') or '') ~= ${arg(0)} then ${stale} end`,
      };
    case 'shorter':
      return {
        shape: 'shorter',
        keys: [keys.list(guard.list)],
        args: [String(guard.than), guard.above === undefined ? '-inf' : `(${guard.above}`],
        check: (key, arg) =>
          `if redis.call('ZCOUNT', ${key(0)}, ${arg(1)}, '+inf') >= tonumber(${arg(0)}) then ${stale} end`,
      };
    case 'listed':
      if (guard.drawn.length === 0) {
        return {
          shape: 'empty',
          keys: [keys.list(guard.list)],
          args: [],
          check: (key) => `if redis.call('EXISTS', ${key(0)}) == 1 then ${stale} end`,
        };
      }
      return {
        shape: 'listed',
        keys: [keys.list(guard.list)],
        args: [guard.drawn.join(' ')],
        check: (key, arg) =>
          `if table.concat(redis.call('ZRANGE', ${key(0)}, 0, -1), ' ') ~= ${arg(0)} then ${stale} end`,
      };
    case 'day-free':
      return {
        shape: 'day-free',
        keys: [keys.list(guard.list)],
        args: [String(placeOf(guard.day, 0)), `(${placeOf(guard.day + 1, 0)}`],
        check: (key, arg) => `if redis.call('ZCOUNT', ${key(0)}, ${arg(0)}, ${arg(1)}) > 0 then ${stale} end`,
      };
    case 'unasked':
      return {
        shape: 'unasked',
        keys: [keys.looks()],
        args: [drawnPart(guard.team), String(guard.asked)],
        check: (key, arg) =>
          `if (string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^(%d+) %d+$') or '0') ~= ${arg(1)} then ${stale} end`,
      };
    case 'before':
      return {
        shape: 'before',
        keys: [],
        args: [String(guard.instant)],
        check: (_, arg) => `if now >= tonumber(${arg(0)}) then ${stale} end`,
      };
    case 'longer':
      return {
        shape: 'longer',
        keys: [keys.list(guard.list)],
        args: [String(guard.than)],
        check: (key, arg) => `if redis.call('ZCARD', ${key(0)}) <= tonumber(${arg(0)}) then ${stale} end`,
      };
    case 'run-posts':
      return {
        shape: 'run-posts',
        keys: [keys.runPosts(guard.run)],
        args: [String(guard.count)],
        check: (key, arg) => `if (redis.call('GET', ${key(0)}) or '0') ~= ${arg(0)} then ${stale} end`,
      };
    case 'failing':
      return {
        shape: 'failing',
        keys: [keys.webhookState(drawnPart(guard.webhook))],
        args: [String(guard.since), guard.warned ? '1' : '0'],
        check: (key, arg) => `
do
  local state = redis.call('HMGET', ${key(0)}, 'failing', 'warned')
  if tonumber(state[1] or '') ~= tonumber(${arg(0)}) or (state[2] or '0') ~= ${arg(1)} then ${stale} end
end`,
      };
    case 'typed':
      return typedGuardStep(keys, guard);
    case 'slack':
      return {
        shape: 'slack',
        keys: [keys.slackInstallation(), keys.slackToken()],
        args: [guard.installedAt === null ? '' : String(guard.installedAt), guard.connected ? '1' : '0'],
        check: (key, arg) => `
if (redis.call('HGET', ${key(0)}, 'installed') or '') ~= ${arg(0)}
  or redis.call('EXISTS', ${key(1)}) ~= tonumber(${arg(1)}) then ${stale} end`,
      };
  }
}

/** A resource must still be at this revision. */
export function revisionGuard(keys: WorkspaceKeys, id: string, from: number): Step {
  return {
    shape: 'at',
    keys: [keys.record(drawnPart(id))],
    args: [String(from)],
    check: (key, arg) => `if revision(${key(0)}) ~= ${arg(0)} then ${stale} end`,
  };
}
