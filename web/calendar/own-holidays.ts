import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import type {Person} from './queries.ts';

let earlier: Promise<Person | undefined> = Promise.resolve(undefined);

/**
 * Changes the viewer's own holidays. Changes run one after another, each on the revision that the last one
 * returned: the list of people still has the older revision.
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
