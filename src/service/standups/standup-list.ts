import type {PrincipalId} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {removeMarks} from '../../domain/core/markdown.js';
import {createSearchTextNormalizer} from '../../domain/core/text.js';
import {
  type ListName,
  type ListQuery,
  lists,
  type Page,
  type PageQuery,
  positionOf,
  type Row,
} from '../../domain/core/lists.js';
import type {Standup, ShownStandup} from '../../domain/standups/standup.js';
import {
  addFieldsToWireJson,
  parseWire,
  readTextFieldOfJson,
  type WireJson,
} from '../../domain/core/resource.js';
import {presentThread} from '../../domain/standups/thread.js';
import {requireNamedTeams, type Team} from '../../domain/teams/team.js';
import type {Id} from '../../domain/core/ids.js';
import type {TeamReader} from '../core/reach.js';
import type {ReachedTeams} from '../core/reached-teams.js';
import type {StandupPage} from '../../store/standups/standup-pages.js';
import type {ServiceContext} from '../core/context.js';
import {scanPages} from '../core/paging.js';
import {createShownFieldAdder} from './find-standup.js';

/** Filters for standups; a field that is left out filters nothing. */
export interface StandupFilter {
  /** The ids or slugs of teams; upper and lower case are the same. */
  readonly teams?: readonly string[] | undefined;
  readonly author?: PrincipalId | undefined;
  /** The first and the last date; both are included. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** The range of creation times; both ends are excluded. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly source?: string | undefined;
  /** A part of the text; upper and lower case are the same. */
  readonly text?: string | undefined;
  /** The order: `desc` (newest first, the default) or `asc`. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface StandupQuery extends StandupFilter, PageQuery {}

/** A filter that names its author by id, e-mail address, Slack user or `me`. */
export type WithAuthorReference<F extends StandupFilter> = Omit<F, 'author'> & {
  readonly author?: string | undefined;
};

export interface StandupScan extends Page<ShownRow> {
  /** A token that identifies the content of this page, if the whole result fitted into one page. */
  readonly mark?: string;
  /** True if the content is still that of the token (`mark`) of the caller. Then there are no rows. */
  readonly unchanged?: boolean;
}

type ShownRow = StandupPage['rows'][number];

/** A page with a token (`mark`) by which a client recognises that nothing has changed. */
export interface MarkedPage extends Page<WireJson<ShownStandup>>, Pick<StandupScan, 'mark' | 'unchanged'> {}

/** The time (ms) of scanning before other work may run. One row may take 6 ms. */
const sliceMs = 4;

/**
 * Creates the function that reads standups by day, then by creation time. If no stored list fits the filter,
 * each row is checked. A page may then have fewer rows than requested, or none, and still be followed by
 * another page; the same after half of the time is used. Includes each standup's Slack message, unless the
 * filter needs such a check. Errors: `team_not_found`.
 */
export function createStandupScanner({monotonic, nextSlice, standupPages, teams}: ServiceContext) {
  return async function scanStandups(
    access: TeamReader,
    query: StandupQuery,
    options: {readonly shown: boolean; readonly known?: string | undefined} = {shown: false},
  ): Promise<StandupScan> {
    const {workspace, deadline} = access;
    let directory = await findTeams(teams, access, query.teams);
    let named = listIds(requireNamedTeams(directory, query.teams, access));
    const pages: StandupPage[] = [];
    const begun = monotonic();
    // Half of the time is left for presenting the rows. A page that has a mark is complete.
    const until = begun + (deadline - begun) / 2;

    /** Returns the store's mark of a known page, if the page was of the same private teams. */
    function findKnown(): string | undefined {
      const [mark, reach] = options.known?.split(markEnd) ?? [];
      return reach === directory.reach ? mark : undefined;
    }

    async function readStandupPage(part: PageQuery): Promise<StandupPage> {
      const range = {...computeListRange(query, chooseStandupLists(named, query.author)), ...part};
      const page = await standupPages.read(workspace, range, {...options, known: findKnown()}, deadline);
      if (!page.unchanged && page.teams !== directory.version) {
        directory = await teams.ofAt(access, page.teams);
        const before = named;
        named = listIds(requireNamedTeams(directory, query.teams, access));
        if (named?.join() !== before?.join()) return readStandupPage(part);
      }
      pages.push(page);
      return page;
    }

    const scanned = await scanPages(readStandupPage, query, async (rows) => {
      const keeps = createRowFilter(query, named, (id) => directory.byReference(id) !== undefined);
      const kept: (ShownRow | undefined)[] = [];
      let slice = monotonic();
      for (const row of rows) {
        kept.push(keeps(row) ? row : undefined);
        const now = monotonic();
        if (now > until && filterDropsRows(query)) break;
        if (now - slice < sliceMs) continue;
        await nextSlice(workspace);
        slice = monotonic();
      }
      return kept;
    });
    const [first, second] = pages;
    if (first === undefined || second !== undefined) return scanned;
    const {unchanged} = first;
    const mark = first.mark && {mark: `${first.mark}${markEnd}${directory.reach}`};
    return {...scanned, ...(!filterDropsRows(query) && mark), ...(unchanged && {...mark, unchanged})};
  };
}

/** Stands between the store's mark of a page and the private teams in it. */
const markEnd = '\n';

/** Creates the function that lists standups as the API shows them. Errors: `team_not_found`. */
export function createStandupLister(
  context: ServiceContext,
): (access: TeamReader, query: StandupQuery) => Promise<Page<WireJson<Standup>>> {
  const scanStandups = createStandupScanner(context);
  return async function listStandups(access, query) {
    const {rows, next} = await scanStandups(access, query);
    return {rows: rows.map(({json}) => json), next};
  };
}

/** Creates the function that lists shown standups. `known`: the caller's token (`mark`) of a page. */
export function createShownStandupLister(
  context: ServiceContext,
): (access: TeamReader, query: StandupQuery, known?: string) => Promise<MarkedPage> {
  const addShownFields = createShownFieldAdder(context);
  const scanStandups = createStandupScanner(context);
  return async function listShownStandups(access, query, known) {
    const shown = !filterDropsRows(query);
    const {rows, ...page} = await scanStandups(access, query, {shown, known});
    const shownRows = shown
      ? rows.map(({json, slack, thread}) =>
          addFieldsToWireJson(json, {slack, thread: presentThread(thread, access.principal?.id)}),
        )
      : await addShownFields(
          access,
          rows.map(({json}) => json),
        );
    return {...page, rows: shownRows};
  };
}

const listIds = (teams: readonly Team[] | undefined) => teams?.map(({id}) => id);

/** Chooses the smallest stored lists that together contain all matching standups. `teams`: their ids. */
export function chooseStandupLists(
  teams: readonly Id<'team'>[] | undefined,
  author: PrincipalId | undefined,
): readonly ListName<'standup'>[] {
  if (author !== undefined) return [lists.standupsOfAuthor(author)];
  return teams?.map(lists.standupsOfTeam) ?? [lists.standups()];
}

/** Returns true if the filter leaves out rows of the list that the caller may see. */
function filterDropsRows({teams, author, createdAfter, createdBefore, source, text}: StandupFilter): boolean {
  const others = [createdAfter, createdBefore, source, text].some((given) => given !== undefined);
  return others || (teams !== undefined && author !== undefined);
}

/**
 * Creates the function that checks whether a row matches. `teams`: the ids of the requested teams. A row is
 * parsed only if the list alone does not guarantee the match.
 */
export function createRowFilter(
  {author, createdAfter, createdBefore, source, text}: StandupFilter,
  teams: readonly string[] | undefined,
  isAlive: (team: string) => boolean,
): (row: Row<Standup>) => boolean {
  const mixed = teams === undefined || author !== undefined;
  const parsed = [createdAfter, createdBefore, source, text].some((given) => given !== undefined);
  const fold = createSearchTextNormalizer();
  const wanted = text === undefined ? undefined : fold(text);
  // The key of an author's list has only half of the author's id, so the list may be another author's. All
  // rows of a list have the same author: comparing the whole id with one row is enough.
  let isTheirs = author === undefined ? true : undefined;
  /** In Markdown, a phrase is found also where marks interrupt it. Parsing all rows would take too long. */
  const says = ({update, format}: Standup, phrase: string) =>
    fold(update).includes(phrase) || (format === 'markdown' && fold(removeMarks(update)).includes(phrase));
  const isWanted = (standup: Standup) =>
    (createdAfter === undefined || standup.created_at > createdAfter) &&
    (createdBefore === undefined || standup.created_at < createdBefore) &&
    (source === undefined || standup.source === source) &&
    (wanted === undefined || says(standup, wanted));
  return ({json}) => {
    isTheirs ??= parseWire(json).author.id === author;
    if (!isTheirs) return false;
    const own = mixed || parsed ? readTextFieldOfJson(json, 'team_id') : '';
    if (own !== '' && !(isAlive(own) && (teams?.includes(own) ?? true))) return false;
    return !parsed || isWanted(parseWire(json));
  };
}

/** Finds the teams, perhaps from a cache. If the filter names an unknown team, the teams are read again. */
async function findTeams(teams: ReachedTeams, reader: TeamReader, references: readonly string[] = []) {
  const known = await teams.peekOf(reader);
  const suffices = known !== undefined && references.every((name) => known.byReference(name) !== undefined);
  return suffices ? known : teams.of(reader);
}

function computeListRange({dateFrom, dateTo, order}: StandupFilter, list: readonly ListName[]) {
  return {
    list,
    upward: order === 'asc',
    ...(dateFrom !== undefined && {from: positionOf(dayNumber(dateFrom), 0)}),
    ...(dateTo !== undefined && {to: positionOf(dayNumber(dateTo) + 1, 0)}),
  } satisfies Partial<ListQuery>;
}
