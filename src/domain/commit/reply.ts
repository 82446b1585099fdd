import {toInstant} from '../core/dates.js';
import {composeId, suffixOf, type Id, type IdSuffix} from '../core/ids.js';
import {stampDraft, type WireJson} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {CreateWrite, ReviseWrite} from './writes.js';

/** The answer of a commit to its caller, and to every repeat with the same idempotency key. */
export type Reply = ReplyOf<RevisionOutcome>;

/**
 * The same as kept for repeats: it names revisions, which are rendered again. `created` is false when a
 * request left a first revision unchanged.
 */
export type KeptReply =
  | Exclude<ReplyOf<RevisionRef>, ResourceReply<RevisionRef>>
  | (ResourceReply<RevisionRef> & {readonly created: boolean});

interface ResourceReply<R> {
  readonly kind: 'resource';
  readonly of: R;
  /** Members shown only this once, beside the resource's own (a secret), encrypted. */
  readonly sealed?: string;
  /** Members shown besides the resource's own that may have changed when a repeat comes. */
  readonly beside?: object;
  /**
   * Id of the key that signs the access token in the answer: a repeat signs the same claims with it again.
   */
  readonly signedBy?: string;
}

type ReplyOf<R> =
  | {readonly kind: 'empty'}
  | ResourceReply<R>
  /** All resources that one request created. `beside`: members shown with each of them. */
  | {readonly kind: 'list'; readonly of: readonly R[]; readonly beside?: object}
  /** A body that is no revision of a resource. `accepted`: the work it describes is still to be done. */
  | {readonly kind: 'inline'; readonly accepted: boolean; readonly body: WireJson}
  /** The commit's only event is a test of this webhook (by id): the body is the delivery of that event. */
  | {readonly kind: 'test'; readonly webhook: Id<'webhook'>}
  /** The erasure (its id suffix) that the commit starts: the full id needs the time of the commit. */
  | {readonly kind: 'erasure'; readonly erasure: IdSuffix<'erasure'>}
  /** The replay that the commit starts; the body shows its first state. */
  | {readonly kind: 'replay'; readonly suffix: IdSuffix<'replay'>; readonly plan: ReplayPlan};

/** One revision of one resource, named by its id suffix. */
export interface RevisionRef {
  readonly suffix: IdSuffix;
  readonly revision: number;
}

/** A revision that the commit writes, or one that it leaves as it is. */
export type RevisionOutcome = CreateWrite | ReviseWrite | UnchangedResource;

export interface UnchangedResource {
  readonly do: 'nothing';
  readonly id: Id;
  readonly revision: number;
  readonly json: WireJson;
}

export function revisionRefOf(shown: RevisionOutcome): RevisionRef {
  switch (shown.do) {
    case 'create':
      return {suffix: shown.suffix, revision: 1};
    case 'revise':
      return {suffix: suffixOf(shown.id), revision: shown.from + 1};
    case 'nothing':
      return {suffix: suffixOf(shown.id), revision: shown.revision};
  }
}

/** The wire JSON of a revision that a commit wrote at an instant (ms), byte for byte. */
export function renderRevision(shown: RevisionOutcome, at: number): WireJson {
  const now = toInstant(at);
  switch (shown.do) {
    case 'create': {
      const id = composeId(shown.kind, at, shown.suffix);
      return stampDraft(shown.draft, {id, revision: 1, created_at: now, updated_at: now});
    }
    case 'revise': {
      const {id, from, createdAt} = shown;
      return stampDraft(shown.draft, {id, revision: from + 1, created_at: createdAt, updated_at: now});
    }
    case 'nothing':
      return shown.json;
  }
}

/** Outcomes of a change; `accepted`: the work it began is still to be done. */
export type Outcome = 'created' | 'changed' | 'accepted' | 'gone';

export function outcomeOf(reply: Reply | KeptReply): Outcome {
  switch (reply.kind) {
    case 'empty':
    case 'erasure':
      return 'gone';
    case 'resource':
      return isCreated(reply) ? 'created' : 'changed';
    case 'inline':
      return reply.accepted ? 'accepted' : 'changed';
    case 'list':
      return 'created';
    case 'test':
    case 'replay':
      return 'accepted';
  }
}

export function isCreated(reply: Extract<Reply | KeptReply, {kind: 'resource'}>): boolean {
  return 'created' in reply ? reply.created : reply.of.do === 'create';
}
