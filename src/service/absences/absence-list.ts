import type {Id} from '../../domain/core/ids.js';
import type {Call, Caller, PrincipalId, Viewer} from '../../domain/core/access.js';
import {type Absence, type AbsenceKind, overlapsPeriod} from '../../domain/absences/absence.js';
import {dayNumber} from '../../domain/core/dates.js';
import {limits, streaming} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery, positionOf} from '../../domain/core/lists.js';
import {parseWire, type WireJson} from '../../domain/core/resource.js';
import type {Records} from '../../store/core/records.js';
import {listAllRecords, listRecords, scanPages} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {findNamedTeam} from '../core/named-team.js';
import {createAbsenceReasons} from './absence-reasons.js';

/** Filters for absences; a field that is left out filters nothing. */
export interface AbsenceQuery extends PageQuery {
  /** The member: an id, an e-mail address, a Slack user or `me`. */
  readonly member?: string | undefined;
  /** The id or slug of a team: only absences of its members that apply in this team. */
  readonly team?: string | undefined;
  readonly kind?: AbsenceKind | undefined;
  /** Only absences with at least one day in this range. The first and the last day are included. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const readAtOnce = 100;

/**
 * Lists absences, those with the latest end first. A page may have fewer rows than requested and still be
 * followed by another page.
 */
export function createAbsenceLister(context: ServiceContext) {
  const {records, teams} = context;
  const {createShow} = createAbsenceReasons(context);
  return async function listAbsences(
    access: Caller,
    query: AbsenceQuery & {readonly member?: Id<'member'> | undefined},
  ): Promise<Page<WireJson<Absence>>> {
    const {workspace, deadline} = access;
    const {member, kind, from, until} = query;
    const team = (await findNamedTeam(teams, access, query.team))?.id;
    const list = member === undefined ? lists.absences() : lists.absencesOf(member);
    const bottom = from === undefined ? undefined : positionOf(dayNumber(from), 0);

    const show = await createShow(access);
    /** Leaves out the absences of private teams that the caller may not see. */
    async function leaveOutHidden(
      rows: readonly WireJson<Absence>[],
    ): Promise<ReadonlySet<WireJson<Absence>>> {
      const ofTeams = rows.map((json) => parseWire(json).team_id ?? undefined);
      const hidden = await teams.listHidden(
        access,
        ofTeams.filter((id) => id !== undefined),
      );
      return new Set(rows.filter((_, i) => ofTeams[i] === undefined || !hidden.has(ofTeams[i])));
    }

    async function matchesQuery(absence: Absence): Promise<boolean> {
      // A list is found by the second half of a member's id, which two ids can share. So the whole id of each
      // row is compared.
      if (member !== undefined && absence.member.id !== member) return false;
      if (kind !== undefined && absence.kind !== kind) return false;
      if (!overlapsPeriod(absence, {from: from ?? '0000-01-01', until: until ?? null})) return false;
      if (team === undefined) return true;
      if (absence.team_id !== null && absence.team_id !== team) return false;
      return (await records.findMembership(workspace, team, absence.member.id, deadline)) !== undefined;
    }

    return scanPages(
      (page) => records.list(workspace, {list, from: bottom, ...page}, deadline),
      query,
      (rows) =>
        leaveOutHidden(rows.map(({json}) => json)).then((seen) =>
          Promise.all(
            rows.map(async ({json}) => {
              const found = parseWire(json);
              if (!seen.has(json) || !(await matchesQuery(found))) return undefined;
              const {absence, isWhole} = await show(found);
              return isWhole ? json : JSON.stringify(absence);
            }),
          ),
        ),
    );
  };
}

/** Streams all matching absences, page by page. Ends with an error if the token ends. */
export function createAbsenceExporter(context: ServiceContext) {
  const {requireStillAllowed, monotonic} = context;
  const listAbsences = createAbsenceLister(context);

  return async function exportAbsences(
    call: Call,
    query: Omit<AbsenceQuery, 'past' | 'limit'> & {readonly member?: Id<'member'> | undefined},
  ): Promise<AsyncGenerator<readonly WireJson[], void, void>> {
    const read = async (past: number | undefined): Promise<Page<WireJson<Absence>>> => {
      const step = {...call, deadline: monotonic() + streaming.step};
      const wanted = {...query, past, limit: limits.pageMax};
      const [page] = await Promise.all([listAbsences(step, wanted), requireStillAllowed(step)]);
      return page;
    };
    // The first page is read before the response starts, so that an unknown team can still be refused.
    const first = await read(undefined);
    return (async function* readNextAbsences() {
      for (let page = first; ; page = await read(page.next)) {
        yield page.rows;
        if (page.next === undefined) return;
      }
    })();
  };
}

/**
 * Returns all absences of a member that overlap a date range. No pages are needed: only a limited number of
 * absences can end within a year.
 */
export async function listAbsencesOf(
  records: Records,
  access: Viewer,
  member: PrincipalId,
  time: {readonly from: string; readonly until: string | null},
): Promise<Absence[]> {
  const list = lists.absencesOf(member);
  const from = positionOf(dayNumber(time.from), 0);
  const found = await listAllRecords(records, access, {list, from, limit: readAtOnce});
  return found.filter((absence) => overlapsPeriod(absence, time));
}

/** The number of members queried at once. Of more members, those without absences are left out first. */
const askedAtOnce = 20;

/**
 * Returns the absences of many members by member id, with few Redis commands if few have any. `bounds`: only the
 * first to end of each member, and no more members once there are enough absences.
 */
export async function listAbsencesOfEach(
  records: Records,
  access: Viewer,
  members: readonly {readonly id: PrincipalId}[],
  time: {readonly from: string; readonly until: string | null},
  bounds?: {readonly each: number; readonly enough: number},
): Promise<Map<PrincipalId, Absence[]>> {
  const {workspace, deadline} = access;
  const from = positionOf(dayNumber(time.from), 0);
  let having = members.map(({id}) => id);
  if (having.length > askedAtOnce) {
    const filled = await records.listFilled(
      workspace,
      having.map((id) => lists.absencesOf(id)),
      from,
      deadline,
    );
    having = having.filter((id) => filled.has(lists.absencesOf(id)));
  }
  async function read(id: PrincipalId): Promise<readonly [PrincipalId, Absence[]]> {
    if (bounds === undefined) return [id, await listAbsencesOf(records, access, id, time)];
    const query = {list: lists.absencesOf(id), from, upward: true, limit: bounds.each};
    const first = await listRecords(records, access, query);
    return [id, first.filter((absence) => overlapsPeriod(absence, time))];
  }
  const found = new Map<PrincipalId, Absence[]>();
  const atOnce = bounds === undefined ? having.length : askedAtOnce;
  for (let [at, count] = [0, 0]; at < having.length && count < (bounds?.enough ?? Infinity); at += atOnce) {
    for (const [id, absences] of await Promise.all(having.slice(at, at + atOnce).map(read))) {
      found.set(id, absences);
      count += absences.length;
    }
  }
  return found;
}
