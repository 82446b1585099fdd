import {toInstant} from '../core/dates.js';
import {composeId, drawnPart, type Id, type IdSuffix} from '../core/ids.js';
import {stampDraft, type WireJson} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {CreateWrite, ReviseWrite} from './writes.js';

/** The answer of a commit to its caller, and to every repeat with the same idempotency key. */
export type Reply = ReplyOf<Shown>;

/** The same as it is kept for repeats: revisions are named, and rendered anew. */
export type KeptReply = ReplyOf<RevisionRef>;

type ReplyOf<R> =
  | {readonly kind: 'empty'}
  | {
      readonly kind: 'resource';
      readonly status: 200 | 201;
      readonly of: R;
      /** Members shown this once besides the resource's own (a secret), encrypted. */
      readonly sealed?: string;
      /** Members shown besides the resource's own that may have changed when a repeat comes. */
      readonly beside?: object;
      /**
       * Id of the key that signs the access token in the answer: a repeat signs the same claims with it
       * again.
       */
      readonly signedBy?: string;
    }
  /** All that one request has made. `beside`: members that each is shown with. */
  | {readonly kind: 'list'; readonly of: readonly R[]; readonly beside?: object}
  /** A body that is no revision of a resource. */
  | {readonly kind: 'inline'; readonly status: 200 | 202; readonly body: WireJson}
  /** The commit's only event is a test of this webhook (by id): the body is the delivery of that event. */
  | {readonly kind: 'test'; readonly webhook: Id<'webhook'>}
  /** The erasure (drawn half of its id) that the commit starts: its id is known with the time. */
  | {readonly kind: 'erasure'; readonly erasure: IdSuffix<'erasure'>}
  /** The replay that the commit starts: the body is how it begins. */
  | {readonly kind: 'replay'; readonly drawn: IdSuffix<'replay'>; readonly plan: ReplayPlan};

/** One revision of one resource; its drawn half names it. */
export interface RevisionRef {
  readonly drawn: IdSuffix;
  readonly revision: number;
}

/** A revision that the commit writes, or one that it leaves as it is. */
export type Shown = CreateWrite | ReviseWrite | Unchanged;

export interface Unchanged {
  readonly do: 'nothing';
  readonly id: Id;
  readonly revision: number;
  readonly json: WireJson;
}

export function refOf(shown: Shown): RevisionRef {
  switch (shown.do) {
    case 'create':
      return {drawn: shown.drawn, revision: 1};
    case 'revise':
      return {drawn: drawnPart(shown.id), revision: shown.from + 1};
    case 'nothing':
      return {drawn: drawnPart(shown.id), revision: shown.revision};
  }
}

/** The wire JSON of a revision that a commit wrote at an instant (ms), byte for byte. */
export function renderShown(shown: Shown, at: number): WireJson {
  const now = toInstant(at);
  switch (shown.do) {
    case 'create': {
      const id = composeId(shown.kind, at, shown.drawn);
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

/** The HTTP status of the answer. */
export function statusOf(reply: ReplyOf<unknown>): 200 | 201 | 202 | 204 {
  switch (reply.kind) {
    case 'empty':
    case 'erasure':
      return 204;
    case 'resource':
    case 'inline':
      return reply.status;
    case 'list':
      return 201;
    case 'test':
    case 'replay':
      return 202;
  }
}
