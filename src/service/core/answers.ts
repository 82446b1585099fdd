import type {Call} from '../../domain/core/access.js';
import type {Commit, StoredAnswer, CommitStamp} from '../../domain/commit/commit.js';
import {
  type KeptReply,
  type Outcome,
  findOutcome,
  createRevisionRef,
  renderRevision,
  type Reply,
  type RevisionRef,
  type ShownOnce,
} from '../../domain/commit/reply.js';
import {type Sha256, createWebhookTestDelivery} from '../../domain/webhooks/delivery.js';
import {createErasureId} from '../../domain/members/erasure.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf, type Id, storedId} from '../../domain/core/ids.js';
import {readIdOfWireJson, type WireJson, addFieldsToWireJson} from '../../domain/core/resource.js';
import {createReplay} from '../../domain/webhooks/replay.js';
import type {Records} from '../../store/core/records.js';
import type {Cipher} from '../../store/core/cipher.js';
import type {ServiceEnvironment} from './environment.js';
import {listTeamsOfJson} from './named-teams-of-json.js';
import type {ReachedTeams} from './reached-teams.js';

/**
 * The answer of a mutation. A repeated request gets the same answer, except `replayed`. `R`: the resource in
 * the answer; void if there is none.
 */
export interface Answer<R = unknown> {
  readonly outcome: Outcome;
  /** The body of the answer; empty if there is none. */
  readonly body: WireJson<R>;
  /** The id of the resource that the answer is about; left out if the answer is about none or several. */
  readonly id?: Id<never>;
  readonly revision?: number;
  /** The key with which the service signs the answer: see `Reply`. */
  readonly signedBy?: string;
  readonly replayed: boolean;
}

/**
 * Returns the stored answer for an idempotency key. Whether the caller may still see the teams that it names is
 * asked again. Errors: `idempotency_key_reused`, `not_found`.
 */
export async function findStoredAnswer(
  environment: ServiceEnvironment,
  teams: ReachedTeams,
  call: Call,
  kept: StoredAnswer,
): Promise<Answer> {
  const {records, cipher, sha256} = environment;
  if (call.idempotency?.fingerprint !== kept.fingerprint) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another request. Use a new key for a new request.',
      {
        inputErrors: [
          {
            code: 'idempotency_key_reused',
            detail: 'used before with another request',
            header: 'Idempotency-Key',
          },
        ],
      },
    );
  }
  const {reply, made} = kept;
  switch (reply.kind) {
    case 'resource': {
      const [json] = await findReplyRevisions(records, call, [reply.of]);
      await requireReached(teams, call, [json ?? '{}']);
      return presentResource(cipher, reply, {json: json ?? '', revision: reply.of.revision}, true);
    }
    case 'list': {
      const rows = await findReplyRevisions(records, call, reply.of);
      await requireReached(teams, call, rows);
      return presentList(environment, call, reply, rows, true);
    }
    case 'inline':
      await requireReached(teams, call, [reply.body]);
      return presentReply(sha256, reply, made, true);
    default:
      return presentReply(sha256, reply, made, true);
  }
}

/** Refuses an answer that names a private team which the caller may no longer see. Errors: `not_found`. */
async function requireReached(teams: ReachedTeams, call: Call, rows: readonly WireJson[]): Promise<void> {
  const hidden = await teams.listHidden(call, rows.flatMap(listTeamsOfJson));
  if (hidden.size === 0) return;
  throw new AppError('not_found', 'What this request once made is in a team that you can no longer see.');
}

/** Finds the revisions that a stored reply names. Errors: `not_found` if one of them has been erased. */
async function findReplyRevisions(records: Records, call: Call, refs: readonly RevisionRef[]) {
  const found = await records.findRevisions(call.workspace, refs, call.deadline);
  return found.map((json) => {
    if (json === undefined) throw new AppError('not_found', 'What this request once made has been erased.');
    return json;
  });
}

export function createAnswer(
  environment: ServiceEnvironment,
  call: Pick<Call, 'workspace'>,
  {reply}: Commit,
  made: CommitStamp,
): Answer {
  const {cipher, sha256} = environment;
  switch (reply.kind) {
    case 'resource': {
      const shown = {json: renderRevision(reply.of, made.at), revision: createRevisionRef(reply.of).revision};
      return presentResource(cipher, reply, shown, false);
    }
    case 'list':
      return presentList(
        environment,
        call,
        reply,
        reply.of.map((one) => renderRevision(one, made.at)),
        false,
      );
    default:
      return presentReply(sha256, reply, made, false);
  }
}

type RevisionSource = 'resource' | 'list';

/**
 * Presents a stored reply as an answer. `made`: the time of the commit, which is needed if the reply is about
 * a test, a replay or an erasure.
 */
function presentReply(
  sha256: Sha256,
  reply: Exclude<Reply, {kind: RevisionSource}>,
  made: CommitStamp | undefined,
  replayed: boolean,
): Answer {
  const outcome = findOutcome(reply);
  const {at = 0, sequence = 0} = made ?? {};
  switch (reply.kind) {
    case 'empty':
      return {outcome, body: '', replayed};
    case 'inline':
      return {outcome, body: reply.body, replayed};
    case 'erasure':
      return {outcome, body: '', id: storedId(createErasureId(reply.erasure, at)), replayed};
    case 'test':
      return presentBody(outcome, createWebhookTestDelivery(sha256, reply.webhook, {at, sequence}), replayed);
    case 'replay':
      return presentBody(outcome, createReplay(reply.suffix, reply.plan, at), replayed);
  }
}

function presentBody(outcome: Outcome, shown: {readonly id: string}, replayed: boolean): Answer {
  return {outcome, body: JSON.stringify(shown), id: storedId(shown.id), replayed};
}

/** Presents a complete list of everything that one request has created. */
function presentList(
  {cipher}: ServiceEnvironment,
  {workspace}: Pick<Call, 'workspace'>,
  {beside, encrypted}: Extract<Reply | KeptReply, {kind: 'list'}>,
  rows: readonly WireJson[],
  replayed: boolean,
): Answer {
  const once =
    encrypted === undefined
      ? undefined
      : (JSON.parse(cipher.decrypt('shown-once', workspace, encrypted)) as ShownOnce);
  const shown = rows.map((json, i) => {
    const more = once?.rows[i] ?? beside;
    return more === undefined ? json : addFieldsToWireJson(json, more);
  });
  const body = `{"object":"list","data":[${shown.join(',')}],"has_more":false,"next_cursor":null}`;
  return {outcome: 'created', body: once ? addFieldsToWireJson(body, once.list) : body, replayed};
}

function presentResource(
  cipher: Cipher,
  reply: Extract<Reply | KeptReply, {kind: 'resource'}>,
  {json, revision}: {readonly json: WireJson; readonly revision: number},
  replayed: boolean,
): Answer {
  const {beside, encrypted, signedBy} = reply;
  const id = readIdOfWireJson(json);
  const whole = beside === undefined ? json : addFieldsToWireJson(json, beside);
  const body =
    encrypted === undefined
      ? whole
      : addFieldsToWireJson(
          whole,
          JSON.parse(cipher.decrypt('shown-once', suffixOf(id), encrypted)) as object,
        );
  const outcome = findOutcome(reply);
  return {outcome, body, id, revision, ...(signedBy !== undefined && {signedBy}), replayed};
}
