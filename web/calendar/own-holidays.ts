import type {Member, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {createSequentialSender} from './in-sequence.ts';

export const changeOwnHolidays = createSequentialSender(
  (self: Member, revision, holidays: Schema<'HolidayChange'>) =>
    send('patch', '/v1/members/{member}', {member: self.id, revision, body: {holidays}}),
);
