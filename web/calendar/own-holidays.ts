import {api, dataOf} from '../api/client.ts';
import type {Member, Schema} from '../api/schema.ts';
import {createSequentialSender} from './in-sequence.ts';

export const changeOwnHolidays = createSequentialSender(
  (self: Member, revision, holidays: Schema<'HolidayChange'>) => {
    const params = {path: {member: self.id}, header: {'If-Match': `"${revision}"`}};
    return dataOf(api.PATCH('/v1/members/{member}', {params, body: {holidays}}));
  },
);
