// Words that somebody types stay in this browser until they are posted, or until they sign out.

import {forget, keep, listKept, readKept} from './storage.ts';

const prefix = 'standup:draft:';
const mostDrafts = 20;
const longest = 100_000;
const lives = 30 * 24 * 3_600_000;

interface Kept {
  readonly at: number;
  readonly value: unknown;
}

let owner: string | undefined;

/** Drafts are a member's own: called once it is known who is signed in. */
export function draftsBelongTo(memberId: string | undefined): void {
  owner = memberId;
}

/**
 * The draft of a place, such as `write:platform:2026-11-20`. It was this browser's own words: take it with
 * care.
 */
export function readDraft<Value = unknown>(place: string): Value | undefined {
  const key = keyOf(place);
  const kept = key === undefined ? undefined : read(key);
  return kept === undefined || isOld(kept) ? undefined : (kept.value as Value);
}

/** Answers whether it is kept: a browser may refuse, and a draft has a greatest length. */
export function keepDraft(place: string, value: unknown): boolean {
  const key = keyOf(place);
  const text = JSON.stringify({at: Date.now(), value});
  if (key === undefined || text.length > longest) return false;
  const isKept = keep(key, text);
  makeRoom(key);
  return isKept;
}

export function dropDraft(place: string): void {
  const key = keyOf(place);
  if (key !== undefined) forget(key);
}

/** At sign-out: nobody's drafts stay in this browser. */
export function dropAllDrafts(): void {
  for (const key of listKept(prefix)) forget(key);
}

function keyOf(place: string): string | undefined {
  return owner === undefined ? undefined : `${prefix}${owner}:${place}`;
}

/** The oldest go first; the one that is being typed stays. */
function makeRoom(current: string): void {
  const others = listKept(prefix)
    .filter((key) => key !== current)
    .map((key) => ({key, kept: read(key)}))
    .toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));
  others.forEach(({key, kept}, place) => {
    if (place >= mostDrafts - 1 || kept === undefined || isOld(kept)) forget(key);
  });
}

function read(key: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(readKept(key) ?? 'null');
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

function isOld({at}: Kept): boolean {
  return Date.now() - at > lives;
}
