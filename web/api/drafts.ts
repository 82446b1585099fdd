// Keeps typed text in this browser until it is posted or its author signs out.

import {removeItem, storeItem, listItemKeys, readItem} from './storage.ts';

const prefix = 'standup:draft:';
const mostDrafts = 20;
const longest = 100_000;
const lives = 30 * 24 * 3_600_000;

interface SavedDraft {
  readonly at: number;
  readonly value: unknown;
}

let owner: string | undefined;

/** Sets the owner of all drafts, once the signed-in member is known. */
export function setDraftOwner(memberId: string | undefined): void {
  owner = memberId;
}

/** Reads the draft under a key such as `write:platform:2026-11-20`. The caller validates the value. */
export function readDraft<Value = unknown>(draftKey: string): Value | undefined {
  const key = storageKeyFor(draftKey);
  const kept = key === undefined ? undefined : readSavedDraft(key);
  return kept === undefined || isExpiredDraft(kept) ? undefined : (kept.value as Value);
}

/** Returns true if the draft was stored; false if the browser refuses or the draft is too long. */
export function saveDraft(draftKey: string, value: unknown): boolean {
  const key = storageKeyFor(draftKey);
  const text = JSON.stringify({at: Date.now(), value});
  if (key === undefined || text.length > longest) return false;
  const isKept = storeItem(key, text);
  deleteOldestDrafts(key);
  return isKept;
}

export function dropDraft(draftKey: string): void {
  const key = storageKeyFor(draftKey);
  if (key !== undefined) removeItem(key);
}

/** True if this browser keeps a draft of any person. */
export function hasDrafts(): boolean {
  return listItemKeys(prefix).length > 0;
}

export function dropAllDrafts(): void {
  for (const key of listItemKeys(prefix)) removeItem(key);
}

function storageKeyFor(draftKey: string): string | undefined {
  return owner === undefined ? undefined : `${prefix}${owner}:${draftKey}`;
}

/** Deletes the oldest drafts beyond the maximum, but never the current one. */
function deleteOldestDrafts(current: string): void {
  const others = listItemKeys(prefix)
    .filter((key) => key !== current)
    .map((key) => ({key, kept: readSavedDraft(key)}))
    .toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));
  others.forEach(({key, kept}, index) => {
    if (index >= mostDrafts - 1 || kept === undefined || isExpiredDraft(kept)) removeItem(key);
  });
}

function readSavedDraft(key: string): SavedDraft | undefined {
  try {
    const kept: unknown = JSON.parse(readItem(key) ?? 'null');
    return typeof kept === 'object' &&
      kept !== null &&
      'at' in kept &&
      typeof kept.at === 'number' &&
      'value' in kept
      ? {at: kept.at, value: kept.value}
      : undefined;
  } catch {
    return undefined;
  }
}

function isExpiredDraft({at}: SavedDraft): boolean {
  return Date.now() - at > lives;
}
