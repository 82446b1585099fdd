import type {Id, IdSuffix} from '../domain/core/ids.js';
import {findWorkSide, type Work, type WorkSide} from '../domain/core/work.js';
import type {WorkHold, WaitingItem, Worker} from '../store/core/waiting-work.js';
import type {ServiceContext} from './core/context.js';

/** Shows the operator which background jobs wait and which workers exist. */
export type WaitingJobs = ReturnType<typeof createWaitingJobs>;

export interface JobPage {
  readonly jobs: readonly WaitingJob[];
  readonly total: number;
}

/**
 * A job that waits. `about`: the subject of the job: the id of a webhook or member, the id suffix of a
 * replay, the slug of a team, or the Slack id of a channel.
 */
export interface WaitingJob {
  readonly kind: Work['kind'] | 'unknown';
  /** The kind of process that does the job; undefined for a job from a newer version. */
  readonly side: WorkSide | undefined;
  readonly about: string;
  /** The time (ms) until the job is due; negative if it is overdue. */
  readonly dueInMs: number;
  readonly hold: WorkHold | undefined;
}

export function createWaitingJobs({waitingWork, records}: ServiceContext) {
  async function describeJob(
    workspace: Id<'workspace'>,
    work: Work | undefined,
    name: string,
    deadline: number,
  ): Promise<string> {
    const idOf = async (suffix: IdSuffix<'webhook'>) =>
      (await records.findBySuffix(workspace, suffix, deadline))?.id ?? suffix;
    switch (work?.kind) {
      case undefined:
        return name;
      case 'fan-out':
      case 'read-slack':
      case 'remind':
      case 'notify':
      case 'send-mail':
      case 'read-replies':
        return '';
      case 'deliver':
      case 'catch-up':
        return idOf(work.webhook);
      case 'replay':
        return work.replay;
      case 'post-slack':
        return work.channel;
      case 'finish-team':
        return work.form;
      case 'schedule':
        return (await records.findBySuffix(workspace, work.team, deadline))?.slug ?? work.team;
      case 'purge-team':
        return work.team;
      case 'clear-thread':
        return work.standup;
      case 'undo-import':
        return work.import;
      case 'mail-reports':
      case 'look-at-statuses':
        return work.run;
      case 'restate-runs':
      case 'forget-member':
        return work.member;
    }
  }

  return {
    listWorkers: (deadline: number): Promise<readonly Worker[]> => waitingWork.listWorkers(deadline),
    /** Lists jobs in the order in which they are due. `total` also counts jobs after the first `limit`. */
    async list(workspace: Id<'workspace'>, limit: number, deadline: number): Promise<JobPage> {
      const {waiting, total} = await waitingWork.list(workspace, limit, deadline);
      const present = async ({work, name, dueInMs, hold}: WaitingItem): Promise<WaitingJob> => {
        const about = await describeJob(workspace, work, name, deadline);
        return {kind: work?.kind ?? 'unknown', side: work && findWorkSide(work), about, dueInMs, hold};
      };
      return {jobs: await Promise.all(waiting.map(present)), total};
    },
  };
}
