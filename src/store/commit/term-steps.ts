import type {CommitTerms} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import type {PrincipalId} from '../../domain/core/access.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {type Step, status} from './step.js';
import {shortenFingerprint, serializeReply} from './kept-replies.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';
import {quotaArgs, takeQuota} from '../core/quota-script.js';

/**
 * Checks in this order: whether the data exists, since in an emptied store every token would look revoked;
 * the token, without which the caller learns nothing; the quota, which repeats use up too; the idempotency
 * record, so that a repeat gets its answer whatever has happened since; the caller's deadline; last, with a
 * `share` above 0, whether the workspace has used that up. A sign-in (`lets`) still passes then, a limited
 * number of times a day. One command reads token, quota, idempotency record and that count.
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
  // Counted once: a request that is planned again brings the verdict of its first script. A change after a
  // refused one, such as a set-up in Slack, is counted again.
  const isCounted = quota !== undefined && quota.verdict?.granted !== true;
  // The cost of most requests is the same for all callers of this process, so it is part of the script.
  const taken = isCounted ? quotaArgs(quota) : [];
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
      const lines = [checkHeadLua(key(0))];
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

function checkHeadLua(head: string): string {
  return `
local headKey = ${head}
local head = redis.call('HMGET', headKey, 'sequence', 'cursor:slack', 'version:teams', 'cursor:webhooks', 'bytes')
local sequence = tonumber(head[1] or '')
if not sequence then return {${status.storeLost}, now, quota} end
local first = sequence + 1`;
}

/** Replies that depend on the time of the commit, or on the sequence of its event. */
const made: ReadonlySet<Reply['kind']> = new Set(['test', 'erasure', 'replay']);

/**
 * Stores the answer for repeats with the same idempotency key. `unless`: the byte count from which on nothing
 * is stored for an act without an event: its repeat has the same effect, and a full workspace would grow by
 * the stored answers.
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
  const [front, kept] = [shortenFingerprint(fingerprint), serializeReply(reply)];
  return made.has(reply.kind)
    ? {
        shape: 'keep-made',
        keys: [],
        args: [front, kept.slice(1)],
        write: (_, arg) =>
          `redis.call('SET', keptKey, ${arg(0)} .. '{"made":{"at":' .. now .. ',"sequence":' .. sequence .. '},' .. ${arg(1)}, 'EX', ${lifetimes.idempotency})`,
      }
    : {
        shape: 'keep',
        keys: [],
        args: [front + kept],
        write: (_, arg) => `redis.call('SET', keptKey, ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
      };
}
