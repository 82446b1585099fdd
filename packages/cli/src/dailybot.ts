import {readDay} from '../../import-files/src/read-day.js';
import {
  cleanText,
  cutText,
  fitAnswers,
  type ImportRow,
  isBlank,
  rowLimits,
  shortenId,
} from '../../import-files/src/rows.js';
import {CommandError} from './errors.js';
import {
  asObject,
  createTally,
  isDay,
  isTrue,
  listObjects,
  mostPages,
  type Loose,
  pickText,
  type Read,
  type SourceAbsence,
  type SourceContent,
  type Span,
  type Vendor,
} from './import-source.js';

export const dailybot: Vendor = {
  name: 'DailyBot',
  url: 'https://api.dailybot.com',
  urlVariable: 'DAILYBOT_URL',
  keyVariable: 'DAILYBOT_API_KEY',
  keyHint: 'It is in DailyBot under Integrations › API key.',
  authorize: (key) => ({'x-api-key': key}),
};

/** The day before DailyBot existed. Without a first day it would list only the responses of today. */
const firstDay = '2015-01-01';
const pageSize = 250;

interface Person {
  readonly name: string;
  readonly email: string;
}

/** Reads all responses of the check-ins that the key may see (DailyBot's API, version 1). */
export async function readDailybot(
  read: Read,
  {since = firstDay, until, today}: Span & {readonly today: string},
): Promise<SourceContent> {
  const users = await listAll(read, '/v1/users/', {include_email: 'true'});
  const people = new Map(users.map((user) => [findId(user), readPerson(user)]));
  const tally = createTally();
  const rows = new Map<string, ImportRow>();
  for (const found of await listAll(read, '/v1/checkins/', {})) {
    const path = `/v1/checkins/${encodeURIComponent(findId(found))}/`;
    const checkin = {...found, ...asObject(await read(path))};
    const labels = listLabels(checkin['questions']);
    const span = {date_start: since, date_end: until ?? today};
    for (const response of await listAll(read, `${path}responses/`, span)) {
      const user = asObject(response['user']);
      const person = findPersonId(response, user);
      if (isTrue(checkin, 'anonymous', 'is_anonymous') || isTrue(response, 'anonymous', 'is_anonymous')) {
        tally.add('anonymous');
        continue;
      }
      if (response['response_completed'] === false) {
        tally.add('not finished');
        continue;
      }
      const row = createRow(response, person, readNamed(people.get(person), user, response), {
        checkin,
        labels,
      });
      if (typeof row === 'string') tally.add(row);
      else rows.set(row.external_id, row);
    }
  }
  const authors = new Set(Array.from(rows.values(), ({author}) => author.external_id ?? author.name));
  return {
    source: 'dailybot',
    rows: [...rows.values()],
    leftOut: tally.list(),
    notes: [
      `DailyBot shows responses of ${authors.size} of ${Math.max(users.length, authors.size)} people to this key. The key of a member shows only their own.`,
    ],
    absences: users.flatMap((user) => readAbsence(user, today)),
  };
}

/** Reads all pages of a list. Some lists are bare, and have one page. */
async function listAll(read: Read, path: string, query: Readonly<Record<string, string>>): Promise<Loose[]> {
  const found: Loose[] = [];
  for (let pages = 0; ; pages += 1) {
    if (pages > mostPages) throw new CommandError('unreachable', `DailyBot has no last page of ${path}.`);
    const page = await read(path, {...query, limit: String(pageSize), offset: String(found.length)});
    const rows = listObjects(page, 'results', 'data');
    found.push(...rows);
    const {next, count} = asObject(page);
    const isLast = next === undefined ? found.length >= Number(count ?? 0) : next === null || next === '';
    if (rows.length === 0 || isLast) return found;
  }
}

const findId = (from: Loose) => pickText(from, 'uuid', 'id');

function findPersonId(response: Loose, user: Loose): string {
  return findId(user) || pickText(response, 'user_uuid', 'user_id', 'user');
}

function readPerson(user: Loose): Person {
  return {
    name: cleanText(pickText(user, 'full_name', 'name', 'username')).replaceAll(/\s+/g, ' '),
    email: pickText(user, 'email'),
  };
}

function readNamed(known: Person | undefined, user: Loose, response: Loose): Person {
  const {name, email} = readPerson(user);
  return {
    name: known?.name || name || cleanText(pickText(response, 'user_full_name', 'user_name')),
    email: known?.email || email || pickText(response, 'user_email'),
  };
}

/** The texts of the questions, by id and by position: DailyBot documents texts, and objects. */
function listLabels(questions: unknown): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const [index, given] of (Array.isArray(questions) ? questions : []).entries()) {
    const question = asObject(given);
    const label =
      typeof given === 'string' ? given : pickText(question, 'question', 'text', 'label', 'title');
    labels.set(pickText(question, 'index', 'order') || String(index), label);
    if (findId(question) !== '') labels.set(findId(question), label);
  }
  return labels;
}

/** Returns the row of a response, or why there is none. */
function createRow(
  response: Loose,
  person: string,
  {name, email}: Person,
  {checkin, labels}: {checkin: Loose; labels: ReadonlyMap<string, string>},
): ImportRow | string {
  const answers = fitAnswers(
    listObjects(response['responses'], 'results').map((answer, index) => ({
      label:
        pickText(answer, 'question', 'question_text') ||
        (labels.get(findId(answer)) ?? labels.get(pickText(answer, 'index') || String(index)) ?? ''),
      text: readAnswer(answer['response'] ?? answer['answer']),
    })),
  );
  if (answers.length === 0) return 'without an answer';
  const day = readDay(pickText(response, 'response_date', 'date'));
  const posted = readDay(pickText(response, 'created_at', 'completed_at'));
  const date = 'date' in day ? day.date : 'midnightOf' in day ? day.midnightOf : undefined;
  const own = 'instant' in day && date === undefined ? day.instant : undefined;
  const instant = 'instant' in posted ? posted.instant : own;
  if (date === undefined && instant === undefined) return 'without a date';
  const shown = [name, email, person].find((one) => !isBlank(one));
  if (shown === undefined) return 'anonymous';
  const checkinId = findId(checkin);
  return {
    external_id: shortenId(
      cleanText(findId(response)) || `${checkinId}/${person || shown}/${date ?? instant}`,
    ),
    team: cutText(cleanText(pickText(checkin, 'name')) || checkinId || 'check-in', rowLimits.team),
    ...(date !== undefined && {date}),
    ...(instant !== undefined && {posted_at: instant}),
    author: {
      name: cutText(shown, rowLimits.name),
      ...(person !== '' && {external_id: shortenId(cleanText(person), rowLimits.person)}),
      ...(email !== '' && email.length <= rowLimits.person && {email}),
    },
    answers,
  };
}

/** An answer is a text, a number, yes or no, or a list of choices. */
function readAnswer(value: unknown): string {
  if (Array.isArray(value)) return value.map(readAnswer).filter(Boolean).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return pickText(asObject(value), 'text', 'label', 'value');
}

function readAbsence(user: Loose, today: string): SourceAbsence[] {
  const from = pickText(user, 'timeoff_start').slice(0, 10);
  const until = pickText(user, 'timeoff_end').slice(0, 10);
  return isDay(from) && isDay(until) && until >= today ? [{...readPerson(user), from, until}] : [];
}
