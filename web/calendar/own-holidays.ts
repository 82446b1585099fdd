import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import {inTurn} from './in-turn.ts';
import type {Person} from './queries.ts';

/** Changes the viewer's own holidays. */
export const changeOwnHolidays = inTurn((self: Person, revision, holidays: Schema<'HolidayChange'>) => {
  const params = {path: {member: self.id}, header: {'If-Match': `"${revision}"`}};
  return dataOf(api.PATCH('/v1/members/{member}', {params, body: {holidays}}));
});
