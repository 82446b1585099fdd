import type {StoredAnswer} from '../../domain/commit/commit.js';
import {type Id, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {
  isCreated,
  type KeptReply,
  type Outcome,
  findOutcome,
  createRevisionRef,
  type Reply,
  type RevisionRef,
} from '../../domain/commit/reply.js';
import type {ReplayPlan} from '../../domain/webhooks/replay.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';

/**
 * A revision in the stored form. The field `drawn` has the id suffix; it had this name in the first releases.
 */
interface StoredRef {
  readonly drawn: IdSuffix;
  readonly revision: number;
}

/** The stored codes of outcomes. */
const codes = {created: 201, changed: 200, accepted: 202, gone: 204} as const;

interface StoredReply {
  readonly status: (typeof codes)[Outcome];
  readonly resource?: StoredRef;
  readonly resources?: readonly StoredRef[];
  readonly beside?: object;
  readonly sealed?: string;
  readonly signedBy?: string;
  readonly inline?: string;
  readonly tests?: Id<'webhook'>;
  readonly erases?: IdSuffix<'erasure'>;
  readonly starts?: {readonly drawn: IdSuffix<'replay'>; readonly plan: ReplayPlan};
  readonly made?: NonNullable<StoredAnswer['made']>;
}

/**
 * The number of stored characters of a fingerprint. They have 66 bits, which distinguish two requests with
 * the same key.
 */
const fingerprintLength = 11;

/**
 * The character that marks the stored answer to a post, followed by the id suffix of the standup: 28
 * characters, 48 bytes in Redis.
 */
const postedMark = '=';
const postedBeside = '{"slack":null}';

export function shortenFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, fingerprintLength);
}

/** Returns the part of a commit's answer that is stored for repeats. */
export function serializeReply(reply: Reply): string {
  return encodeStoredReply(referToRevisions(reply));
}

export function serializeStoredAnswer({fingerprint, reply}: StoredAnswer): string {
  return shortenFingerprint(fingerprint) + encodeStoredReply(reply);
}

/**
 * Parses a stored answer: a fingerprint and an answer. The fingerprint never contains the character with
 * which the answer begins.
 */
export function parseStoredAnswer(record: string): StoredAnswer {
  const end = record.search(/[={]/);
  const fingerprint = record.slice(0, end);
  if (record[end] === postedMark) {
    const of = {suffix: storedSuffix(record.slice(end + 1)), revision: 1};
    const beside = JSON.parse(postedBeside) as object;
    return {fingerprint, reply: {kind: 'resource', created: true, of, beside}};
  }
  const stored = JSON.parse(record.slice(end)) as StoredReply;
  const {made} = stored;
  return {fingerprint, reply: parseStoredReply(stored), ...(made !== undefined && {made})};
}

function referToRevisions(reply: Reply): KeptReply {
  if (reply.kind === 'resource')
    return {...reply, created: isCreated(reply), of: createRevisionRef(reply.of)};
  return reply.kind === 'list' ? {...reply, of: reply.of.map(createRevisionRef)} : reply;
}

function encodeStoredReply(reply: KeptReply): string {
  if (reply.kind === 'resource' && isPlainCreation(reply)) return postedMark + reply.of.suffix;
  return JSON.stringify(convertToStoredReply(reply));
}

function isPlainCreation({
  created,
  of,
  beside,
  sealed: encrypted,
  signedBy,
}: Extract<KeptReply, {kind: 'resource'}>): boolean {
  const isPlain = created && of.revision === 1 && encrypted === undefined && signedBy === undefined;
  return isPlain && JSON.stringify(beside) === postedBeside;
}

function convertToStoredReply(reply: KeptReply): StoredReply {
  const status = codes[findOutcome(reply)];
  switch (reply.kind) {
    case 'empty':
      return {status};
    case 'resource': {
      const {kind: _, of, created: _created, ...shown} = reply;
      return {status, ...shown, resource: convertToStoredRef(of)};
    }
    case 'list': {
      const {kind: _, of, ...shown} = reply;
      return {status, ...shown, resources: of.map(convertToStoredRef)};
    }
    case 'inline':
      return {status, inline: reply.body};
    case 'test':
      return {status, tests: reply.webhook};
    case 'erasure':
      return {status, erases: reply.erasure};
    case 'replay':
      return {status, starts: {drawn: reply.suffix, plan: reply.plan}};
  }
}

function parseStoredReply({
  status,
  resource,
  resources,
  inline,
  tests,
  erases,
  starts,
  ...stored
}: StoredReply): KeptReply {
  const {beside, sealed: encrypted, signedBy} = stored;
  const shown = beside === undefined ? {} : {beside};
  if (resource !== undefined) {
    return {
      kind: 'resource',
      created: status !== codes.changed,
      of: parseStoredRef(resource),
      ...shown,
      ...(encrypted !== undefined && {sealed: encrypted}),
      ...(signedBy !== undefined && {signedBy}),
    };
  }
  if (resources !== undefined) return {kind: 'list', of: resources.map(parseStoredRef), ...shown};
  if (inline !== undefined)
    return {kind: 'inline', accepted: status !== codes.changed, body: addMissingFieldsToRecord(inline)};
  if (tests !== undefined) return {kind: 'test', webhook: tests};
  if (erases !== undefined) return {kind: 'erasure', erasure: erases};
  if (starts === undefined) return {kind: 'empty'};
  return {kind: 'replay', suffix: starts.drawn, plan: starts.plan};
}

function convertToStoredRef({suffix, revision}: RevisionRef): StoredRef {
  return {drawn: suffix, revision};
}

function parseStoredRef({drawn, revision}: StoredRef): RevisionRef {
  return {suffix: drawn, revision};
}
