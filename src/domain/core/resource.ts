import {type Id, type IdKind, storedId} from './ids.js';

/**
 * The fields of every resource. JSON has them in this order: `id`, `object`, the resource's own fields, and
 * last the three fields defined here.
 */
export interface Resource<K extends IdKind = IdKind> {
  readonly id: Id<K>;
  readonly object: string;
  /** The number of the revision, counted from 1. It is the resource's strong `ETag`. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A resource as a service writes it. Redis adds the id and the times. */
export type Draft<R extends Resource> = Omit<R, 'id' | 'revision' | 'created_at' | 'updated_at'>;

/** The JSON of a resource, exactly as stored. `R` is the type that `parseWire` returns. */
export type WireJson<R = unknown> = string & {readonly __says?: R};

export function parseWire<R>(json: WireJson<R>): R {
  return JSON.parse(json) as R;
}

/** Renders the JSON of one revision: the same bytes as `store/commit/record-writes.ts`; see the test. */
export function renderResource(draft: object, stamp: Stamp): WireJson {
  return addStampToDraft(renderDraft(draft), stamp);
}

/** The fields that the store adds to a draft. */
export type Stamp = Pick<Resource, 'id' | 'revision' | 'created_at' | 'updated_at'>;

/** Adds the store's fields to a rendered draft, which gives the JSON of the resource. */
export function addStampToDraft(rendered: DraftJson, stamp: Stamp): WireJson {
  return `{"id":"${stamp.id}",${rendered}${renderStampFields(stamp)}`;
}

/** Renders the end of a revision's JSON, which is different for each revision. */
export function renderStampFields({
  revision,
  created_at: made,
  updated_at: changed,
}: Omit<Stamp, 'id'>): string {
  return `,"revision":${revision},"created_at":"${made}","updated_at":"${changed}"}`;
}

/** The middle of a resource's JSON: a draft's fields without braces. Only `renderDraft` creates it. */
export type DraftJson = string & {readonly __draft: never};

export function renderDraft(draft: object): DraftJson {
  return JSON.stringify(draft).slice(1, -1) as DraftJson;
}

/** Returns the id at the beginning of a resource's JSON. */
export function readIdOfWireJson<K extends IdKind = never>(json: WireJson): Id<K> {
  return storedId(json.slice(7, json.indexOf('"', 7)));
}

/** Adds fields to the end of a resource's JSON. */
export function addFieldsToWireJson<R, M extends object>(json: WireJson<R>, members: M): WireJson<R & M> {
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`;
}

/**
 * Reads a text field from a resource's JSON without parsing it. The field must exist in every resource of its
 * kind, and no earlier text can contain the searched string.
 */
export function readTextFieldOfJson(json: WireJson, member: string): string {
  const start = json.indexOf(`"${member}":"`) + member.length + 4;
  return json.slice(start, json.indexOf('"', start));
}

/** Returns a resource without the fields that Redis adds, as the base of its next revision. */
export function toDraft<R extends Resource>(resource: R): Draft<R> {
  const {id: _id, revision: _revision, created_at: _created, updated_at: _updated, ...draft} = resource;
  return draft;
}

/** Returns the fields of `next` that differ from `before`, with their earlier values. */
export function findPreviousAttributes(before: object, next: object): Record<string, unknown> {
  const earlier = before as Record<string, unknown>;
  const later = next as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(later)])) {
    if (name === 'revision' || name === 'updated_at') continue;
    if (JSON.stringify(earlier[name]) !== JSON.stringify(later[name])) changed[name] = earlier[name] ?? null;
  }
  return changed;
}

export function isUnchangedByDraft<R extends Resource>(resource: R, draft: Draft<R>): boolean {
  return Object.keys(findPreviousAttributes(toDraft(resource), draft)).length === 0;
}

/** Fields to change. Absent and undefined fields stay as they are. */
export type Patch<T> = {readonly [K in keyof T]?: T[K] | undefined};

export function applyPatch<T extends object>(before: T, patch: Patch<T> | undefined): T {
  const given = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
  return {...before, ...Object.fromEntries(given)};
}
