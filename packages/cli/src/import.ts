import {applyTeams, guessTeam, listSourceTeams} from '../../import-files/src/map-rows.js';
import {type ImportRow, splitIntoRequests} from '../../import-files/src/rows.js';
import {isCalendarDate} from '../../../src/domain/core/dates.js';
import {createEmailComparisonKey} from '../../../src/domain/core/text.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {dailybot, readDailybot} from './dailybot.js';
import {CommandError} from './errors.js';
import {geekbot, readGeekbot} from './geekbot.js';
import {type FileOptions, readFileSource} from './import-file.js';
import {listMembers, readPeople} from './import-people.js';
import {countStandups, createDayFinder, describeImport} from './import-report.js';
import {dryRun, makePatient, sendKept} from './import-send.js';
import {
  createTally,
  createVendorReader,
  isZone,
  readKey,
  type SourceAbsence,
  type SourceContent,
  type Vendor,
} from './import-source.js';
import {
  forgetImport,
  isOwnImport,
  keepImport,
  keepRows,
  type KeptImport,
  readKeptImport,
} from './kept-import.js';
import {importScope} from './login.js';
import {findMe, formatDay, printBody, type Session} from './session.js';
import {line, printTable} from './show.js';
import {readSubject} from './token.js';

export interface ImportOptions {
  readonly team?: readonly string[];
  readonly people?: string;
  readonly since?: string;
  readonly until?: string;
  readonly timezone?: string;
  readonly confidential?: boolean;
  readonly absences?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function importGeekbot(session: Session, options: ImportOptions): Promise<void> {
  const {confidential = false, since, until, timezone} = options;
  const span = {since, until, timezone, confidential, today: formatDay(session.outside.now())};
  await importFrom(session, options, () => readVendor(session, geekbot, (read) => readGeekbot(read, span)));
}

export async function importDailybot(session: Session, options: ImportOptions): Promise<void> {
  const {since, until} = options;
  const span = {since, until, today: formatDay(session.outside.now())};
  await importFrom(session, options, () => readVendor(session, dailybot, (read) => readDailybot(read, span)));
}

export async function importFile(
  session: Session,
  file: string,
  options: ImportOptions & Omit<FileOptions, 'team'>,
): Promise<void> {
  const team = options.team?.find((one) => !one.includes('='));
  await importFrom(session, options, () => readFileSource(session.outside, file, {...options, team}));
}

async function readVendor(
  {outside}: Session,
  vendor: Vendor,
  readContent: (read: ReturnType<typeof createVendorReader>) => Promise<SourceContent>,
): Promise<SourceContent> {
  const read = createVendorReader(outside, vendor, await readKey(outside, vendor));
  let requests = 0;
  outside.sayIfInterrupted('Interrupted. Nothing was imported.');
  try {
    return await readContent((path, query) => {
      requests += 1;
      outside.showProgress(`Reading ${vendor.name}: request ${requests} …`);
      return read(path, query);
    });
  } finally {
    outside.showProgress('');
  }
}

async function importFrom(
  impatient: Session,
  options: ImportOptions,
  readContent: () => Promise<SourceContent>,
): Promise<void> {
  const session = makePatient(impatient);
  const {outside} = session;
  checkOptions(options);
  refuseSecondImport(session);
  await requireScopes(session);
  const content = limitSpan(await readContent(), options);
  const teams = await chooseTeams(session, content.rows, options.team ?? []);
  const {rows, leftOut} = dropRepeats(applyTeams(content.rows, teams));
  const {timezone} = options;
  const people = options.people === undefined ? [] : await readPeople(session, options.people, rows);
  const body = {
    source: content.source,
    ...(timezone !== undefined && {timezone}),
    ...(people.length > 0 && {people}),
  };
  outside.sayIfInterrupted('Interrupted. Nothing was imported.');
  const run = rows.length === 0 ? undefined : await dryRun(session, rows, body);
  const say = session.json ? outside.warn : outside.print;
  const unmapped = listUnmapped(content.rows, teams);
  say(`${describeImport({content, teams, leftOut: [...unmapped, ...leftOut], timezone, run})}\n`);
  if (run === undefined || run.wanted.length === 0) {
    say('There is nothing to import.\n');
    if (session.json && run !== undefined) printBody(session);
  } else if (await confirm(session, options, `Import ${countStandups(run.wanted.length)}?`)) {
    reportFinished(session, await begin(session, body, run.wanted));
  }
  await importAbsences(session, options, content.absences);
  outside.sayIfInterrupted('');
}

function checkOptions({since, until, timezone}: ImportOptions): void {
  for (const [name, day] of Object.entries({since, until})) {
    if (day !== undefined && !isCalendarDate(day))
      throw new CommandError('usage', `--${name} takes a day such as 2024-03-14, not ${day}.`);
  }
  if (timezone !== undefined && !isZone(timezone))
    throw new CommandError('usage', `--timezone takes a zone such as Europe/Berlin, not ${timezone}.`);
}

/** One import at a time is kept here, as the service has one open import for a workspace. */
function refuseSecondImport(session: Session): void {
  const kept = readKeptImport(session.outside);
  if (kept === undefined) return;
  const where = isOwnImport(session, kept) ? '' : ` It is at ${kept.url}, of another sign-in.`;
  throw new CommandError(
    'refused',
    `An import of ${kept.body.source} was interrupted after ${kept.sentRows} of ${kept.rows} standups.${where}\nTo go on: standup import resume\nTo take it back: standup import undo`,
  );
}

async function requireScopes(session: Session): Promise<void> {
  const {scopes, principal} = await findMe(session);
  const missing = [importScope, 'members:read', 'teams:read'].filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new CommandError(
    'forbidden',
    `${principal.name} may not import with this sign-in: it lacks ${missing.join(' and ')}. An owner or admin signs in with: standup login ${session.url} --for-import`,
  );
}

/** Vendors read whole days in their own zone, so the days are checked here again. */
function limitSpan(content: SourceContent, {since, until, timezone}: ImportOptions): SourceContent {
  if (since === undefined && until === undefined) return content;
  const findDay = createDayFinder(timezone);
  const rows = content.rows.filter((row) => {
    const day = findDay(row);
    // The service names the error of a row without a day.
    return day === '' || ((since === undefined || day >= since) && (until === undefined || day <= until));
  });
  return {...content, rows};
}

/** Chooses the team here for each team of the source: as given, by name, or by a question. */
async function chooseTeams(
  session: Session,
  rows: readonly ImportRow[],
  given: readonly string[],
): Promise<Map<string, string | null>> {
  const {outside} = session;
  const here = await listTeams(session);
  const requireTeam = (slug: string) => {
    const found = here.find((team) => team.slug === slug.toLowerCase());
    if (found !== undefined) return found.slug;
    throw new CommandError(
      'notFound',
      `There is no team ${slug}. Teams: ${here.map((team) => team.slug).join(', ')}`,
    );
  };
  const found = listSourceTeams(rows);
  const teams = new Map<string, string | null>();
  const named = given.flatMap((one): [string, string][] => {
    // A name may have an equals sign; a short name here has none.
    const [, name, slug] = /^(.*)=([^=]*)$/s.exec(one) ?? [];
    return name === undefined ? [] : [[name, slug ?? '']];
  });
  for (const [name, slug] of named) {
    if (!found.some((team) => team.name === name)) {
      throw new CommandError(
        'usage',
        `The source has no team ${name}. It has: ${found.map((team) => team.name).join(', ')}`,
      );
    }
    teams.set(name, slug === '' ? null : requireTeam(slug));
  }
  const all = given.find((one) => !one.includes('='));
  for (const {name, rows: count} of found) {
    if (teams.has(name)) continue;
    const guess = guessTeam(name, here)?.slug ?? (all === undefined ? undefined : requireTeam(all));
    if (guess !== undefined || !outside.isInteractive) teams.set(name, guess ?? null);
    else {
      const question = `Which team here is ${line(name)} (${countStandups(count)})? ${line(here.map(({slug}) => slug).join(', '))}, or nothing to leave it out: `;
      const answer = await outside.ask(question);
      teams.set(name, answer === '' ? null : requireTeam(answer));
    }
  }
  return teams;
}

async function listTeams({client}: Session): Promise<readonly Schema<'Team'>[]> {
  const teams: Schema<'Team'>[] = [];
  let cursor: string | undefined;
  do {
    const query = {limit: 100, ...(cursor !== undefined && {cursor})};
    const page = need(await client.GET('/v1/teams', {params: {query}}));
    teams.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return teams;
}

function listUnmapped(rows: readonly ImportRow[], teams: ReadonlyMap<string, string | null>) {
  const tally = createTally();
  for (const {team} of rows) {
    if (teams.get(team) === null)
      tally.add(`of ${team}, for which no team here is chosen (--team "${team}=TEAM" chooses one)`);
  }
  return tally.list();
}

/** A source that has an id twice has the same standup twice. */
function dropRepeats(rows: readonly ImportRow[]) {
  const unique = new Map<string, ImportRow>();
  for (const row of rows) if (!unique.has(row.external_id)) unique.set(row.external_id, row);
  const repeats = rows.length - unique.size;
  const leftOut = repeats === 0 ? [] : [{count: repeats, reason: 'there a second time, with the same id'}];
  return {rows: [...unique.values()], leftOut};
}

async function confirm(session: Session, options: ImportOptions, question: string): Promise<boolean> {
  const {outside} = session;
  if (options.dryRun === true || (options.yes !== true && !outside.isInteractive)) {
    outside.warn(options.dryRun ? 'Nothing was imported.\n' : 'Nothing was imported. Add --yes to import.\n');
    if (session.json) printBody(session);
    return false;
  }
  if (options.yes === true || /^y(?:es)?$/i.test(await outside.ask(`${question} [y/N] `))) return true;
  outside.warn('Nothing was imported.\n');
  return false;
}

async function begin(
  session: Session,
  body: Schema<'NewImport'>,
  rows: readonly ImportRow[],
): Promise<Schema<'Import'>> {
  const {outside, url, token} = session;
  // The check and the question take long: another process may have begun since.
  refuseSecondImport(session);
  const requests = Array.from(splitIntoRequests(rows));
  const kept: KeptImport = {
    ref: outside.createId(),
    url,
    subject: readSubject(token),
    body,
    id: null,
    rows: rows.length,
    requests: requests.length,
    sent: 0,
    sentRows: 0,
  };
  keepRows(outside, kept.ref, requests);
  keepImport(outside, kept);
  return sendKept(session, kept);
}

function reportFinished(session: Session, {id, counts}: Schema<'Import'>): void {
  const {outside} = session;
  if (session.json) return printBody(session);
  const others = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.created;
  outside.print(
    `${outside.emphasize(`${countStandups(counts.created)} imported.`, 'green')}${others > 0 ? ` ${others} were not.` : ''}\n`,
  );
  outside.print(
    `${outside.emphasize(`Take it back within 30 days: standup import undo ${line(id)}`, 'dim')}\n`,
  );
}

/** Goes on with an import that was interrupted. */
export async function resumeImport(impatient: Session): Promise<void> {
  const session = makePatient(impatient);
  const kept = readKeptImport(session.outside);
  if (kept === undefined) throw new CommandError('notFound', 'No import was interrupted here.');
  if (!isOwnImport(session, kept)) {
    throw new CommandError(
      'refused',
      `The import was begun at ${kept.url}, or with another sign-in. Use that one.`,
    );
  }
  reportFinished(session, await sendKept(session, kept));
}

/** Records days off that are not over, of people who are members here by their address. */
async function importAbsences(
  session: Session,
  {absences: wanted, dryRun: isDry, yes}: ImportOptions,
  absences: readonly SourceAbsence[],
): Promise<void> {
  if (absences.length === 0 || isDry === true) return;
  const {client, outside} = session;
  const members = await listMembers(session);
  const own = absences.flatMap(({name, email, from, until}) => {
    const member = email === '' ? undefined : members.get(createEmailComparisonKey(email));
    return member === undefined ? [] : [{name, member, from, until}];
  });
  if (own.length === 0) return;
  const say = session.json ? outside.warn : outside.print;
  say(
    `Days off that are not over:\n${own.map(({name, from, until}) => `  ${line(name)}: ${line(from)} to ${line(until)}\n`).join('')}`,
  );
  if (wanted !== true) {
    if (yes === true || !outside.isInteractive) return say('To record them here: --absences\n');
    if (!/^y(?:es)?$/i.test(await outside.ask('Record them here? [y/N] '))) return;
  }
  let recorded = 0;
  for (const {name, member, from, until} of own) {
    const query = {member, from, until, limit: 100};
    const known = need(await client.GET('/v1/absences', {params: {query}}));
    if (known.data.some((one) => one.from === from && one.until === until)) continue;
    const params = {header: {'Idempotency-Key': outside.createId()}};
    const answer = await client.POST('/v1/absences', {
      params,
      body: {member, kind: 'away', from, until},
    });
    if (answer.response.ok) recorded += 1;
    else outside.warn(`${line(name)}, ${from} to ${until}: ${line(answer.error?.detail ?? 'refused')}\n`);
  }
  say(`${recorded} of them are recorded.\n`);
}

/** Lists the imports of the workspace, and one that was interrupted here. */
export async function showImports(session: Session): Promise<void> {
  const {client, outside} = session;
  const {data} = need(await client.GET('/v1/imports', {params: {query: {limit: 20}}}));
  if (session.json) return printBody(session);
  const rows = data
    .filter(({dry_run: isDry}) => !isDry)
    .map(({id, source, state, counts, removed, created_at: at}) => [
      id,
      source,
      state,
      at.slice(0, 10),
      String(counts.created),
      String(removed),
    ]);
  printTable(
    session,
    ['IMPORT', 'SOURCE', 'STATE', 'BEGUN', 'CREATED', 'TAKEN BACK'],
    rows,
    'There are no imports.',
  );
  const kept = readKeptImport(outside);
  if (kept !== undefined && isOwnImport(session, kept)) {
    outside.print(
      `One was interrupted here after ${kept.sentRows} of ${kept.rows} standups. To go on: standup import resume\n`,
    );
  }
}

const pollMs = 1_000;

/** Takes back the standups of an import: of the given one, the interrupted one, or the newest. */
export async function undoImport(
  impatient: Session,
  given: string | undefined,
  options: Pick<ImportOptions, 'yes'>,
): Promise<void> {
  const session = makePatient(impatient);
  const {client, outside} = session;
  const kept = readKeptImport(outside);
  const own = kept !== undefined && isOwnImport(session, kept) ? kept : undefined;
  if (own !== undefined && own.id === null && given === undefined) {
    forgetImport(outside);
    return outside.print('Nothing was imported. The interrupted import is forgotten.\n');
  }
  const id = given ?? own?.id ?? (await findNewest(session));
  const path = {import: id};
  const found = need(await client.GET('/v1/imports/{import}', {params: {path}}));
  const question = `Take back ${countStandups(found.counts.created)} of ${line(found.source)}, begun on ${line(found.created_at.slice(0, 10))}? Those that were edited here stay. [y/N] `;
  if (options.yes !== true) {
    if (!outside.isInteractive) {
      return outside.warn(`Nothing was taken back. Add --yes to take back ${line(id)}.\n`);
    }
    if (!/^y(?:es)?$/i.test(await outside.ask(question))) return outside.warn('Nothing was taken back.\n');
  }
  if (found.state !== 'removing' && found.state !== 'removed') {
    const params = {
      path,
      query: {rows: 'remove' as const},
      header: {'Idempotency-Key': outside.createId()},
    };
    need(await client.DELETE('/v1/imports/{import}', {params}));
  }
  if (own !== undefined && own.id === id) forgetImport(outside);
  outside.sayIfInterrupted('The standups are being taken back all the same. See: standup import status');
  let now = found;
  do {
    now = need(await client.GET('/v1/imports/{import}', {params: {path}}));
    outside.showProgress(`Taking back: ${now.removed} of ${found.counts.created} …`);
    if (now.state === 'removing') await outside.sleep(pollMs);
  } while (now.state === 'removing');
  outside.showProgress('');
  outside.sayIfInterrupted('');
  if (session.json) return printBody(session);
  const stay = now.kept > 0 ? ` ${now.kept} stay, because they were edited here.` : '';
  outside.print(`${countStandups(now.removed)} taken back.${stay}\n`);
}

async function findNewest({client}: Session): Promise<string> {
  const {data} = need(await client.GET('/v1/imports', {params: {query: {limit: 100}}}));
  const newest = data.find(({dry_run: isDry, state}) => !isDry && state !== 'removed');
  if (newest === undefined) throw new CommandError('notFound', 'There is no import to take back.');
  return newest.id;
}
