export const blockerStates = ['open', 'acknowledged', 'resolved'] as const;
export type ShownState = (typeof blockerStates)[number];

/** Filters of the blockers page, as the page's address stores them. */
export interface BlockersSearch {
  /** Slug of one team, or `everyTeam`; undefined for the viewer's own teams. */
  readonly team?: string | undefined;
  /** State of the blockers shown; undefined for open blockers. */
  readonly state?: ShownState | undefined;
  /** Id of the member whose blockers are shown. */
  readonly author?: string | undefined;
  /** Id of the only blocker shown, for links to that blocker. */
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

/** True for a slug or id. The router parses a slug of digits as a number. */
function isReference(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
