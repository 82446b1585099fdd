// Words that are typed but not posted. They stay in this browser, and all of its tabs have the same.
import {newKey} from '../api/new-key.ts';
import {useEffect, useState} from 'react';
import {dropDraft, keepDraft, readDraft} from '../api/drafts.ts';
import type {Schema} from '../api/schema.ts';
import {isBlank, type Values} from './compose.ts';

export interface Draft {
  /** When it was typed in last. */
  readonly at: string;
  /** The idempotency key of the standup that it becomes: whatever is tried again with it is made once. */
  readonly key: string;
  /** All that was typed or chosen, without what was there by itself. */
  readonly values: Values;
  readonly teams: readonly string[];
  /** A day that was chosen; null for the one that it would be for by itself. */
  readonly date: string | null;
  /** By the team's slug: the day that it was for by itself when it was begun. Midnight does not change it. */
  readonly days: Readonly<Record<string, string>>;
  /** Blockers that are ticked as over. */
  readonly resolved: readonly string[];
  /** Bodies that may have arrived under the key, the earliest first. */
  readonly sent: readonly unknown[];
  /** The questions that it answers, to know the words of one that is not asked any more. */
  readonly questions: readonly Schema<'Question'>[];
  /** The revision that an edit began with. */
  readonly revision?: number;
}

export const newPlace = (team: string): string => `write:${team}`;
export const editPlace = (standup: string): string => `edit:${standup}`;

export function beginDraft(given: Partial<Draft> = {}): Draft {
  return {
    at: new Date().toISOString(),
    key: newKey(),
    values: {},
    teams: [],
    date: null,
    days: {},
    resolved: [],
    sent: [],
    questions: [],
    ...given,
  };
}

/** Whether there is something in it that would be a pity to lose. */
export function isWorthKeeping({values, resolved, sent}: Draft): boolean {
  return Object.values(values).some((value) => !isBlank(value)) || resolved.length > 0 || sent.length > 0;
}

export function keep(place: string, draft: Draft): boolean {
  if (isWorthKeeping(draft)) return keepDraft(place, draft);
  dropDraft(place);
  return true;
}

export function findDraft(place: string): Draft | undefined {
  const found = readDraft<Partial<Draft>>(place);
  const isDraft =
    typeof found?.key === 'string' && typeof found.values === 'object' && Array.isArray(found.teams);
  return isDraft ? beginDraft(found) : undefined;
}

const rebased = new Set<(place: string) => void>();

/**
 * An edit has been made, and somebody typed on while it was on its way: from now on that rests on what the
 * edit made.
 */
export function rebase(place: string, {key}: Draft, revision: number): void {
  const found = findDraft(place);
  if (found?.key !== key) return;
  keep(place, {...found, key: newKey(), sent: [], revision});
  for (const look of rebased) look(place);
}

export interface DraftInHand {
  readonly draft: Draft;
  /** It was there when the panel was opened, or came from another tab. */
  readonly isFound: boolean;
  /** False when the browser would not keep it. */
  readonly isKept: boolean;
  readonly change: (change: Partial<Draft>) => void;
  readonly startOver: () => void;
}

/**
 * The draft of a place: kept with every letter, and followed while another tab types in it, or it is rebased.
 */
export function useDraft(place: string, fresh: Partial<Draft>): DraftInHand {
  const [held, setHeld] = useState(() => hold(place, fresh));
  useEffect(() => {
    const look = ({key}: StorageEvent): void => {
      if (key?.endsWith(`:${place}`) === true) setHeld(hold(place, fresh));
    };
    const lookAgain = (at: string): void => {
      if (at === place) setHeld(({isFound}) => ({...hold(place, fresh), isFound}));
    };
    window.addEventListener('storage', look);
    rebased.add(lookAgain);
    return () => {
      window.removeEventListener('storage', look);
      rebased.delete(lookAgain);
    };
  });
  const change = (given: Partial<Draft>): void => {
    const draft = {...held.draft, at: new Date().toISOString(), ...given};
    setHeld({...held, draft, isKept: keep(place, draft)});
  };
  const startOver = (): void => {
    dropDraft(place);
    setHeld(hold(place, fresh));
  };
  return {...held, change, startOver};
}

function hold(place: string, fresh: Partial<Draft>) {
  const found = findDraft(place);
  return {draft: found ?? beginDraft(fresh), isFound: found !== undefined, isKept: true};
}

/** Two drafts of one place in one: nothing of either is lost. */
export function joinDrafts(first: Draft, second: Draft | undefined): Draft {
  if (second === undefined) return first;
  const values: Record<string, Values[string]> = {...first.values};
  for (const [id, value] of Object.entries(second.values)) {
    const before = values[id];
    const isText = typeof before === 'string' && typeof value === 'string';
    if (isText && !isBlank(before) && !isBlank(value) && before !== value) values[id] = `${before}\n${value}`;
    else if (!isBlank(value)) values[id] = value;
  }
  return {...first, values};
}
