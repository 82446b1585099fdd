import type {CommitTerms} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import type {PrincipalId} from '../../domain/core/access.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {type Step, status} from './step.js';
import {createKeptReply, serializeStoredAnswer} from './kept-replies.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';
import {createQuotaArgs, takeQuota} from '../core/quota-script.js';

/**
 * Creates the step that checks the caller, in this order:
 * - the data exists (in an emptied store, every token would look revoked);
 * - the token is valid (otherwise the caller learns nothing);
 * - the quota is not used up (repeats count too);
 * - the idempotency key is new (a repeat gets its stored answer);
 * - the caller's deadline has not passed;
 * - the workspace has not used up its `share`, if this is above 0. A sign-in (`lets`) is allowed even then, a
 * limited number of times a day.
 */
export function createTermStep(
  keys: WorkspaceKeys,
  {token, quota, idempotency}: CommitTerms,
  {
    notAfter,
    share,
    lets,
  }: {readonly notAfter: number; readonly share: number; readonly lets: PrincipalId | undefined},
): Step {
  const names: AnyKey[] = [keys.head()];
  let shape = 'terms';
  if (token !== undefined) {
    names.push(keys.credential(token.id));
    shape += ':token';
  }
  // A request is counted only once. If its commit is planned again, `quota` already has the result of the
  // first count. A change that follows a refused one is counted again.
  const isCounted = quota !== undefined && quota.verdict?.granted !== true;
  // Most requests have the same costs in this process, so the costs are part of the script.
  const taken = isCounted ? createQuotaArgs(quota) : [];
  const isPlain = quota?.count === undefined;
  if (isCounted) {
    names.push(keys.quota(quota.principal));
    shape += isPlain ? `:quota/${taken.join('/')}` : ':quota';
  }
  if (idempotency !== undefined) {
    names.push(keys.idempotency(idempotency.hash));
    shape += ':kept';
  }
  if (share > 0) shape += ':share';
  const counts = share > 0 && lets !== undefined;
  if (counts) {
    names.push(keys.waysIn(lets));
    shape += ':lets';
  }
  return {
    shape,
    keys: names,
    args: isPlain ? [String(notAfter)] : [String(notAfter), ...taken],
    check(key, arg) {
      let at = 0;
      const lines = [createCheckHeadLua(key(0))];
      const read = names.slice(1).map((_, n) => key(n + 1));
      if (read.length > 0) lines.push(`local asked = redis.call('MGET', ${read.join(', ')})`);
      if (token !== undefined) {
        lines.push(`if not asked[${(at += 1)}] then return {${status.tokenDead}, now, quota} end`);
      }
      if (isCounted) {
        const kept = `asked[${(at += 1)}]`;
        const quotaKey = key(at);
        const take = (n: number) => (isPlain ? (taken[n] ?? '') : `tonumber(${arg(n + 1)})`);
        lines.push(takeQuota(() => quotaKey, take, kept));
        lines.push(`if over then return {${status.overQuota}, now, quota} end`);
      }
      if (idempotency !== undefined) {
        at += 1;
        lines.push(`local keptKey = ${key(at)}`);
        lines.push(`if asked[${at}] then return {${status.kept}, now, quota, asked[${at}]} end`);
      }
      lines.push(`if now > tonumber(${arg(0)}) then return {${status.tooLate}, now, quota} end`);
      if (share > 0) {
        const isOver = counts ? ` and tonumber(asked[${(at += 1)}] or 0) >= ${limits.waysInWhileFull}` : '';
        lines.push(`local isFull = tonumber(head[5] or 0) >= ${share}`);
        lines.push(`if isFull${isOver} then return {${status.workspaceFull}, now, quota} end`);
      }
      return lines.join('\n');
    },
    ...(counts && {
      write: (key: (n: number) => string) => {
        const count = key(names.length - 1);
        return `if isFull and redis.call('INCR', ${count}) == 1 then redis.call('EXPIRE', ${count}, ${lifetimes.waysIn}) end`;
      },
    }),
  };
}

function createCheckHeadLua(head: string): string {
  return `
local headKey = ${head}
local head = redis.call('HMGET', headKey, 'sequence', 'cursor:slack', 'version:teams', 'cursor:webhooks', 'bytes')
local sequence = tonumber(head[1] or '')
if not sequence then return {${status.storeLost}, now, quota} end
local first = sequence + 1`;
}

/** Answers that depend on the time of the commit, or on the number of its event. */
const made: ReadonlySet<Reply['kind']> = new Set(['test', 'erasure', 'replay']);

/**
 * Creates the step that stores the answer for repeats with the same idempotency key. `unless`: with this many
 * bytes used, answers without an event are not stored, because a full workspace would keep growing. A repeat
 * then has the same effect.
 */
export function createKeepAnswerStep(
  {fingerprint}: NonNullable<CommitTerms['idempotency']>,
  reply: Reply,
  unless: number,
): Step {
  const step = createUnconditionalKeepStep(fingerprint, reply);
  if (unless === 0) return step;
  return {
    ...step,
    shape: `${step.shape}:room`,
    write: (key, arg) => `if tonumber(head[5] or 0) < ${unless} then\n${step.write?.(key, arg)}\nend`,
  };
}

function createUnconditionalKeepStep(fingerprint: string, reply: Reply): Step {
  const kept = serializeStoredAnswer({fingerprint, reply: createKeptReply(reply)});
  return made.has(reply.kind)
    ? {
        shape: 'keep-made',
        keys: [],
        args: [kept.slice(1)],
        write: (_, arg) =>
          `redis.call('SET', keptKey, '{"made":{"at":' .. now .. ',"sequence":' .. sequence .. '},' .. ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
      }
    : {
        shape: 'keep',
        keys: [],
        args: [kept],
        write: (_, arg) => `redis.call('SET', keptKey, ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
      };
}
