import type {Call} from '../../domain/core/access.js';
import {actorOf} from '../../domain/core/actor.js';
import type {Commit, CommitOutcome, Reply, Write} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {type Sha256, testDelivery} from '../../domain/webhooks/delivery.js';
import {erasureId} from '../../domain/members/erasure.js';
import {AppError, type ErrorCode} from '../../domain/core/errors.js';
import {composeId, drawnPart, type Id, sequencedPart, storedId} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import {
  renderDraft,
  renderResource,
  type Resource,
  stampDraft,
  type WireJson,
  withMembers,
} from '../../domain/core/resource.js';
import {newReplay} from '../../domain/webhooks/replay.js';
import {forgetWork, type Wake} from '../../domain/core/work.js';
import {requireAdmission, settleQuota, storeLost, tokenDead} from './admission.js';
import type {Soon} from './soon.js';
import type {Commits} from '../../store/commit/commits.js';
import type {Records} from '../../store/core/records.js';
import type {Sealer} from '../../store/core/seal.js';
import type {Admissions} from '../../store/tokens/admissions.js';

/** What a mutation answers: the same for the first time and for every repeat, but for `replayed`. */
export interface Answer {
  readonly status: Reply['status'];
  /** Wire JSON of the resource; absent for 204. */
  readonly body?: WireJson;
  /** Of the kind that was asked for. */
  readonly id?: Id<never>;
  readonly revision?: number;
  /** For an answer that its service signs: see `Reply`. */
  readonly signedBy?: string;
  readonly replayed: boolean;
}

/** A commit with, where it writes no revision, the body that answers it. */
export interface Plan {
  readonly commit: Commit;
  readonly body?: WireJson;
}

/** The plan of a change without effect: nothing is written but the answer to its idempotency key. */
export function planNothing(resource: Resource): Plan {
  const {id, revision} = resource;
  return {
    commit: {
      guards: [{check: 'revision', id, revision}],
      writes: [],
      events: [],
      reply: {status: 200, resource: {drawn: drawnPart(id), revision}},
    },
    body: JSON.stringify(resource),
  };
}

/**
 * Runs a mutation: plans it on what has been read, commits it if that still holds, and plans again if not.
 * A plan's own refusal counts only after the call has been admitted and no earlier answer to the same idempotency key exists.
 */
export type Mutate = (call: Call, plan: (attempt: number) => Soon<Plan>) => Promise<Answer>;

/** Many people may post late for one run at once, and each round of plans has one that holds. */
const maxPlans = 32;

export interface MutationParts {
  readonly commits: Commits;
  readonly records: Records;
  readonly admissions: Admissions;
  readonly sealer: Sealer;
  readonly sha256: Sha256;
  readonly wake: Wake;
  readonly log: Pick<Log, 'info'>;
}

export function createMutate(parts: MutationParts): Mutate {
  const {commits, wake, log} = parts;

  return async function mutate(call, plan) {
    for (let attempt = 0; attempt < maxPlans; attempt++) {
      let planned: Plan | undefined;
      let outcome: CommitOutcome;
      try {
        const soon = plan(attempt);
        planned = soon instanceof Promise ? await soon : soon;
        outcome = await commits.run(call, planned.commit);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (planned !== undefined && error.code === 'service_unavailable') throw uncertain(error);
        // A full store refuses before it looks for an earlier answer. One that is away cannot be asked.
        if (error.context.uncertain === true) throw error;
        return earlierAnswerOr(parts, call, error);
      }
      settleQuota(call, outcome.verdict);
      switch (outcome.kind) {
        case 'committed':
          wakeReaders(wake, call.workspace, planned.commit);
          tellLog(log, call, planned.commit, outcome);
          return toAnswer(parts, call, planned, outcome);
        case 'kept':
          return replay(parts, call, outcome);
        case 'token-dead':
          throw tokenDead();
        case 'too-late':
          throw new AppError(
            'service_unavailable',
            'The change did not reach the store in time and was not made.',
          );
        case 'store-lost':
          throw storeLost();
        // A quota that is used up has been refused above.
        case 'over-quota':
        case 'stale':
      }
    }
    throw new AppError(
      'service_unavailable',
      'Too many changes to the same thing at once; nothing was changed.',
    );
  };
}

/** What was sent and not answered may have been made. */
function uncertain({code, message, context}: AppError): AppError {
  return new AppError(code, message, {...context, uncertain: true});
}

/** Scopes are asked before the look-up of an idempotency key, so a repeat does not reach further than a first request. */
const scopeRefusals: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'scope_escalation']);

/**
 * A role is asked after it, and a repeat is answered whatever has happened since. But a secret is shown only
 * to those who may still ask for it: a plan whose answer has one asks for the role before anything else.
 */
async function earlierAnswerOr(parts: MutationParts, call: Call, refusal: AppError): Promise<Answer> {
  await requireAdmission(parts.admissions, call);
  if (scopeRefusals.has(refusal.code)) throw refusal;
  const kept = await parts.commits.findReply(call);
  if (kept === undefined || (refusal.code === 'forbidden' && showsSecret(kept.reply))) throw refusal;
  return replay(parts, call, kept);
}

function showsSecret({sealed, signedBy}: Reply): boolean {
  return sealed !== undefined || signedBy !== undefined;
}

async function replay(
  parts: MutationParts,
  call: Call,
  kept: Extract<CommitOutcome, {kind: 'kept'}>,
): Promise<Answer> {
  if (call.idempotency?.fingerprint.startsWith(kept.fingerprint) !== true) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another request. Use a new key for a new request.',
      {
        faults: [
          {
            code: 'idempotency_key_reused',
            detail: 'used before with another request',
            header: 'Idempotency-Key',
          },
        ],
      },
    );
  }
  const {status, resource, resources, inline, made} = kept.reply;
  if (inline !== undefined) return {status, body: inline, replayed: true};
  if (made !== undefined) return presentMade(parts, kept.reply, made, true);
  const asked = resources ?? (resource === undefined ? [] : [resource]);
  const found = await parts.records.findRevisions(call.workspace, asked, call.deadline);
  const there = found.filter((json) => json !== undefined);
  if (there.length < asked.length) {
    throw new AppError('not_found', 'What this request once made has been erased.');
  }
  if (resources !== undefined) return presentList(kept.reply, there, true);
  const [json] = there;
  return json === undefined ? {status, replayed: true} : present(parts.sealer, kept.reply, json, true);
}

/** When a commit was made, and the sequence of its last event. */
interface Made {
  readonly at: number;
  readonly sequence: number;
}

function toAnswer(parts: MutationParts, call: Call, {commit, body}: Plan, made: Made): Answer {
  const {reply} = commit;
  const {tests, starts, erases} = reply;
  if ((tests ?? starts ?? erases) !== undefined) return presentMade(parts, reply, made, false);
  if (reply.inline !== undefined) return {status: reply.status, body: reply.inline, replayed: false};
  if (reply.resources !== undefined) {
    const rows = reply.resources.map(({drawn}) => bodyOf(commit.writes, drawn, made.at));
    const written = rows.filter((json) => json !== undefined);
    if (written.length === rows.length) return presentList(reply, written, false);
    throw new Error(`a reply of ${call.workspace} refers to nothing that was written`);
  }
  if (reply.resource === undefined) return {status: reply.status, replayed: false};
  const json = body ?? bodyOf(commit.writes, reply.resource.drawn, made.at);
  if (json === undefined) throw new Error(`a reply of ${call.workspace} refers to nothing that was written`);
  return present(parts.sealer, reply, json, false);
}

/** The delivery of a test, a replay or the id of an erasure, as it was when the commit had made it. */
function presentMade(
  {sha256}: MutationParts,
  {status, tests, starts, erases}: Reply,
  made: Made,
  replayed: boolean,
): Answer {
  if (erases !== undefined) return {status, id: storedId(erasureId(erases, made.at)), replayed};
  const shown =
    starts === undefined
      ? testDelivery(sha256, tests ?? storedId(''), made)
      : newReplay(starts.drawn, starts.plan, made.at);
  return {status, body: JSON.stringify(shown), id: storedId(shown.id), replayed};
}

/** A list that is whole: what one request has made. */
function presentList({status, beside}: Reply, rows: readonly WireJson[], replayed: boolean): Answer {
  const shown = beside === undefined ? rows : rows.map((json) => withMembers(json, beside));
  return {
    status,
    body: `{"object":"list","data":[${shown.join(',')}],"has_more":false,"next_cursor":null}`,
    replayed,
  };
}

function present(sealer: Sealer, reply: Reply, json: WireJson, replayed: boolean): Answer {
  const id = storedId(json.slice(7, json.indexOf('"', 7)));
  const whole = reply.beside === undefined ? json : withMembers(json, reply.beside);
  const shown =
    reply.sealed === undefined
      ? whole
      : withMembers(whole, JSON.parse(sealer.open('shown-once', drawnPart(id), reply.sealed)) as object);
  return {
    status: reply.status,
    body: shown,
    id,
    revision: reply.resource?.revision ?? 1,
    ...(reply.signedBy !== undefined && {signedBy: reply.signedBy}),
    replayed,
  };
}

/** The wire JSON that the script has just written for a resource: the same bytes from the same parts. */
function bodyOf(writes: readonly Write[], drawn: string, at: number): WireJson | undefined {
  const instant = toInstant(at);
  for (const write of writes) {
    if (write.do === 'create' && write.drawn === drawn) {
      const id = composeId(write.kind, at, drawn);
      const stamp = {id, revision: 1, created_at: instant, updated_at: instant};
      return stampDraft(write.rendered ?? renderDraft(write.draft), stamp);
    }
    if (write.do === 'revise' && drawnPart(write.id) === drawn) {
      const stamp = {
        id: write.id,
        revision: write.from + 1,
        created_at: write.createdAt,
        updated_at: instant,
      };
      return renderResource(write.draft, stamp);
    }
  }
  return undefined;
}

const loggedEvents = 20;

/** Who did what, whatever the door; what the service does by itself its own lines tell. */
function tellLog(log: Pick<Log, 'info'>, call: Call, {events}: Commit, made: Made): void {
  const actor = actorOf(call);
  if (events.length === 0 || actor === undefined || actor.source === 'system') return;
  const first = made.sequence - events.length + 1;
  const told = events
    .slice(0, loggedEvents)
    .map((event, i) => `${event.type} ${composeId('event', made.at, sequencedPart(event.about, first + i))}`);
  const fields = {
    actor: actor.type,
    principal: actor.id,
    token: actor.token,
    source: actor.source,
    request_id: call.requestId,
    workspace: call.workspace,
    events: told.join(', '),
    count: events.length,
  };
  log.info(fields, 'change');
}

function wakeReaders(wake: Wake, workspace: string, commit: Commit): void {
  if (commit.events.length > 0) {
    wake(workspace, {kind: 'fan-out'});
    wake(workspace, {kind: 'read-slack'});
  }
  for (const write of commit.writes) {
    if (write.do === 'redeliver') wake(workspace, {kind: 'deliver', webhook: drawnPart(write.webhook)});
    if (write.do === 'open-webhook') wake(workspace, {kind: 'deliver', webhook: write.drawn});
    if (write.do === 'start-replay') wake(workspace, {kind: 'replay', replay: write.drawn});
    if (write.do === 'cancel-replay') wake(workspace, {kind: 'replay', replay: write.replay});
    if (write.do === 'ask-look') wake(workspace, {kind: 'schedule', team: drawnPart(write.team)});
    if (write.do === 'purge-team') wake(workspace, {kind: 'purge-team', team: write.team});
    if (write.do === 'prompt' || write.do === 'snooze-prompt') {
      wake(workspace, {kind: 'post-slack', channel: write.slackUser});
    }
    if (write.do === 'restate-runs') wake(workspace, {kind: 'restate-runs', ...write.days});
    if (write.do === 'forget-member') wake(workspace, forgetWork(write));
  }
}
