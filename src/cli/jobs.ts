import type {Command} from 'commander';
import type {Id} from '../domain/core/ids.js';
import {workerAdvice} from '../domain/core/work.js';
import type {WaitingJob, WaitingJobs} from '../service/waiting-jobs.js';
import {formatTable} from '../domain/core/table.js';
import type {QueueCounts, Session, WithSession} from './session.js';
import {UsageError} from './usage.js';

interface JobsOptions {
  readonly workspace?: string;
  readonly limit: string;
}

/** `limit`: the number of rows for each workspace. `isServed`: true if a process does the work for Slack. */
interface JobsListOptions {
  readonly limit: number;
  readonly isServed: boolean;
}

const limits = {usual: 50, most: 1_000};
const hour = 3_600_000;

export function addJobsCommand(program: Command, withSession: WithSession): void {
  program
    .command('jobs')
    .option('--workspace <slug>', 'slug or id of one workspace (default: all of them)')
    .option('--limit <number>', 'the most rows to show for each workspace, 1 to 1000', String(limits.usual))
    .description('show the waiting background jobs, since when they wait, and the process that holds each')
    .action((options: JobsOptions) =>
      withSession(async (session) => {
        const limit = parseRowLimit(options.limit);
        const {services, print, deadline} = session;
        const workers = await services.waitingJobs.listWorkers(deadline());
        const isServed = workers.some(({sides}) => sides.includes('slack'));
        const queues = await session.countQueued();
        const rows = await listWorkRows(session, options, {limit, isServed});
        print(
          [
            formatTable(
              ['PROCESS', 'SEEN', 'LOOKS FOR WORK OF'],
              workers.map(formatWorker),
              `No process works here: ${workerAdvice}.`,
            ),
            formatTable(['QUEUE', 'WAITING', 'ACTIVE', 'DELAYED', 'FAILED'], queues.map(formatQueue)),
            formatTable(['WORKSPACE', 'JOB', 'ABOUT', 'DUE', 'HELD BY'], rows, 'Nothing waits.'),
          ].join('\n'),
        );
      }),
    );
}

/** Reads the number of rows from an argument. Errors: `UsageError`. */
function parseRowLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.most) return limit;
  throw new UsageError(`"${text}" is not a number of rows: use 1 to ${limits.most}.`);
}

async function listWorkRows(
  {services, chooseWorkspace, deadline}: Session,
  {workspace}: JobsOptions,
  view: JobsListOptions,
): Promise<string[][]> {
  const asked =
    workspace === undefined
      ? await services.workspaces.listWorkspaces(deadline())
      : [await chooseWorkspace(workspace)];
  const rows: string[][] = [];
  for (const {id, slug} of asked) {
    rows.push(...(await listJobRows(services.waitingJobs, {id, slug}, view, deadline())));
  }
  return rows;
}

async function listJobRows(
  waitingJobs: WaitingJobs,
  {id, slug}: {readonly id: Id<'workspace'>; readonly slug: string},
  {limit, isServed}: JobsListOptions,
  deadline: number,
): Promise<string[][]> {
  const {jobs, total} = await waitingJobs.list(id, limit, deadline);
  const rows = jobs.map((job) => [slug, ...formatJob(job, isServed)]);
  const more = total - jobs.length;
  return more > 0 ? [...rows, [slug, `and ${more} more`]] : rows;
}

function formatJob({kind, side, about, dueInMs, hold}: WaitingJob, isServed: boolean): string[] {
  const due = dueInMs > 0 ? `in ${formatTimeSpan(dueInMs)}` : `for ${formatTimeSpan(-dueInMs)}`;
  return [kind, about, due, side === 'slack' && !isServed ? 'no process serves Slack' : formatHold(hold)];
}

function formatHold(hold: WaitingJob['hold']): string {
  switch (hold?.by) {
    case undefined:
      return '';
    case 'requests':
      return `${hold.count} request${hold.count === 1 ? '' : 's'}, at most ${formatTimeSpan(hold.forMs)}`;
    case 'turn':
      return `${hold.holder.split('.')[0] ?? ''}, at most ${formatTimeSpan(hold.forMs)}`;
    case 'slack':
      return `Slack's limit, ${formatTimeSpan(hold.forMs)}`;
  }
}

type SeenWorker = Awaited<ReturnType<WaitingJobs['listWorkers']>>[number];

function formatWorker({holder, silentMs, sides}: SeenWorker): string[] {
  return [holder, `${formatTimeSpan(silentMs)} ago`, sides.join(', ')];
}

/** Formats the counts of a queue; without them, its Redis did not answer. */
function formatQueue({name, counts}: QueueCounts): string[] {
  if (counts === undefined) return [name, 'away'];
  return [name, ...[counts.waiting, counts.active, counts.delayed, counts.failed].map(String)];
}

function formatTimeSpan(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 2 * hour) return `${Math.round(ms / 60_000)} min`;
  return ms < 48 * hour ? `${Math.round(ms / hour)} h` : `${Math.round(ms / (24 * hour))} days`;
}
