import {concernsResource, mayConcernMember} from '../../domain/events/change.js';
import {type LogEntry, type LogPosition, matchesEventType} from '../../domain/events/event.js';
import {isId, type Id} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Actor} from '../../domain/core/actor.js';
import type {EventLog} from '../../store/events/event-log.js';
import {createStoreUnavailableError} from '../core/admission.js';
import type {TeamReader} from '../core/reach.js';
import type {EventSight} from './event-sight.js';
import {createLogPositionLostError} from './event-stream.js';

/** Filters for events; a field that is left out filters nothing. */
export interface EventFilter {
  /** Event types, or nouns that stand for all of their types. */
  readonly types?: readonly string[] | undefined;
  /** The time range in ms; both ends are included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The id of a resource, or of a team or member for the events of all their resources. */
  readonly about?: Id | undefined;
  /** The cause of the events: a principal, an access token, or a type of actor without an id. */
  readonly actor?: string | undefined;
}

export interface EventQuery extends EventFilter {
  /** The order: `asc` (oldest first, the default) or `desc`. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** The position at which the last page ended. */
  readonly past?: LogPosition | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly rows: readonly WireJson[];
  /**
   * The position at which to continue. Oldest first, it is set even if no event follows yet, so that a
   * consumer can poll from here. Newest first, it is undefined at the end.
   */
  readonly next: LogPosition | undefined;
  readonly more: boolean;
}

export type ListEvents = (access: TeamReader, query: EventQuery) => Promise<EventPage>;

/** The number of events scanned for one page before the page is returned as it is. */
const scanLimit = 2_000;
/** The number of events read at once. */
const scanPage = 250;

/**
 * Creates the function that reads the event log from either end, a limited part at a time. Events of private
 * teams that the reader may not see are left out.
 */
export function createEventLister(events: EventLog, {sight}: {readonly sight: EventSight}): ListEvents {
  return async function listEvents(access, query) {
    const {workspace, deadline} = access;
    const {limit, since, until} = query;
    const isUpward = query.order !== 'desc';
    const isFiltered = [query.types, since, until, query.about, query.actor].some(
      (given) => given !== undefined,
    );
    const size = isFiltered ? scanPage : limit;

    /**
     * Returns the start position and the first entries. The position of the log's end is read before the
     * entries, so that no event in between is missed.
     */
    async function readFirstEntries(): Promise<[LogPosition | undefined, LogEntry[]]> {
      const end = await events.findEnd(workspace, deadline);
      if (end === undefined) throw createStoreUnavailableError();
      const bound = isUpward ? since : until;
      const range =
        bound === undefined
          ? undefined
          : await events.findRange(workspace, since ?? 0, until ?? Number.MAX_SAFE_INTEGER - 1, deadline);
      if (isUpward) {
        const after = range === undefined ? 0 : range.first - 1;
        return [end, await events.listAfter(workspace, after, size + 1, deadline)];
      }
      const start = range && {sequence: range.last + 1};
      return [start, await readNextEntries(start)];
    }

    async function readNextEntries(position: LogPosition | undefined): Promise<LogEntry[]> {
      const found =
        isUpward && position !== undefined
          ? await events.readOn(workspace, position, size + 1, deadline)
          : await events.readBack(workspace, position, size + 1, deadline);
      if (found === undefined) throw createLogPositionLostError();
      return found;
    }

    const isBeyond = ({at}: LogEntry): boolean =>
      isUpward ? at > (until ?? Number.POSITIVE_INFINITY) : at < (since ?? 0);
    const chosen: LogEntry[] = [];
    const answer = async (position: LogPosition | undefined, more: boolean): Promise<EventPage> => ({
      rows: await events.render(workspace, chosen, deadline),
      next: isUpward || more ? position : undefined,
      more,
    });
    let [position, page] =
      query.past === undefined ? await readFirstEntries() : [query.past, await readNextEntries(query.past)];
    for (let scanned = 0; ; page = await readNextEntries(position)) {
      const entries = page.slice(0, size);
      const [matches, seen] = await Promise.all([
        filterEntries(events, access, entries, query),
        sight.select(access, entries),
      ]);
      const fits = matches.map((isMatch, i) => isMatch && seen[i] === true);
      for (const [i, entry] of entries.entries()) {
        if (isBeyond(entry)) return answer(position, false);
        position = entry;
        if (fits[i] === true) chosen.push(entry);
        const following = page[i + 1];
        if (chosen.length === limit) return answer(position, following !== undefined && !isBeyond(following));
      }
      scanned += entries.length;
      if (page.length <= size) return answer(position, false);
      if (scanned >= scanLimit) return answer(position, true);
    }
  };
}

/** Returns the matching entries. An event's content is read only if its member is not known otherwise. */
async function filterEntries(
  events: EventLog,
  {workspace, deadline}: Parameters<ListEvents>[0],
  entries: readonly LogEntry[],
  filter: EventFilter,
): Promise<boolean[]> {
  const {about} = filter;
  const fits = entries.map((entry) => matchesFilter(entry, filter));
  if (about === undefined) return fits;
  const open = isId('member', about)
    ? entries.filter((entry, i) => fits[i] === true && mayConcernMember(entry))
    : [];
  const bodies = await events.render(workspace, open, deadline);
  const said = new Map(open.map(({id}, i) => [id, bodies[i]]));
  return entries.map((entry, i) => fits[i] === true && concernsResource(entry, about, said.get(entry.id)));
}

function isByActor({id, token, type}: Actor, asked: string): boolean {
  return [id, token, type].some((one) => one === asked);
}

/** True if an entry matches the filter, not considering the subject. */
function matchesFilter({type, at, actor}: LogEntry, filter: EventFilter): boolean {
  const {types, since, until, actor: by} = filter;
  return (
    (types === undefined || matchesEventType(types, type)) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    (by === undefined || (actor !== undefined && isByActor(actor, by)))
  );
}
