import type {Standup} from '../../domain/standups/standup.js';
import type {Call} from '../../domain/core/access.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import type {LogEntry} from '../../domain/events/event.js';
import {suffixOf, type Id, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {limits, streaming} from '../../domain/core/limits.js';
import {positionOf, parseSequenceOfPosition, type Row} from '../../domain/core/lists.js';
import {parseWire, readIdOfWireJson, type WireJson} from '../../domain/core/resource.js';
import type {Records} from '../../store/core/records.js';
import type {ServiceContext} from '../core/context.js';
import {findNamedTeams} from '../core/named-team.js';
import type {TeamReader} from '../core/reach.js';
import {createStoreUnavailableError} from '../core/admission.js';
import {createLogPositionLostError} from '../events/event-stream.js';
import {
  chooseStandupLists,
  createRowFilter,
  createStandupScanner,
  type StandupFilter,
} from './standup-list.js';
import {createShownFieldAdder} from './find-standup.js';

export interface StandupExport {
  /** The UTC date on which the export was started. */
  readonly day: string;
  /** Reads the next pages; each page is small, however large the export is. */
  pages: () => AsyncGenerator<readonly WireJson[], void, void>;
}

/** A filter in which the teams are given by id. */
type ExportFilter = StandupFilter & {readonly teams?: readonly Id<'team'>[] | undefined};

/**
 * Opens an export. A standup that matches during the whole export is in it once, even if its date changes
 * meanwhile. Standups posted or changed meanwhile may be in it. Ends with an error if the token expires or is
 * revoked. Errors: `team_not_found`.
 */
export type ExportStandups = (
  call: Call,
  filter: StandupFilter,
  /** Returns the reader of the standups: by default the caller. */
  readFor?: (call: Call) => TeamReader,
) => Promise<StandupExport>;

export function createStandupExporter(context: ServiceContext): ExportStandups {
  const {requireStillAllowed, clock, teams, monotonic} = context;
  const addShownFields = createShownFieldAdder(context);
  const scanStandups = createStandupScanner(context);

  async function* readPages(
    call: Call,
    filter: ExportFilter,
    readFor: (call: Call) => TeamReader,
  ): AsyncGenerator<readonly WireJson[], void, void> {
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    const moves = await trackMovedStandups(context, step(), filter, readFor);
    const show = (rows: readonly WireJson<Standup>[]) =>
      addShownFields({...step(), principal: call.principal}, rows);
    let past: number | undefined;
    do {
      const now = step();
      const [{rows, next}] = await Promise.all([
        scanStandups(readFor(now), {...filter, past, limit: limits.pageMax}),
        requireStillAllowed(now),
      ]);
      // Changes of standups' dates are read after the rows. So every change whose effect the rows already
      // show is known.
      await moves.catchUp(step(), rows, {past, next});
      // An empty page is returned too, so that the consumer can notice in between that the client has gone.
      yield await show(rows.filter((row) => moves.takes(row)).map(({json}) => json));
      past = next;
    } while (past !== undefined);
    for await (const row of moves.leftBehind(step)) yield await show([row]);
  }

  return async function exportStandups(call, filter, readFor = (reader) => reader) {
    const named = await findNamedTeams(teams, readFor(call), filter.teams);
    // The teams are known by id from here on, since their slugs may change during the export.
    return {
      day: toInstant(clock.now()).slice(0, 10),
      pages: () => readPages(call, {...filter, teams: named?.map(({id}) => id)}, readFor),
    };
  };
}

/** The maximum number of changed dates that an export remembers. */
const maxMoves = 10_000;

/** The positions in the list between which a page of rows was read. */
interface PageRange {
  readonly past: number | undefined;
  readonly next: number | undefined;
}

/**
 * Tracks the standups whose date changes during the export. The list is sorted by day, so such a standup may
 * move between its exported part and the rest. The event log contains all of these changes.
 */
async function trackMovedStandups(
  {records, events, teams}: ServiceContext,
  begin: Call,
  filter: ExportFilter,
  readFor: (call: Call) => TeamReader,
) {
  const {workspace} = begin;
  const inLists = chooseStandupLists(filter.teams, filter.author);
  const states = new Map<IdSuffix<'standup'>, 'shown' | 'here' | 'missing'>();
  const end = await events.findEnd(workspace, begin.deadline);
  if (end === undefined) throw createStoreUnavailableError();
  let position = end;

  /** True if the export had passed this position before `boundary`, the end of a page. */
  const isBehind = (position: number, boundary: number | undefined, whenNone: boolean): boolean => {
    if (boundary === undefined) return whenNone;
    return filter.order === 'asc' ? position <= boundary : position >= boundary;
  };

  /** Returns the position of a standup in the list that has it; undefined if none of them does. */
  async function findListed(suffix: IdSuffix<'standup'>, deadline: number): Promise<number | undefined> {
    const found = await Promise.all(
      inLists.map((list) => records.findPosition(workspace, list, suffix, deadline)),
    );
    return found.find((listed) => listed !== undefined);
  }

  async function noteMove(
    {about: subject, revision}: LogEntry,
    call: Call,
    rows: readonly Row[],
    {past, next}: PageRange,
  ) {
    const about = storedSuffix<'standup'>(subject);
    if (states.has(about)) return;
    const [before, then] = await findDatesAroundChange(records, call, about, revision);
    const position = await findListed(about, call.deadline);
    if (before === undefined || before === then || position === undefined) return;
    const was = positionOf(dayNumber(before), parseSequenceOfPosition(position));
    if (states.size >= maxMoves) {
      throw new AppError('service_unavailable', 'Too many standups changed their date during the export.');
    }
    if (isBehind(was, past, false)) states.set(about, 'shown');
    else if (isBehind(was, next, true) && rows.some((row) => row.position === was)) states.set(about, 'here');
    else states.set(about, 'missing');
  }

  return {
    /** Reads the changes up to now. `rows`: the rows that have just been read. */
    async catchUp(call: Call, rows: readonly Row[], span: PageRange): Promise<void> {
      for (;;) {
        const entries = await events.readOn(workspace, position, limits.pageMax, call.deadline);
        if (entries === undefined) throw createLogPositionLostError();
        for (const entry of entries) {
          if (entry.type === 'standup.updated') await noteMove(entry, call, rows, span);
        }
        position = entries.at(-1) ?? position;
        if (entries.length < limits.pageMax) return;
      }
    },
    /** Returns true if a row that was just read still has to be written to the export. */
    takes({json}: Row): boolean {
      const suffix = standupSuffixOf(json);
      const state = states.get(suffix);
      if (state === undefined) return true;
      states.set(suffix, 'shown');
      return state !== 'shown';
    },
    /** Returns the standups that have moved into the part of the list that was exported already. */
    async *leftBehind(step: () => Call): AsyncGenerator<WireJson<Standup>, void, void> {
      for (const [suffix, state] of states) {
        if (state !== 'missing') continue;
        const call = step();
        const {deadline} = call;
        const [directory, position, standup] = await Promise.all([
          teams.of(readFor(call)),
          findListed(suffix, deadline),
          records.findBySuffix(workspace, suffix, deadline),
        ]);
        if (position === undefined || standup === undefined) continue;
        const json = JSON.stringify(standup);
        const isAlive = (team: string) => directory.byReference(team) !== undefined;
        const keeps = createRowFilter(filter, filter.teams, isAlive);
        const {dateFrom = standup.date, dateTo = standup.date} = filter;
        const inRange = standup.date >= dateFrom && standup.date <= dateTo;
        if (inRange && keeps({position, json})) yield json;
      }
    },
  };
}

async function findDatesAroundChange(
  records: Records,
  {workspace, deadline}: Call,
  suffix: IdSuffix<'standup'>,
  revision: number,
): Promise<(string | undefined)[]> {
  const refs = [revision - 1, revision].map((number) => ({suffix, revision: number}));
  const found = await records.findRevisions(workspace, refs, deadline);
  return found.map((json) => (json === undefined ? undefined : parseWire(json).date));
}

const standupSuffixOf = (json: WireJson) => suffixOf<'standup'>(readIdOfWireJson(json));
