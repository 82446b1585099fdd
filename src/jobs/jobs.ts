import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import {type Perform, findWorkSide, type Work} from '../domain/core/work.js';
import type {Services} from '../service/services.js';
import {type Call, createCallByService} from '../domain/core/access.js';
import {createBatchPerformer} from './batches.js';
import {createCatchUpPerformer} from './catch-up.js';
import {createDeliveryPerformer, type Deliver, type DeliverParts} from './deliver.js';
import {createFairGate} from './fair-gate.js';
import {createRecentEventCache} from './known-events.js';
import {createFanOutPerformer, type FanOutParts} from './fan-out.js';
import {type PredecessorParts, takeOverLeases} from './predecessors.js';
import {type SchedulerParts, startScheduler} from './scheduler.js';
import {createReplayPerformer} from './replay.js';
import {createSchedulePerformer} from './schedules.js';
import type {JoinSlack} from './slack-consumer.js';
import type {RawClient} from './work-queue.js';
import {createWorkRunner} from './work-runner.js';
import {createUpkeep, type UpkeepParts} from './upkeep.js';
import type {Id} from '../domain/core/ids.js';
import type {Store} from '../store/store.js';

/**
 * The numbers of slots. Time slices share one processor, so more slots would only make them wait for each
 * other. `low` is limited to about 65 slices a second. Slices of `slack` wait for Slack.
 */
const gateLimits = {slots: {normal: 12, low: 4, slack: 16}, perWorkspace: 10, lowRestMs: 60};

const dayMs = 24 * 3_600_000;

type WorkOf<K extends Work['kind']> = Extract<Work, {kind: K}>;

/** The parts of the store that background jobs use. */
export type JobStore = Pick<
  Store,
  | 'appendOnlyFile'
  | 'clock'
  | 'deliveries'
  | 'events'
  | 'ready'
  | 'records'
  | 'replays'
  | 'retention'
  | 'cipher'
  | 'subscriptions'
  | 'workers'
  | 'workspaces'
  | 'workspaceBytes'
>;

export interface JobParts
  extends Pick<DeliverParts, 'pace' | 'send' | 'sign' | 'userAgent' | 'random' | 'failpoint' | 'meter'>,
    Pick<FanOutParts, 'sha256'>,
    Pick<PredecessorParts, 'host' | 'leaseMs'>,
    Pick<UpkeepParts, 'checkSlack'>,
    Pick<SchedulerParts, 'holder' | 'choresEveryMs' | 'schedulerIntervalMs'> {
  readonly store: JobStore;
  readonly services: Pick<
    Services,
    'webhookFailures' | 'teams' | 'runs' | 'restateRuns' | 'forgetMember' | 'purgeExpired'
  >;
  readonly queueClient: RawClient;
  readonly log: Log;
  /** The work for Slack, in a process that serves Slack. */
  readonly slack?: {
    readonly read: Perform<{kind: 'read-slack'}>;
    readonly post: Perform<{kind: 'post-slack'; channel: string}>;
    readonly finish: Perform<{kind: 'finish-team'; form: string}>;
    readonly join: JoinSlack;
    /** Checks the Slack profile of every member. */
    readonly lookAtPeople: (signal: AbortSignal) => Promise<void>;
  };
}

export interface Jobs {
  wake: (workspace: Id<'workspace'>, work: Work) => void;
  readonly pressing: Deliver['pressing'];
  close: () => Promise<void>;
}

/**
 * Starts the parts of a worker process: the handlers of work, the work runner, the queue and the scheduler.
 */
export async function startJobs(parts: JobParts): Promise<Jobs> {
  const {store, services, queueClient, log, slack} = parts;
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
  const deliver = createDeliveryPerformer({
    ...parts,
    known,
    deliveries: store.deliveries,
    events: store.events,
    now: () => store.clock.now(),
    retention: store.retention,
    wake: (workspace, work, lowPriority) => void runner.runHere(workspace, work, lowPriority),
    decrypt: (purpose, webhook, encrypted) => store.cipher.decrypt(purpose, webhook, encrypted),
    disable: async (workspace, webhook, url) => {
      await services.webhookFailures.disableWebhook(createSystemCall(workspace), webhook, 'gone', url);
    },
    judge: (workspace, webhook) =>
      services.webhookFailures.judgeWebhook(createSystemCall(workspace), webhook),
  });
  const complete = (workspace: Id<'workspace'>, work: Work) =>
    store.ready.reschedule(workspace, work, undefined, callDeadline());
  const catchUp = createCatchUpPerformer({...store, sha256: parts.sha256, wake});
  const runner = createWorkRunner({
    performers: {
      'catch-up': catchUp,
      'fan-out': createFanOutPerformer({...store, known, sha256: parts.sha256, wake}),
      deliver: deliver.perform,
      replay: createReplayPerformer({...store, complete, sha256: parts.sha256, wake}),
      schedule: createSchedulePerformer({
        advance: (workspace, team) => services.runs.advanceRuns(createSystemCall(workspace), team),
      }),
      'purge-team': createBatchPerformer<WorkOf<'purge-team'>>({
        doSome: (workspace, {team}) => services.teams.purgeTeam(createSystemCall(workspace), team),
        complete,
      }),
      'restate-runs': createBatchPerformer<WorkOf<'restate-runs'>>({
        doSome: async (workspace, days) => {
          await services.restateRuns(createSystemCall(workspace), days);
          return false;
        },
        complete,
      }),
      'forget-member': createBatchPerformer<WorkOf<'forget-member'>>({
        doSome: (workspace, {member, erase, erasure}) =>
          services.forgetMember(createSystemCall(workspace), member, erase, erasure),
        complete,
      }),
      'read-slack': slack?.read ?? idle,
      'post-slack': slack?.post ?? idle,
      'finish-team': slack?.finish ?? idle,
    },
    queue,
    gate: createFairGate(gateLimits),
    isDoubtful: (workspace, work) => work.kind === 'deliver' && deliver.isDoubtful(workspace, work.webhook),
    log,
  });
  const inheritance = await takeOverLeases({...parts, workers: store.workers, wake});
  queue.work(runner.runQueued, {slack: slack !== undefined});
  const schedulerParts = {...parts, ready: store.ready, wake: runner.wake};
  const schedulers = [
    startScheduler({
      ...schedulerParts,
      side: 'service',
      mayChore: () => store.clock.isSteady(),
      chores: createUpkeep({
        ...parts,
        catchUp,
        purgeExpired: (workspace) => services.purgeExpired(createSystemCall(workspace)),
      }),
    }),
  ];
  if (slack !== undefined)
    schedulers.push(
      startScheduler({
        ...schedulerParts,
        side: 'slack',
        prepare: slack.join,
        chores: slack.lookAtPeople,
        mayChore: () => store.clock.isSteady(),
        choresEveryMs: parts.choresEveryMs ?? dayMs,
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

function createSystemCall(workspace: Id<'workspace'>): Call {
  return createCallByService({workspace, deadline: callDeadline()});
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
