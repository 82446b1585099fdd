import type {EventTeams, LogEntry} from '../../domain/events/event.js';
import {isId} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {findReach, type TeamReader} from '../core/reach.js';
import type {FindEventTeams} from './event-teams.js';

/** Selects the events that a reader may see. */
export type EventSight = ReturnType<typeof createEventSight>;

/** Creates the functions that leave out the events of private teams that a reader may not see. */
export function createEventSight(
  {teams, records}: ServiceContext,
  {findEventTeams}: {readonly findEventTeams: FindEventTeams},
) {
  /** Readers of one page at the same time share what is found about it. */
  const known = new WeakMap<readonly LogEntry[], Promise<readonly EventTeams[]>>();

  function findTeams(reader: TeamReader, page: readonly LogEntry[]): Promise<readonly EventTeams[]> {
    // The teams are read after the events, so that they are at least as new.
    const read = async () => findEventTeams(reader, page, await teams.all(reader));
    const found = known.get(page) ?? read();
    known.set(page, found);
    return found;
  }

  return {
    /** Returns for each event of a page, which must have just been read, whether a reader may see it. */
    async select(reader: TeamReader, page: readonly LogEntry[]): Promise<readonly boolean[]> {
      const seesAll = reader.principal !== undefined && !isId('member', reader.principal.id);
      if (page.length === 0 || (seesAll && reader.scopes.has('teams:private'))) return page.map(() => true);
      const found = await findTeams(reader, page);
      if (found.every(({ids}) => ids.length === 0)) return page.map(() => true);
      const reach = await findReach(records, reader);
      return found.map(({ids}) => reach === 'all' || ids.every((id) => reach.has(id)));
    },
  };
}
