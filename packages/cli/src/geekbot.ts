import {
  cleanText,
  cutText,
  fitAnswers,
  type ImportRow,
  isBlank,
  rowLimits,
  shortenId,
} from '../../import-files/src/rows.js';
import {addDays} from '../../../src/domain/core/dates.js';
import {CommandError} from './errors.js';
import {
  asObject,
  createTally,
  isDay,
  isTrue,
  isZone,
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

export const geekbot: Vendor = {
  name: 'Geekbot',
  url: 'https://api.geekbot.com',
  urlVariable: 'GEEKBOT_URL',
  keyVariable: 'GEEKBOT_API_KEY',
  keyHint: 'It is in Geekbot under Settings › API & Webhooks.',
  authorize: (key) => ({authorization: key}),
};

interface Person {
  readonly name: string;
  readonly email: string;
}

/** Reads all reports of the standups that the key may see (Geekbot's API, version 2). */
export async function readGeekbot(
  read: Read,
  options: Span & {
    readonly confidential: boolean;
    readonly today: string;
    readonly timezone?: string | undefined;
  },
): Promise<SourceContent> {
  const standups = await listAll(read, '/v2/standups', {include: 'questions,member_email,member_realname'});
  const people = new Map<string, Person>();
  for (const member of standups.flatMap((standup) => listObjects(standup['members'])))
    addPerson(people, member);
  const tally = createTally();
  const rows = new Map<string, ImportRow>();
  for (const standup of standups) {
    const query = {
      standup_id: pickText(standup, 'id'),
      limit: '100',
      view: 'full',
      // Geekbot leaves out the day of `until`. One more day on each side is for days of other zones.
      ...(options.since && {since: addDays(options.since, -1)}),
      ...(options.until && {until: addDays(options.until, 2)}),
    };
    // `user_local` is no zone: everyone is asked by their own clock, which the report does not tell.
    const own = pickText(standup, 'timezone');
    const zone = options.timezone === undefined && isZone(own) ? own : undefined;
    for (const report of await listAll(read, '/v2/reports', query)) {
      const id = pickText(report, 'id');
      if (id === '' || rows.has(id)) continue;
      const reason = findReasonToLeaveOut(report, standup, options.confidential);
      const row = reason === undefined ? createRow(report, standup, zone) : undefined;
      if (row !== undefined) rows.set(id, row);
      else tally.add(reason ?? 'without an answer');
    }
  }
  await addFormerPeople(read, people, rows);
  return {
    source: 'geekbot',
    rows: Array.from(rows.values(), (row) => nameAuthor(row, people)),
    leftOut: tally.list(),
    notes: [],
    absences: await readAbsences(read, people, options.today),
  };
}

/** Reads all pages of a list. A cursor that comes again would never end. */
async function listAll(read: Read, path: string, query: Readonly<Record<string, string>>): Promise<Loose[]> {
  const found: Loose[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    if (seen.size > mostPages) throw new CommandError('unreachable', `Geekbot has no last page of ${path}.`);
    const page = await read(path, {...query, cursor});
    found.push(...listObjects(page, 'data'));
    const {has_more: hasMore, next_cursor: next} = asObject(page);
    if (hasMore !== true || typeof next !== 'string' || next === '') return found;
    if (seen.has(next)) throw new CommandError('unreachable', `Geekbot repeats a page of ${path}.`);
    seen.add(next);
    cursor = next;
  }
}

function addPerson(people: Map<string, Person>, member: Loose): void {
  const id = pickText(member, 'id');
  const known = people.get(id);
  const name = known?.name || pickText(member, 'realname', 'real_name', 'username', 'name');
  if (id !== '') people.set(id, {name, email: known?.email || pickText(member, 'email')});
}

/** Confidential reports were not for everyone there; here the whole team would see them. */
function findReasonToLeaveOut(report: Loose, standup: Loose, confidential: boolean): string | undefined {
  if (isTrue(report, 'is_anonymous') || isTrue(standup, 'is_anonymous') || pickText(report, 'user_id') === '')
    return 'anonymous';
  if (!confidential && (isTrue(report, 'is_confidential') || isTrue(standup, 'is_confidential')))
    return 'confidential (--confidential takes them)';
  return pickText(report, 'posted_at') === '' ? 'not finished' : undefined;
}

function createRow(report: Loose, standup: Loose, zone: string | undefined): ImportRow | undefined {
  const posted = Date.parse(pickText(report, 'posted_at'));
  if (Number.isNaN(posted)) return undefined;
  const questions = new Map(
    listObjects(standup['questions']).map((question) => [
      pickText(question, 'id'),
      pickText(question, 'text', 'question'),
    ]),
  );
  const answers = fitAnswers(
    listObjects(report['answers']).map((answer) => ({
      label: pickText(answer, 'question') || (questions.get(pickText(answer, 'question_id')) ?? ''),
      text: pickText(answer, 'answer'),
    })),
  );
  if (answers.length === 0) return undefined;
  const team = cleanText(pickText(report, 'standup_name') || pickText(standup, 'name'));
  const person = shortenId(cleanText(pickText(report, 'user_id')), rowLimits.person);
  return {
    external_id: shortenId(cleanText(pickText(report, 'id'))),
    team: cutText(team || pickText(standup, 'id'), rowLimits.team),
    posted_at: new Date(posted).toISOString(),
    ...(zone !== undefined && {timezone: zone}),
    author: {name: person, external_id: person},
    answers,
  };
}

/** Finds the names of people who have left: only the first version of Geekbot's API has them. */
async function addFormerPeople(read: Read, people: Map<string, Person>, rows: Map<string, ImportRow>) {
  const listUnknown = () => {
    const ids = Array.from(rows.values(), ({author}) => author.external_id ?? '');
    return [...new Set(ids)].filter((id) => !people.get(id)?.name);
  };
  if (listUnknown().length === 0) return;
  const teams = await read('/v1/teams').catch(ignoreRefusal);
  for (const team of Array.isArray(teams) ? listObjects(teams) : [asObject(teams)]) {
    for (const user of listObjects(team['users'])) addPerson(people, user);
  }
  for (const id of listUnknown()) {
    const reports = await read('/v1/reports', {user_id: id, limit: '1'}).catch(ignoreRefusal);
    const member = listObjects(reports, 'data').map((report) => asObject(report['member']));
    for (const one of member) if (pickText(one, 'id') === id) addPerson(people, one);
  }
}

/** The names are worth a request, but not the import. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof CommandError) return undefined;
  throw error;
}

function nameAuthor(row: ImportRow, people: ReadonlyMap<string, Person>): ImportRow {
  const id = row.author.external_id ?? '';
  const {name = '', email = ''} = people.get(id) ?? {};
  const shown = cleanText(name).replaceAll(/\s+/g, ' ');
  return {
    ...row,
    author: {
      name: cutText(isBlank(shown) ? id : shown, rowLimits.name),
      external_id: id,
      ...(email !== '' && email.length <= rowLimits.person && {email}),
    },
  };
}

/** Without dates Geekbot lists the absences that are not over. */
async function readAbsences(
  read: Read,
  people: ReadonlyMap<string, Person>,
  today: string,
): Promise<SourceAbsence[]> {
  const found = await listAll(read, '/v2/ooo', {limit: '100'}).catch(ignoreRefusal);
  return (found ?? []).flatMap((period) => {
    const person = people.get(pickText(period, 'user_id'));
    const from = pickText(period, 'start_date').slice(0, 10);
    const until = pickText(period, 'end_date').slice(0, 10);
    if (person === undefined || !isDay(from) || !isDay(until) || until < today) return [];
    return [{...person, from, until}];
  });
}
