import type {InfiniteData} from '@tanstack/react-query';
import type {Blocker, Me, Schema} from '../api/schema.ts';
import type {ShownState} from './search.ts';

export interface BlockerListFilter {
  /** Slugs of the chosen teams; undefined for every team of the workspace. */
  readonly teams: readonly string[] | undefined;
  readonly state: ShownState;
  readonly author?: string | undefined;
}

/** Blockers that one load has returned, and a cursor for each list that has more of them. */
export interface BlockerPage {
  readonly rows: readonly Blocker[];
  readonly next: readonly PageCursor[];
}

export interface PageCursor {
  /** Slug of the team that this cursor continues; undefined for the list of all teams. */
  readonly team: string | undefined;
  readonly cursor: string | undefined;
}

export function matchesBlockerFilter(blocker: Blocker, {teams, state, author}: BlockerListFilter): boolean {
  if (teams !== undefined && !teams.includes(blocker.team)) return false;
  if (author !== undefined && blocker.author.id !== author) return false;
  return state === 'open' ? blocker.state !== 'resolved' : blocker.state === state;
}

/** The loaded blockers that match the filter, each once: longest open or latest resolved first. */
export function listMatchingBlockers(
  pages: readonly BlockerPage[],
  filter: BlockerListFilter,
): readonly Blocker[] {
  const known = new Map(pages.flatMap(({rows}) => rows.map((row) => [row.id, row])));
  return [...known.values()]
    .filter((row) => matchesBlockerFilter(row, filter))
    .toSorted(createBlockerComparer(filter));
}

function createBlockerComparer({state}: BlockerListFilter): (a: Blocker, b: Blocker) => number {
  if (state === 'resolved') return (a, b) => (b.resolved_at ?? '').localeCompare(a.resolved_at ?? '');
  return (a, b) => a.created_at.localeCompare(b.created_at);
}

/** Replaces a blocker in a list, or inserts a new blocker that matches the filter. */
export function putBlocker(
  data: InfiniteData<BlockerPage>,
  filter: BlockerListFilter,
  blocker: Blocker,
): InfiniteData<BlockerPage> {
  const isThere = data.pages.some(({rows}) => rows.some(({id}) => id === blocker.id));
  if (!isThere && !matchesBlockerFilter(blocker, filter)) return data;
  const pages = data.pages.map((page, i) => ({
    ...page,
    rows:
      isThere || i > 0
        ? page.rows.map((row) => (row.id === blocker.id ? blocker : row))
        : [blocker, ...page.rows],
  }));
  return {...data, pages};
}

/** Predicts the blocker that the service will return after a change. */
export function predictChangedBlocker(
  blocker: Blocker,
  {text = blocker.text, state}: Schema<'BlockerChange'>,
  {principal}: Pick<Me, 'principal'>,
): Blocker {
  const by = {type: principal.type, id: principal.id, name: principal.name};
  const at = new Date().toISOString();
  switch (state) {
    case 'acknowledged':
      return {...blocker, text, state, acknowledged_by: by, acknowledged_at: at};
    case 'resolved':
      return {...blocker, text, state, resolved_by: by, resolved_at: at};
    case 'raised': {
      const none = {acknowledged_by: null, acknowledged_at: null, resolved_by: null, resolved_at: null};
      return {...blocker, text, state, ...none};
    }
    default:
      return {...blocker, text};
  }
}

/** Lists the state changes that bring a blocker back to its state before a change. */
export function planBlockerRestoration(
  before: Blocker,
  now: Blocker,
  {principal}: Pick<Me, 'principal'>,
): readonly ('raised' | 'acknowledged' | 'resolved')[] {
  if (now.state !== 'resolved') return [before.state === 'resolved' ? 'resolved' : 'raised'];
  return before.acknowledged_by?.id === principal.id ? ['raised', 'acknowledged'] : ['raised'];
}
