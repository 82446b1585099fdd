import type {Call, Caller} from '../../domain/core/access.js';
import type {Commit, Guard} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {type IdSuffix, isId, suffixOf} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {setRequestCount} from '../../domain/core/quota.js';
import type {WireJson} from '../../domain/core/resource.js';
import {
  type AddedRows,
  type CheckedRow,
  draftImport,
  findListsWithImport,
  type Import,
  nameExternalPerson,
  type NewImport,
} from '../../domain/imports/import.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {planNothing} from '../core/mutation.js';
import {listRecords, readPage} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {computeImportEnd, createEndImportWrites, createReviseImportWrite} from './import-records.js';
import {hashPerson} from './keyed-hash.js';
import {createRowPlanner} from './plan-rows.js';

const act = 'import history';

/** The time (ms) for which rows are checked before others get a turn. */
const sliceMs = 5;

/** Imports of standups from another product. Owners, admins and service accounts use them. */
export function createImportService(context: ServiceContext) {
  const {mutate, records, authority, clock, generateSuffix, generateSecret, monotonic, nextSlice} = context;
  const planRows = createRowPlanner(context);

  async function requireImport({workspace, deadline}: Caller, id: string): Promise<Import> {
    const found = isId('import', id) ? await records.find(workspace, id, deadline) : undefined;
    if (found === undefined) throw notFound('import');
    return found;
  }

  function requireOpen(found: Import): void {
    if (found.state === 'open' && clock.now() < computeImportEnd(found)) return;
    const state = found.state === 'open' ? 'abandoned' : found.state;
    throw new AppError('import_closed', `The import is ${state}, and takes no more rows.`);
  }

  /**
   * Requires that no import is open that creates standups, or for `taken` no other one. Otherwise rows would count
   * as `existing` that are about to be removed. Returns a guard. Errors: `limit_reached`.
   */
  async function requireNoneInProgress(call: Call, taken?: Import): Promise<Guard> {
    const list = lists.importInProgress();
    const found = await listRecords(records, call, {list, limit: limits.pageMax, upward: true});
    const other = found.find(({id, state}) =>
      taken === undefined ? true : id !== taken.id && state === 'open',
    );
    if (other === undefined) return {check: 'listed', list, suffixes: found.map(({id}) => suffixOf(id))};
    const {id, source, state} = other;
    const detail =
      state === 'open'
        ? `A workspace has one open import, which is ${id} of "${source}". Finish or cancel it first.`
        : `The import ${id} of "${source}" is being taken back. Wait until its state is \`removed\`.`;
    throw new AppError('limit_reached', detail);
  }

  async function listPeople(
    call: Call,
    suffix: IdSuffix<'import'>,
    people: NonNullable<NewImport['people']>,
  ) {
    const ids = people.flatMap(({member}) => (member === null || !isId('member', member) ? [] : [member]));
    const found = await records.findMany(call.workspace, ids, call.deadline);
    const known = new Set(found.flatMap((member) => member?.id ?? []));
    const choices = new Map<string, string>();
    for (const [i, {person, by = 'external_id', member}] of people.entries()) {
      const name = nameExternalPerson(by, person);
      if (choices.has(name)) {
        throw fieldError('validation_failed', `#/people/${i}/person`, '`people` names this person twice.');
      }
      if (member !== null && isId('member', member) && !known.has(member)) {
        throw fieldError('validation_failed', `#/people/${i}/member`, 'There is no such member here.');
      }
      choices.set(name, member ?? '');
    }
    return [...choices].map(([person, choice]) => [hashPerson(suffix, person), choice] as const);
  }

  async function planCreate(call: Call, input: NewImport): Promise<Commit> {
    const proof = await authority.requireAdmin(call, act);
    const isDry = input.dry_run === true;
    const guards = isDry ? proof : [...proof, await requireNoneInProgress(call)];
    const suffix = generateSuffix();
    const people = await listPeople(call, suffix, input.people ?? []);
    const listed = findListsWithImport(toInstant(clock.now()).slice(0, 10), isDry);
    const created = {...createWrite('import', suffix, draftImport(input), listed), placed: {}};
    return {
      guards,
      writes: [
        created,
        {do: 'keep-import-key', key: generateSecret()},
        ...(people.length === 0 ? [] : [{do: 'keep-import-people', import: suffix, people} as const]),
      ],
      events: [],
      reply: {kind: 'resource', of: created},
    };
  }

  /** Checks rows in slices: the errors of 100 wrong rows take long to describe. */
  async function checkRows<Row>(
    {workspace}: Call,
    rows: readonly Row[],
    check: (row: Row) => CheckedRow,
  ): Promise<readonly CheckedRow[]> {
    const checked: CheckedRow[] = [];
    let slice = monotonic();
    for (const row of rows) {
      checked.push(check(row));
      if (monotonic() - slice < sliceMs) continue;
      await nextSlice(workspace);
      slice = monotonic();
    }
    return checked;
  }

  async function planAdd(
    call: Call,
    id: string,
    check: () => Promise<readonly CheckedRow[]>,
  ): Promise<Commit> {
    const proof = await authority.requireAdmin(call, act);
    const found = await requireImport(call, id);
    requireOpen(found);
    const {guards, writes, added} = await planRows(call, found, await check());
    const counts = {...found.counts};
    for (const [outcome, count] of Object.entries(added.counts)) {
      counts[outcome as keyof typeof counts] += count;
    }
    const nearMidnight = found.near_midnight + added.near_midnight;
    const revised = createReviseImportWrite(found, {counts, near_midnight: nearMidnight});
    return {
      guards: [...proof, ...guards],
      writes: [...writes, revised],
      events: [],
      reply: {kind: 'inline', accepted: false, body: JSON.stringify(added)},
    };
  }

  async function planFinish(call: Call, id: string): Promise<Commit> {
    const proof = await authority.requireAdmin(call, act);
    const found = await requireImport(call, id);
    if (found.state === 'completed') return planNothing(found);
    requireOpen(found);
    const [revised, ...ended] = createEndImportWrites(found, 'completed', toInstant(clock.now()));
    const about = suffixOf(found.id);
    return {
      // The rows may have filled the workspace. The end adds one event, and forgets who is who.
      effect: 'release',
      guards: proof,
      writes: [revised, ...ended],
      events: found.dry_run ? [] : [{type: 'import.completed', about, revision: found.revision + 1}],
      reply: {kind: 'resource', of: revised},
    };
  }

  async function planCancel(
    call: Call,
    id: string,
    takesBack: boolean,
    expected: Precondition | undefined,
  ): Promise<Commit> {
    const proof = await authority.requireAdmin(call, act);
    const found = await requireImport(call, id);
    requireRevision(expected, found.revision);
    const {state} = found;
    const now = clock.now();
    if (state === 'removing' || state === 'removed' || (state === 'cancelled' && !takesBack)) {
      return {guards: proof, writes: [], events: [], reply: {kind: 'empty'}};
    }
    if (state !== 'open' && !takesBack) {
      const detail = `The import is ${state}. To take back what it has made, add ?rows=remove.`;
      throw new AppError('import_closed', detail);
    }
    if (takesBack && now >= Date.parse(found.created_at) + lifetimes.importRemovable * 1_000) {
      throw new AppError('import_closed', 'An import can be taken back for 30 days; these are over.');
    }
    const removes = takesBack && !found.dry_run;
    const guards = removes ? [...proof, await requireNoneInProgress(call, found)] : proof;
    const endedAt = found.ended_at ?? toInstant(now);
    return {
      effect: 'release',
      guards,
      writes: [
        ...createEndImportWrites(found, removes ? 'removing' : 'cancelled', endedAt),
        ...(removes ? [{do: 'begin-work', work: {kind: 'undo-import', import: found.id}} as const] : []),
      ],
      events: [],
      reply: {kind: 'empty'},
    };
  }

  return {
    /** Errors: `forbidden`, `validation_failed`, `limit_reached` while another is open or taken back. */
    createImport: (call: Call, input: NewImport): Promise<Answer<Import>> =>
      mutate(call, () => planCreate(call, input)),
    /** Adds rows in one commit. Errors: `forbidden`, `not_found`, `import_closed`, `insufficient_scope`. */
    addRows<Row>(
      call: Call,
      id: string,
      rows: readonly Row[],
      check: (row: Row) => CheckedRow,
    ): Promise<Answer<AddedRows>> {
      setRequestCount(call.quota, Math.ceil(rows.length / limits.importRowsPerWrite));
      let checked: Promise<readonly CheckedRow[]> | undefined;
      return mutate(call, () => planAdd(call, id, () => (checked ??= checkRows(call, rows, check))));
    },
    /** Completes an import; a repeat changes nothing. Errors: `forbidden`, `not_found`, `import_closed`. */
    finishImport: (call: Call, id: string): Promise<Answer<Import>> =>
      mutate(call, () => planFinish(call, id)),
    /** Errors: `forbidden`, `not_found`, `import_closed`, `limit_reached`, `precondition_failed`. */
    cancelImport: (
      call: Call,
      id: string,
      takesBack: boolean,
      expected?: Precondition,
    ): Promise<Answer<void>> => mutate(call, () => planCancel(call, id, takesBack, expected)),
    /** Errors: `forbidden`, `not_found`. */
    async findImport(access: Caller, id: string): Promise<Import> {
      await authority.requireAdmin(access, act);
      return requireImport(access, id);
    },
    /** Lists imports, newest first. Errors: `forbidden`. */
    async listImports(access: Caller, page: PageQuery): Promise<Page<WireJson<Import>>> {
      await authority.requireAdmin(access, act);
      return readPage(records, access, {list: lists.imports(), ...page});
    },
  };
}
