import type {Commit, CommitOutcome, CommitTerms} from '../../domain/commit/commit.js';
import {type Retention, standardRetention} from '../../domain/core/limits.js';
import {createLastEventCache, type HandedEvents} from '../events/handed-events.js';
import {parseStoredAnswer} from './kept-replies.js';
import {createCommitCompiler} from './script.js';
import type {RedisConnection} from '../core/connection.js';
import {createFrozenWorkspaces, type FrozenWorkspaces} from '../core/frozen.js';
import {readKeptReplyScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import {status} from '../core/lua-constants.js';
import {parseQuotaVerdict} from '../core/quota-script.js';

export interface Commits {
  /**
   * Runs a commit as one atomic step. Errors: `service_unavailable` when the store did not answer, or when too
   * few replicas have confirmed the commit. Then only a repeat with the same idempotency key shows whether it
   * was made.
   */
  run: (terms: CommitTerms, commit: Commit) => Promise<CommitOutcome>;
  /** Returns the stored answer to an idempotency key, if there is one. */
  findReply: (terms: CommitTerms) => Promise<Extract<CommitOutcome, {kind: 'kept'}> | undefined>;
}

/** Creates the runner of commits. `share`: the bytes that each workspace may use; 0 for no limit. */
export function createCommits(
  connection: RedisConnection,
  retention: Retention = standardRetention,
  handed: Pick<HandedEvents, 'note'> = createLastEventCache(),
  share = 0,
  frozen: Pick<FrozenWorkspaces, 'note'> = createFrozenWorkspaces(connection),
): Commits {
  const confirms = connection.confirmReplicas > 0;
  const compile = createCommitCompiler(retention, share, confirms);

  return {
    async run(terms, commit) {
      const clock = connection.clockOf(workspaceKeys(terms.workspace).head());
      for (let sent = 1; ; sent++) {
        const expected = clock.now();
        const notAfter = Math.floor(expected + Math.max(0, terms.deadline - performance.now()));
        const {script, keys, args, due} = compile(terms, commit, {expected, notAfter});
        const [code, now, quota, detail, at = now] = await connection.run<CommitAnswer>(
          terms.deadline,
          script,
          keys,
          args,
          isAcknowledged,
        );
        clock.observe(now);
        // This process's clock was wrong. Nothing was written, and the answer has corrected the clock.
        if (code === status.tooLate && sent === 1 && performance.now() < terms.deadline) continue;
        const verdict = parseQuotaVerdict(quota, code !== status.overQuota, now);
        if (code !== status.committed) return {...convertToCommitOutcome(code, detail), verdict};
        if (commit.finishes !== true) frozen.note(terms.workspace, false);
        const sequence = Number(detail);
        handed.note(terms, commit, at, sequence);
        return {kind: 'committed', at, sequence, due, verdict};
      }
    },
    async findReply({workspace, deadline, idempotency}) {
      if (idempotency === undefined) return undefined;
      const key = workspaceKeys(workspace).idempotency(idempotency.hash);
      const kept = confirms
        ? await connection.run<string | null>(
            deadline,
            readKeptReplyScript,
            [key, workspaceKeys(workspace).head()],
            [],
            (reply) => reply !== null,
          )
        : await connection.call<string | null>(deadline, ['GET', key]);
      return kept === null ? undefined : {kind: 'kept', ...parseStoredAnswer(kept)};
    },
  };
}

/**
 * The answer of a commit script: status, time of Redis (ms), the quota's state, details, and the time of the
 * commit, which is that of the last event if the clock is behind.
 */
type CommitAnswer = [code: number, now: number, quota: string, detail: number | string, ...at: number[]];

/** True if the caller will say that the change is made. Refusals need no confirmation. */
function isAcknowledged(reply: unknown): boolean {
  const [code] = reply as CommitAnswer;
  return code === status.committed || code === status.kept;
}

function convertToCommitOutcome(code: number, detail: number | string): CommitOutcome {
  switch (code) {
    case status.kept:
      return {kind: 'kept', ...parseStoredAnswer(String(detail))};
    case status.tokenDead:
      return {kind: 'token-dead'};
    case status.tooLate:
      return {kind: 'too-late'};
    case status.storeLost:
      return {kind: 'store-lost'};
    case status.overQuota:
      return {kind: 'over-quota'};
    case status.workspaceFull:
      return {kind: 'workspace-full'};
    case status.workspaceReadOnly:
      return {kind: 'workspace-read-only'};
    default:
      return {kind: 'stale'};
  }
}
