import {hash as digest} from 'node:crypto';
import type {Outcome} from '../../domain/commit/reply.js';
import type {LogPosition} from '../../domain/events/event.js';
import type {Resource, WireJson} from '../../domain/core/resource.js';
import {createEtag, findMatchingEtag} from './conditions.js';
import type {HandlerInput, HandlerResponse} from './route.js';

const statuses = {created: 201, changed: 200, accepted: 202, gone: 204} as const;

/** The result of a change, as a service returns it. */
interface MutationAnswer {
  readonly outcome: Outcome;
  readonly body: WireJson;
  readonly id?: string;
  readonly revision?: number;
  readonly replayed: boolean;
}

/** Presents a change. `collection`: the path for `Location`. `mark`: see `presentResource`. */
export function presentAnswer(answer: MutationAnswer, collection?: string, mark?: string): HandlerResponse {
  const {outcome, body, id, revision, replayed} = answer;
  const status = statuses[outcome];
  const headers: Record<string, string> = {};
  if (revision !== undefined) headers['ETag'] = createEtag(revision, mark);
  if (collection !== undefined && outcome === 'created' && id !== undefined)
    headers['Location'] = `${collection}/${id}`;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  return body === '' ? {status, headers} : {status, headers, body};
}

/**
 * Presents one resource, or 304 when the caller already has this version. `mark`: a text that changes with
 * the content of the answer that is not part of the resource's revision.
 */
export function presentResource(
  resource: Resource,
  {ifNoneMatch}: HandlerInput,
  mark?: string,
): HandlerResponse {
  const tag = createEtag(resource.revision, mark);
  return presentNotModified(ifNoneMatch, tag) ?? presentTaggedContent(JSON.stringify(resource), tag);
}

/** Presents content without a revision: its entity tag is a hash. A caller who has it already gets 304. */
export function presentContent(content: object, {ifNoneMatch}: HandlerInput): HandlerResponse {
  const body = JSON.stringify(content);
  const tag = createContentEtag(body);
  return presentNotModified(ifNoneMatch, tag) ?? presentTaggedContent(body, tag);
}

/** Creates a strong entity tag from the bytes of the content. */
export function createContentEtag(body: string | Buffer): string {
  return `"${digest('sha256', body, 'hex').slice(0, 32)}"`;
}

const kept = {'Cache-Control': 'private, no-cache'};

function presentTaggedContent(body: WireJson | Buffer, tag: string): HandlerResponse {
  return {status: 200, body, headers: {ETag: tag, ...kept}};
}

/** Presents 304 if the caller already has the content with this entity tag; undefined otherwise. */
export function presentNotModified(
  ifNoneMatch: string | undefined,
  tag: string,
): HandlerResponse | undefined {
  const had = findMatchingEtag(ifNoneMatch, tag);
  return had === undefined ? undefined : {status: 304, headers: {ETag: had, ...kept}};
}

/** Presents a page of a list, built from the stored JSON of its rows. */
export function presentPage(
  rows: readonly WireJson[],
  next: number | undefined,
  {cursors}: Pick<HandlerInput, 'cursors'>,
): HandlerResponse {
  const cursor = next === undefined ? undefined : cursors.make(next);
  return {status: 200, body: createListJson(rows, cursor !== undefined, cursor), next: cursor};
}

/** Presents a page of a list with an entity tag, which is a hash of the content. */
export function presentTaggedPage(
  rows: readonly WireJson[],
  next: number | undefined,
  {cursors}: Pick<HandlerInput, 'cursors'>,
): {readonly whole: HandlerResponse; readonly tag: string} {
  const page = presentPage(rows, next, {cursors});
  const body = Buffer.from(page.body ?? '');
  const tag = createContentEtag(body);
  return {tag, whole: {...presentTaggedContent(body, tag), next: page.next}};
}

/** Presents a page of a feed. It always has a cursor, so that a consumer can continue later. */
export function presentFeed(
  rows: readonly WireJson[],
  {next, more}: {next: LogPosition | undefined; more: boolean},
  {cursors}: Pick<HandlerInput, 'cursors'>,
): HandlerResponse {
  const cursor = next === undefined ? undefined : cursors.makeLog(next);
  return {status: 200, body: createListJson(rows, more, cursor), next: more ? cursor : undefined};
}

function createListJson(rows: readonly WireJson[], more: boolean, cursor: string | undefined): WireJson {
  const tail = cursor === undefined ? 'null' : `"${cursor}"`;
  return `{"object":"list","data":[${rows.join(',')}],"has_more":${more},"next_cursor":${tail}}`;
}
