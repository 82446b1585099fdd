import {hash as digest} from 'node:crypto';
import type {LogPlace} from '../domain/event.js';
import type {Resource, WireJson} from '../domain/resource.js';
import {etagOf, findUnchanged} from './conditions.js';
import type {Handled, Reply} from './route.js';

/** What a service answers to a mutation. */
interface Answer {
  readonly status: number;
  readonly body?: WireJson;
  readonly id?: string;
  readonly revision?: number;
  readonly replayed: boolean;
}

/**
 * Presents a mutation's answer; `collection` is where the resource lives, for `Location`; `mark` as for
 * `presentResource`.
 */
export function presentAnswer(answer: Answer, collection?: string, mark?: string): Reply {
  const {status, body, id, revision, replayed} = answer;
  const headers: Record<string, string> = {};
  if (revision !== undefined) headers['ETag'] = etagOf(revision, mark);
  if (collection !== undefined && status === 201 && id !== undefined)
    headers['Location'] = `${collection}/${id}`;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  return body === undefined ? {status, headers} : {status, headers, body};
}

/**
 * Presents one resource, or 304 when the caller has it already. `mark`: what it shows that is no part of
 * its revision.
 */
export function presentResource(
  resource: Resource,
  {ifNoneMatch}: Pick<Handled, 'ifNoneMatch'>,
  mark?: string,
): Reply {
  const tag = etagOf(resource.revision, mark);
  const cached = {'Cache-Control': 'private, no-cache'};
  const had = findUnchanged(ifNoneMatch, tag);
  if (had !== undefined) return {status: 304, headers: {ETag: had, ...cached}};
  return {status: 200, body: JSON.stringify(resource), headers: {ETag: tag, ...cached}};
}

/** Presents what has no revision by what it says, or 304 when the caller has it already. */
export function presentContent(content: object, {ifNoneMatch}: Pick<Handled, 'ifNoneMatch'>): Reply {
  const body = JSON.stringify(content);
  const tag = `"${digest('sha256', body, 'hex').slice(0, 32)}"`;
  const cached = {'Cache-Control': 'private, no-cache'};
  const had = findUnchanged(ifNoneMatch, tag);
  if (had !== undefined) return {status: 304, headers: {ETag: had, ...cached}};
  return {status: 200, body, headers: {ETag: tag, ...cached}};
}

/** Presents a page of a list, spliced from the rows' wire JSON. */
export function presentPage(
  rows: readonly WireJson[],
  next: number | undefined,
  {cursors}: Pick<Handled, 'cursors'>,
): Reply {
  const cursor = next === undefined ? undefined : cursors.make(next);
  return {status: 200, body: listJson(rows, cursor !== undefined, cursor), next: cursor};
}

/** A feed's page: it may have a cursor when nothing follows yet, so that a reader can go on. */
export function presentFeed(
  rows: readonly WireJson[],
  {next, more}: {next: LogPlace | undefined; more: boolean},
  {cursors}: Pick<Handled, 'cursors'>,
): Reply {
  const cursor = next === undefined ? undefined : cursors.makeLog(next);
  return {status: 200, body: listJson(rows, more, cursor), next: more ? cursor : undefined};
}

function listJson(rows: readonly WireJson[], more: boolean, cursor: string | undefined): WireJson {
  const tail = cursor === undefined ? 'null' : `"${cursor}"`;
  return `{"object":"list","data":[${rows.join(',')}],"has_more":${more},"next_cursor":${tail}}`;
}
