export const blockerStates = ['open', 'acknowledged', 'resolved'] as const;
export type ShownState = (typeof blockerStates)[number];

/** Means all teams of the workspace; it is not a valid slug. */
export const everyTeam = '*';

/** The choice of blockers in the page's address. */
export interface BlockersSearch {
  /** Slug of one team, or `everyTeam`; undefined: the viewer's own teams. */
  readonly team?: string | undefined;
  /** Undefined: open. */
  readonly state?: ShownState | undefined;
  /** Id of a member. */
  readonly author?: string | undefined;
  /** Id of the only blocker shown, in links to it. */
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

/** The router parses a slug of digits as a number. */
function isReference(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
