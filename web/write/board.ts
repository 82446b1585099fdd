// Shows a standup on the board before the service has answered.
import {newKey} from '../api/new-key.ts';
import {queryClient} from '../api/queries.ts';
import type {TeamDay} from '../api/schema.ts';

type DayPerson = TeamDay['people'][number];
type DayStandup = DayPerson['standups'][number];

/** Changes a person in the cached days that `isMeant` accepts: a key may have `today` for a date. */
function changePersonInCachedDays(
  isMeant: (day: TeamDay) => boolean,
  memberId: string,
  change: (person: DayPerson) => DayPerson,
): void {
  for (const [key, day] of queryClient.getQueriesData<TeamDay>({queryKey: ['getTeamDay']})) {
    if (day === undefined || !isMeant(day)) continue;
    const people = day.people.map((person) => (person.member.id === memberId ? change(person) : person));
    queryClient.setQueryData<TeamDay>(key, {...day, people, counts: recountDay(day, people)});
  }
}

function recountDay(day: TeamDay, people: readonly DayPerson[]): TeamDay['counts'] {
  const count = (list: readonly DayPerson[], status: string): number =>
    list.filter((person) => person.status === status).length;
  const moved = (status: 'posted' | 'late' | 'missed'): number =>
    day.counts[status] + count(people, status) - count(day.people, status);
  return {...day.counts, posted: moved('posted'), late: moved('late'), missed: moved('missed')};
}

/** Shows a standup on the board at once. Returns a function that removes it again. */
export function showOnBoard(
  memberId: string,
  isMeant: (day: TeamDay) => boolean,
  standup: Omit<DayStandup, 'id'>,
): () => void {
  const id = `std_pending_${newKey()}`;
  const before = new Map<string, string>();
  changePersonInCachedDays(isMeant, memberId, (person) => {
    before.set(person.member.id, person.status);
    const status = standup.late ? 'late' : 'posted';
    const isIn = person.status === 'posted' || (person.status === 'late' && standup.late);
    const standups = [...person.standups, {...standup, id}];
    return {...person, status: isIn ? person.status : status, standups};
  });
  return () =>
    changePersonInCachedDays(isMeant, memberId, (person) => {
      const left = person.standups.filter((one) => one.id !== id);
      const status = left.length === 0 ? (before.get(person.member.id) ?? person.status) : person.status;
      return left.length === person.standups.length ? person : {...person, status, standups: left};
    });
}

/** Changes the text of a standup on the board; returns a function that restores the earlier text. */
export function changeOnBoard(
  memberId: string,
  standup: string,
  content: Pick<DayStandup, 'update' | 'answers' | 'format'>,
): () => void {
  let before: DayStandup | undefined;
  const put = (change: (one: DayStandup) => DayStandup): void =>
    changePersonInCachedDays(
      ({people}) => people.some(({standups}) => standups.some(({id}) => id === standup)),
      memberId,
      (person) => ({
        ...person,
        standups: person.standups.map((one) => (one.id === standup ? change(one) : one)),
      }),
    );
  put((one) => {
    before = one;
    return {...one, ...content, edited: true};
  });
  return () => put((one) => before ?? one);
}

/** Removes standups from the board while their deletion is under way. */
export function removeFromBoard(memberId: string, ids: readonly string[]): void {
  changePersonInCachedDays(
    () => true,
    memberId,
    (person) => ({...person, standups: person.standups.filter(({id}) => !ids.includes(id))}),
  );
}
