import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {chooseTeam, printBody, type Session} from './session.js';
import {line, paragraph, printTable} from './show.js';

type DayPerson = Schema<'DayPerson'>;

const readDay = async ({client}: Session, team: string, date = 'today') =>
  need(await client.GET('/v1/teams/{team}/days/{date}', {params: {path: {team, date}}}));

/** Shows what each person of a team posted on a day. */
export async function showDay(session: Session, given: string | undefined, date?: string): Promise<void> {
  const {outside} = session;
  const day = await readDay(session, await chooseTeam(session, given), date);
  if (session.json) return printBody(session);
  outside.print(`${outside.emphasize(`${line(day.team)}, ${line(day.date)}`, 'bold')}\n`);
  if (day.people.length === 0) outside.print('The team has no members yet.\n');
  for (const person of day.people) {
    const status = describeStatus(person);
    const mood = person.standups.length > 0 ? 'green' : 'dim';
    outside.print(
      `\n${outside.emphasize(line(person.member.name), 'bold')}  ${outside.emphasize(status, mood)}\n`,
    );
    for (const {update} of person.standups) {
      outside.print(`${paragraph(update ?? 'The text is too long for this list. See: standup history')}\n`);
    }
  }
}

/** Lists who has not posted yet. */
export async function showMissing(session: Session, given: string | undefined, date?: string): Promise<void> {
  const day = await readDay(session, await chooseTeam(session, given), date);
  if (session.json) return printBody(session);
  const missing = day.people.filter(({status}) => ['expected', 'missed', 'unreachable'].includes(status));
  const rows = missing.map((person) => [person.member.name, describeStatus(person)]);
  printTable(
    session,
    ['NAME', 'STATUS'],
    rows,
    `No one is missing in ${line(day.team)} on ${line(day.date)}.`,
  );
}

const plainStatus: Readonly<Record<string, string>> = {
  late: 'posted late',
  expected: 'not yet posted',
  missed: 'missed',
  unreachable: 'not reached by a reminder',
  holiday: 'on holiday',
  skipped: 'skips today',
  not_expected: 'no standup expected',
};

function describeStatus({status, standups, until, closes_at, timezone}: DayPerson): string {
  const [first] = standups;
  if (first !== undefined)
    return `${line(plainStatus[status] ?? status)} at ${formatTime(first.created_at, timezone)}`;
  if (status === 'away') return until === null ? 'away' : `away until ${line(until)}`;
  const said = line(plainStatus[status] ?? status);
  const isOpen = status === 'expected' && closes_at !== null;
  return isOpen ? `${said}, open until ${formatTime(closes_at, timezone)}` : said;
}

/** Formats the time of day of an instant in a person's zone. */
function formatTime(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {timeStyle: 'short', timeZone}).format(new Date(instant));
}
