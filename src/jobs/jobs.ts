// src/jobs/: background work, with its queue and a handler for each kind of work. Jobs carry wake-ups and
// times; the store holds the data. No code here makes decisions about standups or webhooks.
import {type Perform, findWorkSide, type Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';
import {createBatchPerformer} from './batches.js';
import {createCatchUpPerformer} from './catch-up.js';
import {callDeadline, createSystemCall, type JobContext} from './context.js';
import {createDeliveryPerformer, type Deliver} from './deliver.js';
import {createFairGate} from './fair-gate.js';
import {createRecentEventCache} from './known-events.js';
import {createFanOutPerformer} from './fan-out.js';
import {takeOverLeases} from './predecessors.js';
import {startScheduler} from './scheduler.js';
import {createReplayPerformer} from './replay.js';
import {createMailPerformer} from './send-mail.js';
import {createStepPerformer} from './steps.js';
import type {JoinSlack} from './slack-consumer.js';
import type {RawClient} from './work-queue.js';
import {createWorkRunner} from './work-runner.js';
import {createUpkeep} from './upkeep.js';

/**
 * The numbers of slots. Time slices share one processor, so more slots would only make them wait for each
 * other. `low` is limited to about 65 slices a second. Slices of `slack` wait for Slack. Each slice of `mail`
 * has one connection to the mail server, and servers allow few.
 */
const gateLimits = {
  slots: {normal: 12, low: 4, slack: 16, mail: 4, away: 12},
  perWorkspace: 10,
  lowRestMs: 60,
};

const hourMs = 3_600_000;

type WorkOf<K extends Work['kind']> = Extract<Work, {kind: K}>;

/** The work for Slack, in a process that serves Slack. */
export interface SlackWork {
  readonly read: Perform<{kind: 'read-slack'}>;
  readonly post: Perform<{kind: 'post-slack'; channel: string}>;
  readonly finish: Perform<{kind: 'finish-team'; form: string}>;
  readonly readReplies: Perform<WorkOf<'read-replies'>>;
  readonly lookAtStatuses: Perform<WorkOf<'look-at-statuses'>>;
  readonly join: JoinSlack;
  /** Checks the Slack profile of every member. */
  readonly lookAtPeople: (signal: AbortSignal) => Promise<void>;
}

export interface Jobs {
  wake: (workspace: Id<'workspace'>, work: Work) => void;
  readonly pressing: Deliver['pressing'];
  close: () => Promise<void>;
}

/** Starts the parts of a worker process: handlers, the work runner, the queue and the scheduler. */
export async function startJobs(
  context: JobContext,
  queueClient: RawClient,
  slack?: SlackWork,
): Promise<Jobs> {
  const {services, log} = context;
  // The connection is not awaited. While the queue is unavailable, connecting continues and the scheduler
  // works without it.
  queueClient
    .connect()
    .catch((error: unknown) => log.debug({reason: String(error)}, 'the queue is unavailable'));
  const {createWorkQueue} = await import('./work-queue.js');
  const queue = createWorkQueue({client: queueClient, log});
  const wake = (workspace: Id<'workspace'>, work: Work): boolean =>
    (slack !== undefined || findWorkSide(work) !== 'slack') && runner.wake(workspace, work);
  const idle: Perform = async () => ({more: false});
  const known = createRecentEventCache();
  const deliver = createDeliveryPerformer(
    context,
    (workspace, work, lowPriority) => void runner.runHere(workspace, work, lowPriority),
    known,
  );
  const catchUp = createCatchUpPerformer(context, wake);
  const runner = createWorkRunner({
    performers: {
      'catch-up': catchUp,
      'fan-out': createFanOutPerformer(context, wake, known, deliver),
      deliver: deliver.perform,
      replay: createReplayPerformer(context, wake),
      schedule: createStepPerformer((workspace, {team}, span) =>
        services.runs.advanceRuns(createSystemCall(workspace, span), team),
      ),
      remind: createStepPerformer((workspace, _, span) =>
        services.remindByMail(createSystemCall(workspace, span)),
      ),
      notify: createStepPerformer((workspace, _, span) =>
        services.sendNotice(createSystemCall(workspace, span)),
      ),
      'purge-team': createBatchPerformer<WorkOf<'purge-team'>>(context, (workspace, {team}, span) =>
        services.teams.purgeTeam(createSystemCall(workspace, span), team),
      ),
      'clear-thread': createBatchPerformer<WorkOf<'clear-thread'>>(
        context,
        (workspace, {standup, erase}, span) =>
          services.clearThread(createSystemCall(workspace, span), standup, erase ? 'erase' : 'remove'),
      ),
      'undo-import': createBatchPerformer<WorkOf<'undo-import'>>(context, (workspace, work, span) =>
        services.undoImport(createSystemCall(workspace, span), work.import),
      ),
      'restate-runs': createBatchPerformer<WorkOf<'restate-runs'>>(context, async (workspace, days, span) => {
        await services.restateRuns(createSystemCall(workspace, span), days);
        return false;
      }),
      'mail-reports': createBatchPerformer<WorkOf<'mail-reports'>>(
        context,
        async (workspace, {run}, span) => {
          await services.mailReports(createSystemCall(workspace, span), run);
          return false;
        },
      ),
      'forget-member': createBatchPerformer<WorkOf<'forget-member'>>(
        context,
        (workspace, {member, erase, erasure}, span) =>
          services.forgetMember(createSystemCall(workspace, span), member, erase, erasure),
      ),
      'send-mail': createMailPerformer(context),
      'read-slack': slack?.read ?? idle,
      'post-slack': slack?.post ?? idle,
      'finish-team': slack?.finish ?? idle,
      'read-replies': slack?.readReplies ?? idle,
      'look-at-statuses': slack?.lookAtStatuses ?? idle,
    },
    queue,
    gate: createFairGate(gateLimits),
    isDoubtful: (workspace, work) => work.kind === 'deliver' && deliver.isDoubtful(workspace, work.webhook),
    isFrozen: (workspace) => context.store.frozen.isFrozen(workspace, callDeadline()),
    serverOf: context.store.serverOf,
    tracer: context.tracer,
    log,
  });
  const inheritance = await takeOverLeases(context, wake);
  queue.work(runner.runQueued, {slack: slack !== undefined});
  const {choresEveryMs = hourMs} = context;
  const schedulers = [
    startScheduler(context, {
      side: 'service',
      wake: runner.wake,
      chores: createUpkeep(context, catchUp),
      choresEveryMs,
    }),
  ];
  if (slack !== undefined)
    schedulers.push(
      startScheduler(context, {
        side: 'slack',
        wake: runner.wake,
        prepare: slack.join,
        chores: slack.lookAtPeople,
        choresEveryMs: context.choresEveryMs ?? 24 * hourMs,
      }),
    );
  return {
    wake,
    pressing: deliver.pressing,
    async close() {
      await Promise.all(schedulers.map((scheduler) => scheduler.close()));
      await runner.close();
      try {
        await deliver.close();
      } finally {
        await inheritance.close();
        await queue.close();
      }
    },
  };
}
