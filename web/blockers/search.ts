export const blockerStates = ['open', 'acknowledged', 'resolved'] as const;
export type ShownState = (typeof blockerStates)[number];

/** Stands for all teams of the workspace; no slug is like it. */
export const everyTeam = '*';

/** Which blockers a page shows, as its address says it. */
export interface BlockersSearch {
  /** Slug of one team, or `everyTeam`; left out: one's own. */
  readonly team?: string | undefined;
  /** Left out: open. */
  readonly state?: ShownState | undefined;
  /** Id of a member. */
  readonly author?: string | undefined;
  /** Id of the only one that is shown, where links to it lead. */
  readonly blocker?: string | undefined;
}

export function readBlockersSearch({team, state, author, blocker}: Record<string, unknown>): BlockersSearch {
  const shown = blockerStates.find((one) => one === state);
  return {
    ...(isReference(team) && {team: String(team)}),
    ...(shown !== undefined && shown !== 'open' && {state: shown}),
    ...(typeof author === 'string' && author !== '' && {author}),
    ...(typeof blocker === 'string' && blocker !== '' && {blocker}),
  };
}

/** The router reads a slug of digits as a number. */
function isReference(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
