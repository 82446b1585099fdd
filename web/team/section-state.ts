// Compares the draft of a settings section with the saved values, which other people may change meanwhile.
import {Problem} from '../api/problem.ts';

export interface SectionDraft<Draft> {
  readonly draft: Draft;
  /** The team's saved values at the time when the draft was started. */
  readonly base: Draft;
}

/** `isMoved`: another person has saved other values. `isOver`: the draft equals the saved values. */
export function computeSectionState<Draft>(kept: SectionDraft<Draft> | undefined, own: Draft) {
  if (kept === undefined) return {draft: own, isChanged: false, isMoved: false, isOver: false};
  const isChanged = !isSameJson(kept.draft, own);
  return {
    draft: kept.draft,
    isChanged,
    isMoved: isChanged && !isSameJson(kept.base, own),
    isOver: !isChanged,
  };
}

/** Returns the draft to store after typing `next`; undefined if `next` equals the saved values. */
export function computeDraftAfterTyping<Draft>(
  next: Draft,
  own: Draft,
  kept: SectionDraft<Draft> | undefined,
): SectionDraft<Draft> | undefined {
  return isSameJson(next, own) ? undefined : {draft: next, base: kept?.base ?? own};
}

/** Returns the draft to store after a save: the text typed during it, or undefined without any. */
export function computeDraftAfterSave<Draft>(
  typed: Draft,
  sent: Draft,
  saved: Draft,
): SectionDraft<Draft> | undefined {
  return isSameJson(typed, sent) ? undefined : {draft: typed, base: saved};
}

/** Saves settings, again on a newer revision; undefined if another person changed the same settings. */
export async function saveWithRetries<Thing extends {readonly revision: number}>(
  {revision: first}: Thing,
  {
    send,
    readNewest,
    isUntouched,
  }: {
    readonly send: (revision: number) => Promise<Thing>;
    readonly readNewest: () => Promise<Thing>;
    readonly isUntouched: (newest: Thing) => boolean;
  },
): Promise<Thing | undefined> {
  let revision = first;
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(revision);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412 || tries === 3) throw error;
      const newest = await readNewest();
      if (!isUntouched(newest)) return undefined;
      revision = newest.revision;
    }
  }
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
