// Decides which help the first run shows on Today.
import type {Schema} from '../../api/schema.ts';

export type SetupStep = Readonly<Schema<'Setup'>['steps'][number]>;
type Steps = readonly SetupStep[];

/** `checklist`: in place of the board. `card`: beside it. `welcome`: the lines for a new member. */
export type Guide = 'checklist' | 'card' | 'welcome';

/** Lists the steps that a person may still take. */
export function listLeftSteps(steps: Steps, skips: ReadonlySet<string>): Steps {
  return steps.filter(({step, state}) => state === 'open' && !skips.has(step));
}

/** Counts the steps that are done, of those that are needed here. */
export function countSteps(steps: Steps): {readonly done: number; readonly all: number} {
  const needed = steps.filter(({state, optional}) => state !== 'off' && !optional);
  return {done: needed.filter(({state}) => state === 'done').length, all: needed.length};
}

interface GuideViewer {
  readonly isManager: boolean;
  readonly skips: ReadonlySet<string>;
  /** True if the board has a standup: of anyone, for a member their own. The service may not know it yet. */
  readonly hasPosted: boolean;
}

/** Returns which guide to show; undefined if nothing of it is left to do. */
export function chooseGuide(steps: Steps, {isManager, skips, hasPosted}: GuideViewer): Guide | undefined {
  const isFirst = !hasPosted && steps.some(({step, state}) => step === 'first_standup' && state === 'open');
  if (!isManager) return isFirst && !skips.has('welcome') ? 'welcome' : undefined;
  if (listLeftSteps(steps, skips).every(({optional}) => optional)) return undefined;
  return isFirst ? 'checklist' : 'card';
}
