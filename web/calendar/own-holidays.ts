import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import type {Person} from './queries.ts';

let earlier: Promise<Person | undefined> = Promise.resolve(undefined);

/**
 * Changes one's own holidays. Of several at once each waits for the one before it and rests on its answer:
 * the list of people still has the revision of before.
 */
export function changeOwnHolidays(self: Person, holidays: Schema<'HolidayChange'>): Promise<Person> {
  const answer = earlier.then((known) => {
    const revision = known?.id === self.id ? Math.max(known.revision, self.revision) : self.revision;
    const params = {path: {member: self.id}, header: {'If-Match': `"${revision}"`}};
    return dataOf(api.PATCH('/v1/members/{member}', {params, body: {holidays}}));
  });
  earlier = answer.catch(() => undefined);
  return answer;
}
