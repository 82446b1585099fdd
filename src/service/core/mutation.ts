import type {Call} from '../../domain/core/access.js';
import {createActor} from '../../domain/core/actor.js';
import {type Commit, type CommitOutcome, type CommitStamp, nothing} from '../../domain/commit/commit.js';
import type {KeptReply} from '../../domain/commit/reply.js';
import {AppError, type ErrorCode} from '../../domain/core/errors.js';
import {composeId, suffixWithSequence} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Resource} from '../../domain/core/resource.js';
import {
  createReadOnlyError,
  requireAdmission,
  applyQuotaVerdict,
  createStoreUnavailableError,
  createTokenRevokedError,
} from './admission.js';
import {type Answer, findStoredAnswer, createAnswer} from './answers.js';
import type {ServiceEnvironment} from './environment.js';
import type {ReachedTeams} from './reached-teams.js';

/** Returns the plan of a change without effect. `beside`: additional fields of the answer. */
export function planNothing(resource: Resource, beside?: object): Commit {
  const {id, revision} = resource;
  const unchanged = {do: 'nothing', id, revision, json: JSON.stringify(resource)} as const;
  const reply = {kind: 'resource', of: unchanged, ...(beside && {beside})} as const;
  return {...nothing, guards: [{check: 'revision', id, revision}], reply};
}

/**
 * Runs a mutation: plans it on the current state, and commits the plan if that state still holds; otherwise
 * plans again. A refusal by the plan counts only if the call is admitted and its idempotency key has no
 * stored answer. `R`: the resource in the plan's reply.
 */
export type Mutate = <R>(call: Call, plan: Plan, options?: MutationOptions) => Promise<Answer<R>>;

export type Plan = (attempt: number) => Promise<Commit>;

interface MutationOptions {
  /**
   * True if the first attempt may use cached state, which may be out of date. The plan guards all that it
   * uses, and no call is refused because of cached state.
   */
  readonly usesCache?: boolean;
}

/**
 * The maximum number of attempts to plan and commit one mutation. An attempt fails if another commit has
 * changed the same data since. If many people post late for one run at once, each round of attempts lets only
 * one of them succeed, so some need many attempts.
 */
const maxPlans = 32;

export function createMutate(environment: ServiceEnvironment, teams: ReachedTeams): Mutate {
  const {commits, wake, log} = environment;

  async function mutate(call: Call, plan: Plan, {usesCache = false}: MutationOptions = {}): Promise<Answer> {
    for (let attempt = 0; attempt < maxPlans; attempt++) {
      let planned: Commit | undefined;
      let outcome: CommitOutcome;
      try {
        planned = await plan(attempt);
        outcome = await commits.run(call, planned);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const isAway = error.code === 'service_unavailable';
        if (planned !== undefined && isAway) throw createUncertainCommitError(error);
        if (planned === undefined && usesCache && attempt === 0 && !isAway) continue;
        // A full store refuses a commit before it looks for a stored answer, so that answer is looked up
        // here. An unavailable store cannot be asked.
        if (error.context.uncertain === true) throw error;
        return returnStoredAnswerOrThrow(environment, teams, call, error);
      }
      applyQuotaVerdict(call, outcome.verdict);
      switch (outcome.kind) {
        case 'committed':
          for (const work of outcome.due) wake(call.workspace, work);
          logEvents(log, call, planned, outcome);
          return createAnswer(environment, call, planned, outcome);
        case 'kept':
          return findStoredAnswer(environment, teams, call, outcome);
        case 'token-dead':
          throw createTokenRevokedError();
        case 'too-late':
          throw new AppError(
            'service_unavailable',
            'The change did not reach the store in time and was not made.',
          );
        case 'store-lost':
          throw createStoreUnavailableError();
        case 'workspace-full':
          throw createWorkspaceFullError();
        case 'workspace-read-only':
          throw createReadOnlyError();
        // A call over its quota has been refused above, so only a stale plan gets here.
        case 'over-quota':
        case 'stale':
      }
    }
    throw new AppError(
      'service_unavailable',
      'Too many changes to the same thing at once; nothing was changed.',
    );
  }

  return mutate as Mutate;
}

function createWorkspaceFullError(): AppError {
  return new AppError(
    'workspace_full',
    'This workspace has used up its share of the store. Reading, deleting and exporting still work. An owner or admin makes room with a shorter `retention_days` (within the hour) or by deleting standups (their texts are kept for a while for webhooks); your operator raises WORKSPACE_BYTES.',
  );
}

/** Returns the error of a commit without an answer from the store: the commit may have been made. */
function createUncertainCommitError({code, message, context}: AppError): AppError {
  return new AppError(code, message, {...context, uncertain: true});
}

/** Scopes are checked before the idempotency key, so a repeated request gets no more access. */
const scopeRefusals: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'scope_escalation']);

/**
 * Returns the stored answer, or throws the error. Roles are checked after the key: a repeated request gets
 * its answer even if the role has changed. But a plan whose answer contains a secret checks the role first.
 */
async function returnStoredAnswerOrThrow(
  environment: ServiceEnvironment,
  teams: ReachedTeams,
  call: Call,
  refusal: AppError,
) {
  await requireAdmission(environment.admissions, call);
  if (scopeRefusals.has(refusal.code)) throw refusal;
  const kept = await environment.commits.findReply(call);
  if (kept === undefined || (refusal.code === 'forbidden' && replyShowsSecret(kept.reply))) throw refusal;
  return findStoredAnswer(environment, teams, call, kept);
}

function replyShowsSecret(reply: KeptReply): boolean {
  return (
    (reply.kind === 'resource' && (reply.encrypted !== undefined || reply.signedBy !== undefined)) ||
    (reply.kind === 'list' && reply.encrypted !== undefined)
  );
}

const loggedEvents = 20;

/** Logs who did what through which channel. The service's own actions have their own log lines. */
function logEvents(log: Log, call: Call, {events}: Commit, made: CommitStamp): void {
  const actor = createActor(call);
  if (events.length === 0 || actor === undefined || actor.source === 'system') return;
  const first = made.sequence - events.length + 1;
  const entries = events
    .slice(0, loggedEvents)
    .map(
      (event, i) =>
        `${event.type} ${composeId('event', made.at, suffixWithSequence(event.about, first + i))}`,
    );
  const fields = {
    actor: actor.type,
    principal: actor.id,
    token: actor.token,
    source: actor.source,
    request_id: call.requestId,
    workspace: call.workspace,
    events: entries.join(', '),
    count: events.length,
  };
  log.info(fields, 'change');
}
