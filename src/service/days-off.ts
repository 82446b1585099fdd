import type {Access} from '../domain/access.js';
import {type DayOff, findDayOff} from '../domain/absence.js';
import type {Team} from '../domain/team.js';
import type {Member} from '../domain/workspace.js';
import {listAbsencesOf} from './absence-list.js';
import type {Records} from './stores.js';

type Reading = Pick<Access, 'workspace'> & {readonly deadline: number};

/** Who is off when: absences, skips and holidays in one place. */
export interface DaysOff {
  /** Those of some members who are not expected on the date of a team's run, with why; by their ids. */
  listDaysOff(
    access: Reading,
    members: readonly Member[],
    date: string,
    team: Pick<Team, 'id'> | string,
  ): Promise<Map<string, DayOff>>;
  /** Reads what decides between two dates, both inclusive, once; whoever asks for many dates asks the answer. */
  readDaysOff(
    access: Reading,
    members: readonly Member[],
    time: {readonly from: string; readonly until: string},
  ): Promise<ReadDaysOff>;
}

/** Why a member (by id) is off on the date of a team's run (by id); undefined when they are not. */
export type ReadDaysOff = (member: string, date: string, team: string) => DayOff | undefined;

export function createDaysOff({records}: {readonly records: Pick<Records, 'list'>}): DaysOff {
  const readDaysOff: DaysOff['readDaysOff'] = async (access, members, time) => {
    const found = await Promise.all(
      members.map(async ({id}) => [id, await listAbsencesOf(records, access, id, time)] as const),
    );
    const absences = new Map(found);
    return (member, date, team) => findDayOff(absences.get(member) ?? [], undefined, date, team);
  };

  return {
    readDaysOff,
    async listDaysOff(access, members, date, team) {
      const dayOff = await readDaysOff(access, members, {from: date, until: date});
      const id = typeof team === 'string' ? team : team.id;
      const found = new Map<string, DayOff>();
      for (const {id: member} of members) {
        const off = dayOff(member, date, id);
        if (off !== undefined) found.set(member, off);
      }
      return found;
    },
  };
}
