import type {CommitTerms, Reply} from '../domain/commit.js';
import {lifetimes} from '../domain/limits.js';
import {type Step, status} from './commit-step.js';
import type {WorkspaceKeys} from './keys.js';
import {quotaArgs, takeQuota} from './quota-script.js';

/**
 * Whether the data is there at all, since on an emptied store every token would look revoked; then the token,
 * without which nobody learns anything; then the quota, which repeats use up too; then the idempotency
 * record, so that a repeat is answered whatever has happened since; then the caller's patience.
 */
export function termSteps(
  keys: WorkspaceKeys,
  {token, quota, idempotency}: CommitTerms,
  notAfter: number,
): Step[] {
  const steps = [headStep(keys)];
  if (token !== undefined) {
    steps.push({
      shape: 'token',
      keys: [keys.credential(token.id)],
      args: [],
      check: (key) =>
        `if redis.call('EXISTS', ${key(0)}) == 0 then return {${status.tokenDead}, now, quota} end`,
    });
  }
  // Taken once: a request that is planned again brings the verdict of its first script.
  // A change after a refused one, as a set-up in Slack may make it, is counted anew.
  if (quota !== undefined && quota.verdict?.granted !== true) {
    steps.push({
      shape: 'quota',
      keys: [keys.quota(quota.principal)],
      args: quotaArgs(quota),
      check: (key, arg) =>
        `${takeQuota(key, arg)}\nif over then return {${status.overQuota}, now, quota} end`,
    });
  }
  if (idempotency !== undefined) {
    steps.push({
      shape: 'kept',
      keys: [keys.idempotency(idempotency.hash)],
      args: [],
      check: (key) =>
        `local kept = redis.call('GET', ${key(0)})\nif kept then return {${status.kept}, now, quota, kept} end`,
    });
  }
  steps.push({
    shape: 'until',
    keys: [],
    args: [String(notAfter)],
    check: (_, arg) => `if now > tonumber(${arg(0)}) then return {${status.tooLate}, now, quota} end`,
  });
  return steps;
}

function headStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'head',
    keys: [keys.head()],
    args: [],
    check: (key) => `
local head = redis.call('HMGET', ${key(0)}, 'sequence', 'cursor:slack', 'version:teams', 'version:webhooks')
local sequence = tonumber(head[1] or '')
if not sequence then return {${status.storeLost}, now, quota} end
local versions = {teams = head[3] or '', webhooks = head[4] or ''}
local first = sequence + 1`,
  };
}

/** Keeps the answer for repeats with the same idempotency key. */
export function keepStep(
  keys: WorkspaceKeys,
  idempotency: NonNullable<CommitTerms['idempotency']>,
  reply: Reply,
): Step {
  if (reply.tests !== undefined || reply.starts !== undefined || reply.erases !== undefined) {
    // Only here is known from what the body follows.
    return {
      shape: 'keep-made',
      keys: [keys.idempotency(idempotency.hash)],
      args: [idempotency.fingerprint, JSON.stringify(reply).slice(1)],
      write: (key, arg) =>
        `redis.call('SET', ${key(0)}, ${arg(0)} .. '{"made":{"at":' .. now .. ',"sequence":' .. sequence .. '},' .. ${arg(1)}, 'EX', ${lifetimes.idempotency})`,
    };
  }
  return {
    shape: 'keep',
    keys: [keys.idempotency(idempotency.hash)],
    args: [idempotency.fingerprint + JSON.stringify(reply)],
    write: (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
  };
}
