import {addDays} from '../../../src/domain/core/dates.js';
import {parseDays} from '../../../src/domain/typed/parse-days.js';
import {need} from './connection.js';
import {CommandError} from './errors.js';
import {findMe, formatDay, printBody, type Session} from './session.js';
import {line} from './show.js';

/** Records days off of the user. The days are typed as in Slack; none means today. */
export async function goAway(session: Session, typed: string): Promise<void> {
  const {client, outside} = session;
  const {timezone} = await findMe(session);
  const days = parseDays(typed, formatDay(outside.now(), timezone));
  if ('error' in days) {
    const guess = days.guess === undefined ? '' : ` Did you mean: standup ooo ${days.guess}`;
    const problem = days.error === 'part' ? 'Only whole days can be days off.' : 'Which days?';
    throw new CommandError(
      'usage',
      `${problem}${guess || ' Try: standup ooo until friday, or: standup ooo 24 Dec to 2 Jan'}`,
    );
  }
  const header = {'Idempotency-Key': outside.createId()};
  const body = {member: 'me', kind: 'away' as const, ...days};
  const absence = need(await client.POST('/v1/absences', {params: {header}, body}));
  if (session.json) return printBody(session);
  const {from, until, reason} = absence;
  const when =
    until === null
      ? `from ${from} until you are back`
      : from === until
        ? `on ${from}`
        : `from ${from} until ${until}`;
  outside.print(
    `You are away ${line(when)}${reason === null ? '' : ` (${line(reason)})`}. No reminders come on these days.\n`,
  );
  outside.print(`${outside.emphasize('Back earlier: standup ooo --back', 'dim')}\n`);
}

/** Ends the absences of today: one that began earlier ends yesterday, one that began today is deleted. */
export async function comeBack(session: Session): Promise<void> {
  const {client, outside} = session;
  const {timezone} = await findMe(session);
  const today = formatDay(outside.now(), timezone);
  const query = {member: 'me', from: today, until: today, limit: 100};
  const {data} = need(await client.GET('/v1/absences', {params: {query}}));
  for (const {id: absence, from, revision} of data) {
    const header = {'Idempotency-Key': outside.createId(), 'If-Match': `"${revision}"`};
    const params = {path: {absence}, header};
    need(
      from === today
        ? await client.DELETE('/v1/absences/{absence}', {params})
        : await client.PATCH('/v1/absences/{absence}', {params, body: {until: addDays(today, -1)}}),
    );
  }
  if (session.json) return outside.print(`${JSON.stringify({ended: data.map(({id}) => id)})}\n`);
  outside.print(
    data.length === 0 ? 'You are not away today.\n' : 'Welcome back. You are expected again from today.\n',
  );
}
