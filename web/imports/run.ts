// Sends the rows of a file, one request after another. It goes on while the person looks at other pages, and ends
// with the tab: the same file then continues it.
import {splitIntoRequests} from '../../packages/import-files/src/rows.js';
import {newKey} from '../api/new-key.ts';
import {Problem} from '../api/problem.ts';
import {invalidate} from '../api/queries.ts';
import {listRecordedRequests, onRecorded} from '../api/record.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {onSessionEnd} from '../api/session.ts';
import {sleep} from '../api/sleep.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';
import {createStore} from '../parts/store.ts';
import {addToReport, emptyReport, type FileRow, type ImportReport} from './report.ts';
import type {UnsentRows} from './teams.ts';

export interface RunPlan extends Pick<Schema<'NewImport'>, 'people'> {
  readonly source: string;
  readonly timezone: string | null;
  readonly isDry: boolean;
  readonly rows: readonly FileRow[];
  readonly unsent: UnsentRows;
  /** The zone that decides about the day of a row's time. */
  readonly zoneOf: (row: FileRow['row']) => string;
  /** An open import, which the rows continue. */
  readonly continued?: string | undefined;
}

export interface ImportRun {
  readonly plan: RunPlan;
  /** Undefined until the service has begun the import. */
  readonly id: string | undefined;
  /** The number of rows that the service has answered. */
  readonly sent: number;
  /** The idempotency key of the next request. An aborted one may have arrived, so it is repeated with its key. */
  readonly key: string;
  readonly report: ImportReport;
  readonly state: 'sending' | 'stopped' | 'done';
  /** True while the quota allows no further request. */
  readonly isWaiting: boolean;
  /** The problem that has stopped it; undefined if the person did. */
  readonly problem: Problem | undefined;
}

export const importRun = createStore<ImportRun | undefined>(undefined);

let ending: AbortController | undefined;

onSessionEnd(() => {
  ending?.abort();
  importRun.set(undefined);
});

export function startRun(plan: RunPlan): void {
  const begun = {id: plan.continued, sent: 0, key: newKey(), report: emptyReport};
  importRun.set({plan, ...begun, state: 'stopped', isWaiting: false, problem: undefined});
  void continueRun();
}

export function stopRun(): void {
  ending?.abort();
}

/** Sends the rows that have not been answered, and finishes the import. It never throws. */
export async function continueRun(): Promise<void> {
  if (importRun.get()?.state !== 'stopped') return;
  const own = new AbortController();
  ending = own;
  const change = (next: Partial<ImportRun>): void => {
    const run = importRun.get();
    if (run !== undefined && ending === own) importRun.set({...run, ...next});
  };
  // The client repeats a refused request by itself. Its record shows when it waits.
  const forget = onRecorded(() => {
    const [last] = listRecordedRequests();
    if (last?.path.startsWith('/v1/imports') === true && last.method !== 'GET')
      change({isWaiting: last.status === 429});
  });
  change({state: 'sending', problem: undefined});
  addEventListener('beforeunload', askToStay);
  try {
    await sendAll(change, own.signal);
    change({state: 'done', isWaiting: false});
  } catch (error) {
    const problem = own.signal.aborted ? undefined : wrapAsProblem(error);
    change({state: 'stopped', isWaiting: false, problem});
  } finally {
    forget();
    removeEventListener('beforeunload', askToStay);
    await invalidate('import', 'standup');
  }
}

async function sendAll(change: (next: Partial<ImportRun>) => void, signal: AbortSignal): Promise<void> {
  const {plan, id, sent, key} = requireRun();
  const {source, timezone, isDry, people = [], rows, zoneOf} = plan;
  let nextKey = key;
  const renew = (): string => (nextKey = newKey());
  let found = id;
  if (found === undefined) {
    const body = {source, timezone, dry_run: isDry, people};
    found = (await repeat(() => send('post', '/v1/imports', {key: nextKey, body, signal}), signal)).id;
    change({id: found, key: renew()});
  }
  const to = {import: found};
  let answered = sent;
  for (const request of splitIntoRequests(rows.slice(sent))) {
    const body = {rows: request.map(({row}) => row)};
    const answer = await repeat(
      () => send('post', '/v1/imports/{import}/rows', {...to, key: nextKey, body, signal}),
      signal,
    );
    answered += request.length;
    change({
      sent: answered,
      key: renew(),
      report: addToReport(requireRun().report, request, answer, zoneOf),
    });
  }
  await repeat(() => send('post', '/v1/imports/{import}/finish', {...to, key: nextKey, signal}), signal);
}

/** Sends again when the quota allows it, for as long as it takes. */
async function repeat<Answer>(act: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429) throw error;
      await sleep(Math.max(1_000, (error.retryAt ?? 0) - Date.now()), signal);
    }
  }
}

function requireRun(): ImportRun {
  const run = importRun.get();
  if (run === undefined) throw new Error('The import has ended.');
  return run;
}

/** Ends an open import, also one that runs elsewhere. */
export async function endImport(id: string, rows: 'keep' | 'remove'): Promise<void> {
  await send('delete', '/v1/imports/{import}', {import: id, rows});
  const run = importRun.get();
  if (run?.id === id && run.state !== 'sending') importRun.set(undefined);
  await invalidate('import', 'standup');
}

/** Forgets a run that has ended. A dry run that was stopped is ended, as far as the service can be reached. */
export function dropRun(): void {
  const run = importRun.get();
  importRun.set(undefined);
  if (run?.plan.isDry === true && run.id !== undefined && run.state === 'stopped')
    void endImport(run.id, 'keep').catch(() => undefined);
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
