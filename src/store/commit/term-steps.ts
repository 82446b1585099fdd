import type {CommitTerms} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import type {PrincipalId} from '../../domain/core/access.js';
import {createGuard, createStep, createPlainStep, type Step} from './step.js';
import {createKeptReply, serializeStoredAnswer} from './kept-replies.js';
import {
  checkDeadlineLua,
  checkFrozenLua,
  checkRepeatLua,
  checkShareForSignInLua,
  checkShareLua,
  checkTokenLua,
  countSignInLua,
  keepAnswerLua,
  keepMadeAnswerLua,
  readConditionsLua,
  readHeadLua,
  takeQuotaLua,
  takeQuotaOfManyLua,
  writeAgainLua,
} from '../core/compiled/lua.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';
import {createQuotaArgs} from '../core/quota-script.js';

const [checkToken, checkFrozen] = [checkTokenLua, checkFrozenLua].map((lua) => createGuard(lua, [], [])) as [
  Step,
  Step,
];
/** The step that counts a sign-in of a full workspace, after everything else. */
export const countSignIn = createPlainStep(countSignInLua, []);
/** The step that makes a write in any case, so that replicas can confirm what the commit says. */
export const writeAgain = createPlainStep(writeAgainLua, []);

/**
 * Creates the steps that check the caller, in this order:
 * - the data exists (in an emptied store, every token would look revoked);
 * - the token is valid (otherwise the caller learns nothing);
 * - the quota is not used up (repeats count too);
 * - the idempotency key is new (a repeat gets its stored answer);
 * - the workspace is not read-only, unless the commit `finishes` work;
 * - the caller's deadline has not passed;
 * - the workspace has not used up its `share`, if this is above 0. A sign-in (`lets`) is allowed even then, a
 * limited number of times a day.
 */
export function buildTermSteps(
  keys: WorkspaceKeys,
  {token, quota, idempotency}: CommitTerms,
  {
    notAfter,
    share,
    lets,
    finishes,
    confirms,
  }: {
    readonly notAfter: number;
    readonly share: number;
    readonly confirms: boolean;
    readonly lets: PrincipalId | undefined;
    readonly finishes: boolean;
  },
): Step[] {
  const conditions: AnyKey[] = [];
  const checks: Step[] = [];
  if (token !== undefined) {
    conditions.push(keys.credential(token.id));
    checks.push(checkToken);
  }
  // A request is counted only once. If its commit is planned again, `quota` already has the result of the
  // first count. A change that follows a refused one is counted again.
  if (quota !== undefined && quota.verdict?.granted !== true) {
    conditions.push(keys.quota(quota.principal));
    const costs = createQuotaArgs(quota);
    // Most requests have the same costs in this process, so the costs are part of the script.
    checks.push(
      quota.count === undefined
        ? createStep({keys: [], args: [], fixed: costs.map(Number), check: takeQuotaLua})
        : createGuard(takeQuotaOfManyLua, [], costs),
    );
  }
  if (idempotency !== undefined) {
    conditions.push(keys.idempotency(idempotency.hash));
    checks.push(createStep({keys: [], args: [], fixed: [confirms ? 1 : 0], check: checkRepeatLua}));
  }
  if (!finishes) checks.push(checkFrozen);
  checks.push(createGuard(checkDeadlineLua, [], [String(notAfter)]));
  if (share > 0) {
    if (lets !== undefined) conditions.push(keys.waysIn(lets));
    const check = lets === undefined ? checkShareLua : checkShareForSignInLua;
    checks.push(createStep({keys: [], args: [], fixed: [share], check}));
  }
  const head = createGuard(readHeadLua, [keys.head()], []);
  if (conditions.length === 0) return [head, ...checks];
  return [head, createGuard(readConditionsLua, conditions, []), ...checks];
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
  const kept = serializeStoredAnswer({fingerprint, reply: createKeptReply(reply)});
  const room = unless === 0 ? {} : {fixed: [unless]};
  return made.has(reply.kind)
    ? createStep({keys: [], args: [kept.slice(1)], write: keepMadeAnswerLua, ...room})
    : createStep({keys: [], args: [kept], write: keepAnswerLua, ...room});
}
