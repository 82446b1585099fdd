// Text that is typed but not posted. The draft is stored in this browser and shared by all its tabs.
import {newKey} from '../api/new-key.ts';
import {useEffect, useState} from 'react';
import {dropDraft, saveDraft, readDraft} from '../api/drafts.ts';
import type {Schema} from '../api/schema.ts';
import {convertText, type Format, isBlank, type Values} from './compose.ts';

export interface StandupDraft {
  /** Time of the last input. */
  readonly at: string;
  /** Idempotency key with which the draft will be posted. Retries with this key create only one standup. */
  readonly key: string;
  /** Input that was typed or chosen, without prefilled values. */
  readonly values: Values;
  readonly teams: readonly string[];
  /** The day chosen; null for the default day. */
  readonly date: string | null;
  /** Default day of each team when the draft was started, by team slug. It does not change at midnight. */
  readonly days: Readonly<Record<string, string>>;
  /** Ids of the blockers ticked as resolved. */
  readonly resolved: readonly string[];
  /** Request bodies sent with this key, earliest first. The service may have received any of them. */
  readonly sent: readonly unknown[];
  /** The questions that the draft answers. If a question is removed, its label is still known from here. */
  readonly questions: readonly Schema<'Question'>[];
  /** Revision of the standup on which the edit is based. */
  readonly revision?: number;
  /** The notation of the texts. Without one, that of the standup, or plain in a new standup. */
  readonly format?: Format;
}

export const buildNewStandupDraftKey = (team: string): string => `write:${team}`;
export const buildEditDraftKey = (standup: string): string => `edit:${standup}`;

export function beginDraft(given: Partial<StandupDraft> = {}): StandupDraft {
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

/** Whether the draft contains input that should not be lost. */
export function hasInputToKeep({values, resolved, sent}: StandupDraft): boolean {
  return Object.values(values).some((value) => !isBlank(value)) || resolved.length > 0 || sent.length > 0;
}

export function saveStandupDraft(draftKey: string, draft: StandupDraft): boolean {
  if (hasInputToKeep(draft)) return saveDraft(draftKey, draft);
  dropDraft(draftKey);
  return true;
}

export function findDraft(draftKey: string): StandupDraft | undefined {
  const found = readDraft<Partial<StandupDraft>>(draftKey);
  const isDraft =
    typeof found?.key === 'string' && typeof found.values === 'object' && Array.isArray(found.teams);
  return isDraft ? beginDraft(found) : undefined;
}

const rebased = new Set<(draftKey: string) => void>();

/** Moves a draft to a new revision, when its author kept typing while an edit was being saved. */
export function moveDraftToRevision(draftKey: string, {key}: StandupDraft, revision: number): void {
  const found = findDraft(draftKey);
  if (found?.key !== key) return;
  saveStandupDraft(draftKey, {...found, key: newKey(), sent: [], revision});
  for (const look of rebased) look(draftKey);
}

export interface DraftInHand {
  readonly draft: StandupDraft;
  /** True if the draft existed when the panel opened, or came from another tab. */
  readonly isFound: boolean;
  /** False when the browser refuses to store the draft. */
  readonly isKept: boolean;
  readonly change: (change: Partial<StandupDraft>) => void;
  readonly startOver: () => void;
}

/** The draft under a key, saved at each keystroke, and kept in step with the browser's other tabs. */
export function useDraft(draftKey: string, fresh: Partial<StandupDraft>): DraftInHand {
  const [held, setHeld] = useState(() => findOrCreateDraft(draftKey, fresh));
  useEffect(() => {
    const look = ({key}: StorageEvent): void => {
      if (key?.endsWith(`:${draftKey}`) === true) setHeld(findOrCreateDraft(draftKey, fresh));
    };
    const lookAgain = (at: string): void => {
      if (at === draftKey) setHeld(({isFound}) => ({...findOrCreateDraft(draftKey, fresh), isFound}));
    };
    window.addEventListener('storage', look);
    rebased.add(lookAgain);
    return () => {
      window.removeEventListener('storage', look);
      rebased.delete(lookAgain);
    };
  });
  const change = (given: Partial<StandupDraft>): void => {
    const draft = {...held.draft, at: new Date().toISOString(), ...given};
    setHeld({...held, draft, isKept: saveStandupDraft(draftKey, draft)});
  };
  const startOver = (): void => {
    dropDraft(draftKey);
    setHeld(findOrCreateDraft(draftKey, fresh));
  };
  return {...held, change, startOver};
}

function findOrCreateDraft(draftKey: string, fresh: Partial<StandupDraft>) {
  const found = findDraft(draftKey);
  return {draft: found ?? beginDraft(fresh), isFound: found !== undefined, isKept: true};
}

/** Merges two drafts under one key, and keeps all input of both. */
export function mergeDrafts(first: StandupDraft, second: StandupDraft | undefined): StandupDraft {
  if (second === undefined) return first;
  const format = first.format === 'markdown' || second.format === 'markdown' ? 'markdown' : undefined;
  const {values: before} = convertDraft(first, format);
  const {values: after} = convertDraft(second, format);
  return {...first, ...(format && {format}), values: mergeValues(before, after)};
}

function mergeValues(first: Values, second: Values): Values {
  const values: Record<string, Values[string]> = {...first};
  for (const [id, value] of Object.entries(second)) {
    const before = values[id];
    const isText = typeof before === 'string' && typeof value === 'string';
    if (isText && !isBlank(before) && !isBlank(value) && before !== value) values[id] = `${before}\n${value}`;
    else if (!isBlank(value)) values[id] = value;
  }
  return values;
}

/** Writes the texts of a draft in Markdown, if that is the wanted notation and they are plain. */
export function convertDraft(draft: StandupDraft, format: string | undefined): StandupDraft {
  if (format !== 'markdown' || draft.format === 'markdown') return draft;
  const isNumber = (id: string) => draft.questions.some(({key, type}) => key === id && type === 'number');
  const values = Object.entries(draft.values).map(([id, value]) => [
    id,
    typeof value === 'string' && !isNumber(id) ? convertText(value, draft.format, format) : value,
  ]);
  return {...draft, format, values: Object.fromEntries(values) as Values};
}
