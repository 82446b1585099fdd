import type {PrincipalId, Viewer} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {createTextFolder} from '../../domain/core/text.js';
import {
  type ListName,
  type ListQuery,
  lists,
  type Page,
  type PageQuery,
  positionOf,
  type Row,
} from '../../domain/core/lists.js';
import {type Standup, type ShownStandup} from '../../domain/standups/standup.js';
import {parseWire, readMemberText, type WireJson} from '../../domain/core/resource.js';
import {requireNamedTeam, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import {scanPages} from '../core/paging.js';
import {addSlackMessage, addSlackMessages, type SlackMessages} from './slack-messages.js';
import type {Teams} from '../../store/core/directories.js';
import type {StandupPage, StandupPages} from '../../store/standups/standup-pages.js';
import type {Id} from '../../domain/core/ids.js';

/** Filters for standups; a member that is left out restricts nothing. */
export interface StandupFilter {
  /** Id or slug of a team, in any case. */
  readonly team?: string | undefined;
  readonly author?: PrincipalId | undefined;
  /** Calendar days, both inclusive. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** Instants in the format of standups, both exclusive. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly source?: string | undefined;
  /** Part of the text, case-insensitive. */
  readonly text?: string | undefined;
  /** `desc`, newest first, when left out. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface StandupQuery extends StandupFilter, PageQuery {}

/** A filter that names its author by id, e-mail address, Slack user or `me`. */
export type WithAuthorReference<F extends StandupFilter> = Omit<F, 'author'> & {
  readonly author?: string | undefined;
};

export interface StandupScan extends Page<ShownRow> {
  /** The mark of the `StandupPage`, when one page was enough. */
  readonly mark?: string;
  /** The mark equals the known one: then there are no rows. */
  readonly unchanged?: boolean;
}

type ShownRow = StandupPage['rows'][number];

/** A page with a mark by which a client recognises it. */
export interface MarkedPage extends Page<WireJson<ShownStandup>>, Pick<StandupScan, 'mark' | 'unchanged'> {}

export interface ScanParts {
  /** Monotonic ms. */
  readonly monotonic: () => number;
  /** Resolves when this workspace may do its next slice of long work. */
  readonly nextSlice: (workspace?: Id<'workspace'>) => Promise<unknown>;
  readonly standupPages: StandupPages;
  readonly teams: Teams;
}

/** How long rows are scanned before other work may run: one row with many marks takes 6 ms. */
const sliceMs = 4;

/**
 * Reads standups by day, then by creation. A filter without an ordered list checks each row, so a page may
 * have fewer rows than asked for, or none, and still have a next page; the same holds for a read that has
 * used half of its time. Includes each standup's Slack message, unless there is such a filter. Errors:
 * `team_not_found`.
 */
export function createScanStandups({standupPages, teams, monotonic, nextSlice}: ScanParts) {
  return async function scanStandups(
    access: Viewer,
    query: StandupQuery,
    options: {readonly shown: boolean; readonly known?: string | undefined} = {shown: false},
  ): Promise<StandupScan> {
    const {workspace, deadline} = access;
    let directory = await findTeams(teams, access, query.team);
    let team = requireNamedTeam(directory, query.team, access);
    const pages: StandupPage[] = [];
    const begun = monotonic();
    // Half of the time is for the steps after this: presenting the rows. A page that has a mark is complete.
    const until = begun + (deadline - begun) / 2;

    async function readStandupPage(part: PageQuery): Promise<StandupPage> {
      const range = {...listRangeOf(query, chooseList(team, query.author)), ...part};
      const page = await standupPages.read(workspace, range, options, deadline);
      if (!page.unchanged && page.teams !== directory.version) {
        directory = await teams.at(workspace, page.teams, deadline);
        const before = team;
        team = requireNamedTeam(directory, query.team, access);
        if (team?.id !== before?.id) return readStandupPage(part);
      }
      pages.push(page);
      return page;
    }

    const scanned = await scanPages(readStandupPage, query, async (rows) => {
      const keeps = createRowFilter(query, team?.id, (id) => directory.byReference(id) !== undefined);
      const kept: (ShownRow | undefined)[] = [];
      let slice = monotonic();
      for (const row of rows) {
        kept.push(keeps(row) ? row : undefined);
        const now = monotonic();
        if (now > until && dropsRows(query)) break;
        if (now - slice < sliceMs) continue;
        await nextSlice(workspace);
        slice = monotonic();
      }
      return kept;
    });
    const [first, second] = pages;
    if (first === undefined || second !== undefined) return scanned;
    const {mark, unchanged} = first;
    return {...scanned, ...(!dropsRows(query) && {mark}), ...(unchanged && {mark, unchanged})};
  };
}

export type ScanStandups = ReturnType<typeof createScanStandups>;

/** Lists standups as the API shows them. Errors: `team_not_found`. */
export function createListStandups(
  parts: ScanParts,
): (access: Viewer, query: StandupQuery) => Promise<Page<WireJson<Standup>>> {
  const scanStandups = createScanStandups(parts);
  return async function listStandups(access, query) {
    const {rows, next} = await scanStandups(access, query);
    return {rows: rows.map(({json}) => json), next};
  };
}

/** The same with each standup's Slack message; `known`: the mark of a page that the caller has. */
export function createListShownStandups(
  parts: ScanParts & {readonly slackPosts: SlackMessages},
): (access: Viewer, query: StandupQuery, known?: string) => Promise<MarkedPage> {
  const scanStandups = createScanStandups(parts);
  return async function listShownStandups(access, query, known) {
    const shown = !dropsRows(query);
    const {rows, ...page} = await scanStandups(access, query, {shown, known});
    const shownRows = shown
      ? rows.map(({json, slack}) => addSlackMessage(json, slack))
      : await addSlackMessages(
          parts.slackPosts,
          access.workspace,
          rows.map(({json}) => json),
          access.deadline,
        );
    return {...page, rows: shownRows};
  };
}

/** Chooses the smallest list that contains every matching standup. */
export function chooseList(team: Pick<Team, 'id'> | undefined, author: PrincipalId | undefined): ListName {
  if (author !== undefined) return lists.standupsOfAuthor(author);
  return team === undefined ? lists.standups() : lists.standupsOfTeam(team.id);
}

/** Whether the filter drops visible rows of its list. */
function dropsRows({team, author, createdAfter, createdBefore, source, text}: StandupFilter): boolean {
  const others = [createdAfter, createdBefore, source, text].some((given) => given !== undefined);
  return others || (team !== undefined && author !== undefined);
}

/**
 * Whether a row of the list matches; `team` is the id of the requested one. Rows are parsed only for a filter
 * that the list does not fulfil by itself.
 */
export function createRowFilter(
  {author, createdAfter, createdBefore, source, text}: StandupFilter,
  team: Id<'team'> | undefined,
  isAlive: (team: string) => boolean,
): (row: Row<Standup>) => boolean {
  const mixed = team === undefined || author !== undefined;
  const parsed = [createdAfter, createdBefore, source, text].some((given) => given !== undefined);
  const fold = createTextFolder();
  const wanted = text === undefined ? undefined : fold(text);
  // A list is keyed by half of its author's id, so all of its rows are by one author.
  let isTheirs = author === undefined ? true : undefined;
  const isWanted = (standup: Standup) =>
    (createdAfter === undefined || standup.created_at > createdAfter) &&
    (createdBefore === undefined || standup.created_at < createdBefore) &&
    (source === undefined || standup.source === source) &&
    (wanted === undefined || fold(standup.update).includes(wanted));
  return ({json}) => {
    isTheirs ??= parseWire(json).author.id === author;
    if (!isTheirs) return false;
    const own = mixed || parsed ? readMemberText(json, 'team_id') : '';
    if (own !== '' && !(isAlive(own) && (team === undefined || own === team))) return false;
    return !parsed || isWanted(parseWire(json));
  };
}

/** May be out of date, except for a named team that is not known. */
async function findTeams(
  teams: Teams,
  {workspace, deadline}: Viewer,
  reference: string | undefined,
): Promise<TeamDirectory> {
  const known = teams.peek(workspace);
  const suffices = reference === undefined || known?.byReference(reference) !== undefined;
  return known !== undefined && suffices ? known : teams.fresh(workspace, deadline);
}

function listRangeOf({dateFrom, dateTo, order}: StandupFilter, list: ListName) {
  return {
    list,
    upward: order === 'asc',
    ...(dateFrom !== undefined && {from: positionOf(dayNumber(dateFrom), 0)}),
    ...(dateTo !== undefined && {to: positionOf(dayNumber(dateTo) + 1, 0)}),
  } satisfies Partial<ListQuery>;
}
