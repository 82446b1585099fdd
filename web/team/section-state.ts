// The draft of a section of the settings beside the saved values, which other people change too.
import {Problem} from '../api/problem.ts';

export interface SectionDraft<Draft> {
  readonly draft: Draft;
  /** The team's saved values when the draft was started. */
  readonly base: Draft;
}

export interface SectionState<Draft> {
  readonly draft: Draft;
  readonly isChanged: boolean;
  /** Another person has saved other values since the draft was started. */
  readonly isMoved: boolean;
  /** The draft has become what is saved: it must not be kept for a later state. */
  readonly isOver: boolean;
}

export function sectionStateOf<Draft>(
  kept: SectionDraft<Draft> | undefined,
  own: Draft,
): SectionState<Draft> {
  if (kept === undefined) return {draft: own, isChanged: false, isMoved: false, isOver: false};
  const isChanged = !isSame(kept.draft, own);
  return {
    draft: kept.draft,
    isChanged,
    isMoved: isChanged && !isSame(kept.base, own),
    isOver: !isChanged,
  };
}

/** The draft to keep once `next` was typed; none when nothing differs from the saved values. */
export function draftAfterTyping<Draft>(
  next: Draft,
  own: Draft,
  kept: SectionDraft<Draft> | undefined,
): SectionDraft<Draft> | undefined {
  return isSame(next, own) ? undefined : {draft: next, base: kept?.base ?? own};
}

/** Text typed during the save becomes a draft on top of the saved values. */
export function draftAfterSave<Draft>(
  typed: Draft,
  sent: Draft,
  saved: Draft,
): SectionDraft<Draft> | undefined {
  return isSame(typed, sent) ? undefined : {draft: typed, base: saved};
}

/**
 * Retries on the newest revision when another person has saved other settings in between. Resolves to
 * undefined when they saved the same ones.
 */
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

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
