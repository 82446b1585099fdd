import {type Call, type Principal, requireScope} from '../../domain/core/access.js';
import {type CommitPart, type Guard} from '../../domain/commit/commit.js';
import {type CreateWrite, createWrite, type Write} from '../../domain/commit/writes.js';
import {cleanName} from '../../domain/core/clean-name.js';
import {addDays, dayNumber, parseInstant, toInstant} from '../../domain/core/dates.js';
import type {InputError} from '../../domain/core/errors.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Draft} from '../../domain/core/resource.js';
import {countCodePoints} from '../../domain/core/text.js';
import {parseMinuteOfDay} from '../../domain/core/zones.js';
import {
  type AddedRows,
  type CheckedRow,
  createFormerMemberId,
  createRowEntry,
  firstImportedDate,
  type Import,
  type ImportRow,
  isNearMidnight,
  type KeyedHash,
  listNamesOfAuthor,
  noRows,
  type PersonChoice,
  type RowCounts,
  type RowOutcome,
} from '../../domain/imports/import.js';
import {formatAnswers} from '../../domain/questions/answers.js';
import {
  findListsWithStandup,
  findPrincipalUnlessAuthor,
  type Standup,
} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {findByAddress} from '../core/member-references.js';
import {createTeamsUnchangedGuard} from '../teams/find-team.js';
import {createFirstRetainedDateFinder} from '../workspaces/retention.js';
import {createHashFinder, hashPerson} from './keyed-hash.js';

/** The errors of a row that the answer lists: a request has many rows. */
const errorsPerRow = 3;

/** An author of the source. `principal`: null for one who is left out. */
interface FoundAuthor {
  /** The first row of the author in the request. The answer is kept for repeats, so it has no names. */
  readonly index: number;
  readonly principal: Principal<'member'> | null;
  /** The record of a member, for the guard that no one has removed them meanwhile. */
  readonly member: Member | undefined;
}

interface DatedRow {
  readonly date: string;
  readonly isNearMidnight: boolean;
}

/** A row that becomes a standup unless a run or its author prevents it. */
interface WantedRow extends DatedRow {
  readonly index: number;
  readonly row: ImportRow;
  readonly team: Team;
  readonly entry: string;
  readonly update: string;
}

interface RefusedRow {
  readonly index: number;
  readonly outcome: Exclude<RowOutcome, 'created'>;
  readonly errors: readonly InputError[];
}

/** Plans the standups of rows. The import's record is not part of it. Errors: `insufficient_scope`. */
export function createRowPlanner(context: ServiceContext) {
  const {records, teams, imports, zones, clock, generateSuffix} = context;
  const findHash = createHashFinder(context);
  const findFirstRetained = createFirstRetainedDateFinder(context);

  function findDate({date, posted_at: at, timezone}: ImportRow, found: Import, team: Team): DatedRow {
    if (date !== undefined) return {date, isNearMidnight: false};
    const shown = zones.clockAt(timezone ?? found.timezone ?? team.timezone, parseInstant(at ?? '') ?? 0);
    return {date: shown.date, isNearMidnight: isNearMidnight(parseMinuteOfDay(shown.time))};
  }

  /** Chooses the rows that their content, team and date allow. */
  async function sortRows(call: Call, found: Import, rows: readonly CheckedRow[], hash: KeyedHash) {
    const directory = await teams.of(call);
    const entries = rows.map((checked) =>
      'row' in checked ? createRowEntry(hash, found.source, checked.row.external_id) : '',
    );
    const valid = entries.filter((entry) => entry !== '');
    const known = new Set(await imports.listKnown(call.workspace, valid, call.deadline));
    const refused: RefusedRow[] = [];
    const wanted: WantedRow[] = [];
    for (const [index, checked] of rows.entries()) {
      const refuse = (outcome: RefusedRow['outcome'], errors: readonly InputError[] = []) =>
        refused.push({index, outcome, errors});
      const entry = entries[index] ?? '';
      if ('errors' in checked) {
        refuse('invalid', checked.errors);
        continue;
      }
      const {row} = checked;
      const update = row.update ?? formatAnswers(row.answers ?? []);
      const team = directory.byReference(row.team);
      const errors = findContentErrors(row);
      if (errors.length > 0) refuse('invalid', errors);
      else if (known.has(entry)) refuse('existing');
      else if (team === undefined) refuse('unknown_team');
      else {
        const dated = findDate(row, found, team);
        const last = addDays(zones.dayIn(team.timezone, clock.now()), 1);
        const dates = [dated.date, ...(row.posted_at === undefined ? [] : [dayOf(row.posted_at)])];
        if (dates.some((date) => date < firstImportedDate || date > last)) refuse('bad_date');
        else wanted.push({index, row, team, entry, update, ...dated});
      }
    }
    return {refused, wanted, guard: createTeamsUnchangedGuard(directory)};
  }

  /** Refuses rows that retention would delete at once, and those of days with a run. */
  async function checkDays(call: Call, wanted: readonly WantedRow[]) {
    const [oldest = firstImportedDate] = wanted.map(({date}) => date).toSorted();
    const retained = await findFirstRetained(call, oldest);
    const days = new Map(
      wanted.map(({team, date}) => [
        `${team.id} ${date}`,
        {list: lists.runsOfTeam(team.id), day: dayNumber(date)},
      ]),
    );
    const ran = await imports.hasEntries(call.workspace, [...days.values()], call.deadline);
    const ranOn = new Set([...days.keys()].filter((_, i) => ran[i]));
    return ({team, date}: WantedRow): RefusedRow['outcome'] | Guard => {
      if (retained !== undefined && date < retained.first) return 'older_than_retention';
      const key = `${team.id} ${date}`;
      return ranOn.has(key)
        ? 'run_exists'
        : {check: 'day-free', list: lists.runsOfTeam(team.id), day: dayNumber(date)};
    };
  }

  async function findAuthors(call: Call, found: Import, wanted: readonly WantedRow[], hash: KeyedHash) {
    const people = await imports.findPeople(call.workspace, found.id, call.deadline);
    const asked = Map.groupBy(wanted, ({row: {author}}) => listNamesOfAuthor(author)[0]);
    const authors = await Promise.all(
      [...asked].map(async ([person, rows]): Promise<[string, FoundAuthor] | undefined> => {
        const [first] = rows;
        if (first === undefined) return undefined;
        // Not every row of a person has their address, which decides who they are.
        const {author} = (rows.find(({row}) => row.author.email !== undefined) ?? first).row;
        const choice = listNamesOfAuthor(author)
          .map((name) => people.get(hashPerson(suffixOf(found.id), name)))
          .find((chosen) => chosen !== undefined);
        const member = await findMember(call, author, choice);
        if (member === null) return [person, {index: first.index, principal: null, member: undefined}];
        const {id, name} =
          member === 'former'
            ? {id: createFormerMemberId(hash, found.source, person), name: cleanName(author.name)}
            : member;
        const principal = {type: 'member', id, name} as const;
        return [person, {index: first.index, principal, member: member === 'former' ? undefined : member}];
      }),
    );
    return leaveOutErased(call, new Map(authors.filter((author) => author !== undefined)));
  }

  /** Leaves out former members who were erased: these have no record whose end would say so. */
  async function leaveOutErased(call: Call, authors: ReadonlyMap<string, FoundAuthor>) {
    const suffixes = [...authors.values()].flatMap(({principal, member}) =>
      principal === null || member !== undefined ? [] : [suffixOf(principal.id)],
    );
    const erased = await imports.listKnown(call.workspace, suffixes, call.deadline);
    return new Map(
      [...authors].map(([person, author]): [string, FoundAuthor] => {
        const {principal, member} = author;
        const isErased = principal !== null && member === undefined && erased.has(suffixOf(principal.id));
        return [person, isErased ? {...author, principal: null} : author];
      }),
    );
  }

  /** Finds the member that an author is. Null: the author is left out. */
  async function findMember(
    call: Call,
    {email}: ImportRow['author'],
    choice: PersonChoice | undefined,
  ): Promise<Member | 'former' | null> {
    if (choice === null) return null;
    if (choice === 'former') return 'former';
    if (choice !== undefined) return (await records.find(call.workspace, choice, call.deadline)) ?? null;
    if (email === undefined) return 'former';
    // As for a post: only callers who may read members learn whether an address belongs to one.
    requireScope(call, 'members:read');
    return (await findByAddress(records, call, email)) ?? 'former';
  }

  return async function planRows(
    call: Call,
    found: Import,
    rows: readonly CheckedRow[],
  ): Promise<Pick<CommitPart, 'guards' | 'writes'> & {readonly added: AddedRows}> {
    const hash = await findHash(call);
    const {refused, wanted, guard} = await sortRows(call, found, rows, hash);
    const [checkDay, authors] = await Promise.all([
      checkDays(call, wanted),
      findAuthors(call, found, wanted, hash),
    ]);
    const guards = new Map<string, Guard>([['teams', guard]]);
    const writes: Write[] = [];
    let nearMidnight = 0;
    const created = new Set<string>();
    for (const one of wanted) {
      const refuse = (outcome: RefusedRow['outcome']) =>
        refused.push({index: one.index, outcome, errors: []});
      const author = authors.get(listNamesOfAuthor(one.row.author)[0]);
      const day = checkDay(one);
      if (created.has(one.entry)) {
        refuse('existing');
        continue;
      }
      if (typeof day === 'string') {
        refuse(day);
        continue;
      }
      if (!author?.principal) {
        refuse('left_out');
        continue;
      }
      created.add(one.entry);
      nearMidnight += one.isNearMidnight ? 1 : 0;
      if (found.dry_run) continue;
      const suffix = generateSuffix();
      guards.set(`${one.team.id} ${one.date}`, day);
      guards.set(one.entry, {check: 'name-free', names: 'imported', name: one.entry});
      const {member, principal} = author;
      guards.set(
        principal.id,
        member === undefined
          ? {check: 'name-free', names: 'imported', name: suffixOf(principal.id)}
          : {check: 'revision', id: member.id, revision: member.revision},
      );
      const draft = draftStandup(call, found, one, principal);
      writes.push(createPlacedStandup(suffix, draft), {
        do: 'name',
        names: 'imported',
        name: one.entry,
        suffix,
      });
    }
    return {
      guards: [...guards.values()],
      writes,
      added: {
        object: 'import_rows',
        import: found.id,
        counts: countOutcomes(refused, created.size),
        near_midnight: nearMidnight,
        not_created: refused
          .toSorted((a, b) => a.index - b.index)
          .map(({index, outcome, errors}) => ({
            index,
            outcome,
            errors: errors.slice(0, errorsPerRow).map(({pointer = '#', detail}) => ({pointer, detail})),
          })),
        authors: [...authors.values()].map(({index, principal, member}) => ({
          index,
          member: principal?.id ?? null,
          former: principal !== null && member === undefined,
        })),
      },
    };
  };
}

/** Returns the day of an instant in UTC. One far away may not be formatted as an instant. */
const dayOf = (instant: string): string => instant.slice(0, 10);

function findContentErrors({update, answers = []}: ImportRow): InputError[] {
  const length = countCodePoints(formatAnswers(answers));
  if (length <= limits.update) return [];
  const detail = `\`answers\` is ${length} characters long with the words of the questions; at most ${limits.update} are allowed.`;
  return [{code: 'validation_failed', pointer: update === undefined ? '#/update' : '#/answers', detail}];
}

function countOutcomes(refused: readonly RefusedRow[], created: number): RowCounts {
  const counts = {...noRows, created};
  for (const {outcome} of refused) counts[outcome] += 1;
  return counts;
}

function createPlacedStandup(suffix: CreateWrite['suffix'], draft: Draft<Standup>): CreateWrite {
  const created = createWrite('standup', suffix, draft, findListsWithStandup(draft));
  return {...created, placed: {lastListFor: lifetimes.importListed}};
}

function draftStandup(
  {principal}: Call,
  found: Import,
  {row, team, date, update}: WantedRow,
  author: Principal<'member'>,
): Draft<Standup> {
  const {posted_at: at, answers = []} = row;
  return {
    object: 'standup',
    team: team.slug,
    team_id: team.id,
    update,
    answers: answers.map(({question, type, label, value}) => ({question, type, label, value})),
    questions_version: null,
    author,
    posted_by: findPrincipalUnlessAuthor(author, principal),
    date,
    source: 'import',
    late: false,
    edited: false,
    edited_by: null,
    metadata: {},
    imported: {
      import: found.id,
      source: found.source,
      external_id: row.external_id,
      posted_at: at === undefined ? null : toInstant(parseInstant(at) ?? 0),
    },
  };
}
