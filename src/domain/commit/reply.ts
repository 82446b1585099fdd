import {toInstant} from '../core/dates.js';
import {composeId, suffixOf, type Id, type IdSuffix} from '../core/ids.js';
import {addStampToDraft, type WireJson} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {CreateWrite, ReviseWrite} from './writes.js';

/** The answer of a commit. The caller gets it, and so does every repeat with the same idempotency key. */
export type Reply = ReplyOf<RevisionOutcome>;

/**
 * An answer as it is stored for repeats. It names revisions, which are rendered again. `created` is false
 * when the request left a first revision unchanged.
 */
export type KeptReply =
  | Exclude<ReplyOf<RevisionRef>, ResourceReply<RevisionRef>>
  | (ResourceReply<RevisionRef> & {readonly created: boolean});

interface ResourceReply<R> {
  readonly kind: 'resource';
  readonly of: R;
  /** Fields that are shown only once, such as a secret, in encrypted form. */
  readonly encrypted?: string;
  /** Additional fields of the answer. They may have changed when the request is repeated. */
  readonly beside?: object;
  /** The id of the key that signs the access token in the answer, also when the answer is repeated. */
  readonly signedBy?: string;
}

type ReplyOf<R> =
  | {readonly kind: 'empty'}
  | ResourceReply<R>
  /**
   * All resources that one request created. `beside`: additional fields that the answer shows with each
   * resource. `encrypted`: fields that are shown only once (`ShownOnce`), in encrypted form.
   */
  | {
      readonly kind: 'list';
      readonly of: readonly R[];
      readonly beside?: object;
      readonly encrypted?: string;
    }
  /**
   * A body that is not a revision of a resource. `accepted`: the work that the body describes has been
   * started, but not finished.
   */
  | {readonly kind: 'inline'; readonly accepted: boolean; readonly body: WireJson}
  /** The answer to a test of a webhook. The body shows the delivery of the commit's only event. */
  | {readonly kind: 'test'; readonly webhook: Id<'webhook'>}
  /** The erasure that the commit starts (its id suffix). The full id contains the time of the commit. */
  | {readonly kind: 'erasure'; readonly erasure: IdSuffix<'erasure'>}
  /** The replay that the commit starts. The body shows its first state. */
  | {readonly kind: 'replay'; readonly suffix: IdSuffix<'replay'>; readonly plan: ReplayPlan};

/** The fields of a list that are shown only once: those of each resource in order, and those of the list. */
export interface ShownOnce {
  readonly rows: readonly object[];
  readonly list: object;
}

export interface RevisionRef {
  readonly suffix: IdSuffix;
  readonly revision: number;
}

/** A revision that the commit writes, or the existing one of a resource that stayed as it was. */
export type RevisionOutcome = CreateWrite | ReviseWrite | UnchangedResource;

export interface UnchangedResource {
  readonly do: 'nothing';
  readonly id: Id;
  readonly revision: number;
  readonly json: WireJson;
}

export function createRevisionRef(shown: RevisionOutcome): RevisionRef {
  switch (shown.do) {
    case 'create':
      return {suffix: shown.suffix, revision: 1};
    case 'revise':
      return {suffix: suffixOf(shown.id), revision: shown.from + 1};
    case 'nothing':
      return {suffix: suffixOf(shown.id), revision: shown.revision};
  }
}

/** Renders the JSON of a revision that a commit wrote at an instant (ms), exactly as it is stored. */
export function renderRevision(shown: RevisionOutcome, at: number): WireJson {
  const now = toInstant(at);
  switch (shown.do) {
    case 'create': {
      const id = composeId(shown.kind, at, shown.suffix);
      return addStampToDraft(shown.draft, {id, revision: 1, created_at: now, updated_at: now});
    }
    case 'revise': {
      const {id, from, createdAt} = shown;
      return addStampToDraft(shown.draft, {id, revision: from + 1, created_at: createdAt, updated_at: now});
    }
    case 'nothing':
      return shown.json;
  }
}

/** The outcomes of a change. `accepted`: the work has been started and is not finished. */
export type Outcome = 'created' | 'changed' | 'accepted' | 'gone';

export function findOutcome(reply: Reply | KeptReply): Outcome {
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
