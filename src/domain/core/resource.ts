import {type Id, type IdKind, storedId} from './ids.js';

/**
 * Members of every resource. On the wire they come in this order: `id`, `object`, its own, then these three.
 */
export interface Resource<K extends IdKind = IdKind> {
  readonly id: Id<K>;
  readonly object: string;
  /** Counts from 1; the strong `ETag` of the resource. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A resource as a service writes it: Redis adds the id and the instants. */
export type Draft<R extends Resource> = Omit<R, 'id' | 'revision' | 'created_at' | 'updated_at'>;

/**
 * A resource's wire JSON, as stored: lists are spliced from these without parsing. `R`: its type, for
 * `parseWire`.
 */
export type WireJson<R = unknown> = string & {readonly __says?: R};

export function parseWire<R>(json: WireJson<R>): R {
  return JSON.parse(json) as R;
}

/**
 * The wire JSON of one revision. `store/commit/record-writes.ts` writes the same bytes, and a test compares
 * them.
 */
export function renderResource(draft: object, stamp: Stamp): WireJson {
  return stampDraft(renderDraft(draft), stamp);
}

/** The members that the store adds to a draft. */
export type Stamp = Pick<Resource, 'id' | 'revision' | 'created_at' | 'updated_at'>;

/** The wire JSON of a rendered draft. */
export function stampDraft(rendered: DraftJson, stamp: Stamp): WireJson {
  return `{"id":"${stamp.id}",${rendered}${renderStampMembers(stamp)}`;
}

/** The end of the wire JSON of a revision, and of no other revision. */
export function renderStampMembers({
  revision,
  created_at: made,
  updated_at: changed,
}: Omit<Stamp, 'id'>): string {
  return `,"revision":${revision},"created_at":"${made}","updated_at":"${changed}"}`;
}

/**
 * The middle of the wire JSON: a draft's members without the braces. Made only by `renderDraft`, once for
 * each draft.
 */
export type DraftJson = string & {readonly __draft: never};

export function renderDraft(draft: object): DraftJson {
  return JSON.stringify(draft).slice(1, -1) as DraftJson;
}

/** The id with which every wire JSON begins. */
export function idOfWireJson<K extends IdKind = never>(json: WireJson): Id<K> {
  return storedId(json.slice(7, json.indexOf('"', 7)));
}

/** Adds members to the end of a wire JSON. */
export function addWireMembers<R, M extends object>(json: WireJson<R>, members: M): WireJson<R & M> {
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`;
}

/**
 * The text of a member that each resource of its kind has, without parsing: no text before it can contain the
 * string that is searched for.
 */
export function readMemberText(json: WireJson, member: string): string {
  const start = json.indexOf(`"${member}":"`) + member.length + 4;
  return json.slice(start, json.indexOf('"', start));
}

/** A resource without what Redis adds, to build its next revision from. */
export function toDraft<R extends Resource>(resource: R): Draft<R> {
  const {id: _id, revision: _revision, created_at: _created, updated_at: _updated, ...draft} = resource;
  return draft;
}

/** The members of `next` that differ from `before`, with their earlier values; empty when nothing changed. */
export function previousAttributes(before: object, next: object): Record<string, unknown> {
  const earlier = before as Record<string, unknown>;
  const later = next as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(later)])) {
    if (name === 'revision' || name === 'updated_at') continue;
    if (JSON.stringify(earlier[name]) !== JSON.stringify(later[name])) changed[name] = earlier[name] ?? null;
  }
  return changed;
}

/** True when a draft would change nothing of a resource. */
export function isSame<R extends Resource>(resource: R, draft: Draft<R>): boolean {
  return Object.keys(previousAttributes(toDraft(resource), draft)).length === 0;
}

/** Members to change; those that are left out, or undefined, stay. */
export type Patch<T> = {readonly [K in keyof T]?: T[K] | undefined};

export function applyPatch<T extends object>(before: T, patch: Patch<T> | undefined): T {
  const given = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
  return {...before, ...Object.fromEntries(given)};
}
