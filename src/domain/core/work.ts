import {type Id, type IdSuffix, storedId, storedSuffix} from './ids.js';
import type {PrincipalId} from './access.js';
import type {SliceSpan} from './tracer.js';
/** Work that a worker does in one workspace. */
export type Work =
  /** Creates deliveries of new events for all webhooks. */
  | {readonly kind: 'fan-out'}
  /** Sends the due deliveries of one webhook (its id suffix). */
  | {readonly kind: 'deliver'; readonly webhook: IdSuffix<'webhook'>}
  /** Creates deliveries for one webhook (its id suffix) that has fallen behind. */
  | {readonly kind: 'catch-up'; readonly webhook: IdSuffix<'webhook'>}
  /** Creates the next deliveries of a replay (its id suffix), or withdraws those of a cancelled one. */
  | {readonly kind: 'replay'; readonly replay: IdSuffix<'replay'>}
  /** Reads new events and records what Slack should show. */
  | {readonly kind: 'read-slack'}
  /** Updates one Slack channel to what it should show. */
  | {readonly kind: 'post-slack'; readonly channel: string}
  /** Finishes the set-up of a team in Slack, by the id of its form. */
  | {readonly kind: 'finish-team'; readonly form: string}
  /** Looks at the statuses in Slack of the members that a run (its id suffix) waits for. */
  | {readonly kind: 'look-at-statuses'; readonly run: IdSuffix<'run'>}
  /**
   * Reads a thread in Slack for replies since an instant (ms) at which no process took Slack's events. `past`: the
   * list position of the standup before, `left`: the calls that may still be made, `after`: the last message read.
   */
  | {
      readonly kind: 'read-replies';
      readonly since: number;
      readonly past: number | undefined;
      readonly left: number;
      readonly after: string;
    }
  /** Queues the mails of the due reminders of a workspace. */
  | {readonly kind: 'remind'}
  /** Sends what has been unread in inboxes for a while, by mail or in Slack. */
  | {readonly kind: 'notify'}
  /** Sends the due mails of a workspace. */
  | {readonly kind: 'send-mail'}
  /** Does the due steps of a team's runs (the team's id suffix). */
  | {readonly kind: 'schedule'; readonly team: IdSuffix<'team'>}
  /** Deletes the records that are left of a deleted team. */
  | {readonly kind: 'purge-team'; readonly team: Id<'team'>}
  /**
   * Deletes the comments on a standup that is gone, and the reactions to it. `erase`: earlier events about them
   * lose their data, too.
   */
  | {readonly kind: 'clear-thread'; readonly standup: Id<'standup'>; readonly erase: boolean}
  /** Removes what an import has made. */
  | {readonly kind: 'undo-import'; readonly import: Id<'import'>}
  /** Announces closed runs again after a change of a member's days off. */
  | ({readonly kind: 'restate-runs'} & RestatedDays)
  /** Queues the mails with the report of a closed run (its id suffix). */
  | {readonly kind: 'mail-reports'; readonly run: IdSuffix<'run'>}
  /** Cleans up after a member who has left. `erase`: removes all they wrote and every trace of their name. */
  | {
      readonly kind: 'forget-member';
      readonly member: PrincipalId;
      readonly erase: boolean;
      /** The id suffix of the erasure that shows the progress. */
      readonly erasure?: IdSuffix<'erasure'>;
    };

/** Work that is too large for one commit and is done in batches. */
export type BatchWork = Extract<
  Work,
  {
    readonly kind:
      | 'purge-team'
      | 'clear-thread'
      | 'undo-import'
      | 'restate-runs'
      | 'mail-reports'
      | 'forget-member';
  }
>;

/** Days of a member; both ends are included. */
export interface RestatedDays {
  readonly member: PrincipalId;
  readonly from: string;
  readonly until: string;
  /** A random value: when one request is finished, a later one for the same days stays. */
  readonly asked: string;
}

/**
 * The two kinds of background work: for Slack, and for everything else. Only processes that serve Slack do
 * Slack work, so each kind has its own queue.
 */
export type WorkSide = 'service' | 'slack';

export function findWorkSide(work: Work): WorkSide {
  return work.kind === 'read-slack' || waitsForSlack(work) ? 'slack' : 'service';
}

/** True for work that calls Slack, whose answer may take seconds. */
export function waitsForSlack({kind}: Work): boolean {
  return (
    kind === 'post-slack' || kind === 'finish-team' || kind === 'look-at-statuses' || kind === 'read-replies'
  );
}

/**
 * Returns the unique name of a piece of work. The name stands for the work in the set of due work, and in job
 * ids that prevent duplicates.
 */
export function workName(work: Work): string {
  switch (work.kind) {
    case 'fan-out':
      return 'fan-out';
    case 'read-slack':
    case 'remind':
    case 'notify':
    case 'send-mail':
      return work.kind;
    case 'deliver':
    case 'catch-up':
      return `${work.kind}/${work.webhook}`;
    case 'replay':
      return `replay/${work.replay}`;
    case 'post-slack':
      return `post-slack/${work.channel}`;
    case 'finish-team':
      return `finish-team/${work.form}`;
    case 'read-replies':
      return ['read-replies', work.since, work.past ?? '', work.left, work.after].join('/');
    case 'look-at-statuses':
      return `look-at-statuses/${work.run}`;
    case 'schedule':
      return `schedule/${work.team}`;
    case 'purge-team':
      return `purge-team/${work.team}`;
    case 'clear-thread':
      return `clear-thread/${work.standup}/${work.erase ? 'erase' : 'keep'}`;
    case 'undo-import':
      return `undo-import/${work.import}`;
    case 'mail-reports':
      return `mail-reports/${work.run}`;
    case 'restate-runs':
      return `restate-runs/${work.member}/${work.from}/${work.until}/${work.asked}`;
    case 'forget-member':
      return ['forget-member', work.member, work.erase ? 'erase' : 'keep', work.erasure ?? []]
        .flat()
        .join('/');
  }
}

/** The name prefixes of work for one webhook or one replay. Scripts add the id suffix. */
export const workPrefixes = {
  deliver: workName({kind: 'deliver', webhook: storedSuffix('')}),
  catchUp: workName({kind: 'catch-up', webhook: storedSuffix('')}),
  replay: workName({kind: 'replay', replay: storedSuffix('')}),
} as const;

/** Parses the name of a piece of work; undefined if a newer version of the service has added it. */
export function parseWorkName(name: string): Work | undefined {
  const [kind, subject = '', detail = '', until = '', asked = ''] = name.split('/');
  switch (kind) {
    case 'fan-out':
    case 'read-slack':
    case 'remind':
    case 'notify':
    case 'send-mail':
      return {kind};
    case 'deliver':
    case 'catch-up':
      return {kind, webhook: storedSuffix(subject)};
    case 'replay':
      return {kind, replay: storedSuffix(subject)};
    case 'post-slack':
      return {kind, channel: subject};
    case 'finish-team':
      return {kind, form: subject};
    case 'read-replies':
      return {
        kind,
        since: Number(subject),
        past: detail === '' ? undefined : Number(detail),
        left: Number(until),
        after: asked,
      };
    case 'look-at-statuses':
      return {kind, run: storedSuffix(subject)};
    case 'schedule':
      return {kind, team: storedSuffix(subject)};
    case 'purge-team':
      return {kind, team: storedId(subject)};
    case 'clear-thread':
      return {kind, standup: storedId(subject), erase: detail === 'erase'};
    case 'undo-import':
      return {kind, import: storedId(subject)};
    case 'mail-reports':
      return {kind, run: storedSuffix(subject)};
    case 'restate-runs':
      return {kind, member: storedId(subject), from: detail, until, asked};
    case 'forget-member':
      return {
        kind,
        member: storedId(subject),
        erase: detail === 'erase',
        ...(until !== '' && {erasure: storedSuffix(until)}),
      };
    default:
      return undefined;
  }
}

/** A time slice: a limited time for one piece of work in one workspace. */
export interface Slice<W extends Work = Work> {
  readonly workspace: Id<'workspace'>;
  readonly work: W;
  /** The time (monotonic ms) after which no new step begins. */
  readonly until: number;
  /** Aborted when the process is about to stop. */
  readonly signal: AbortSignal;
  /** Absent for a slice that the work runner did not start. */
  readonly span?: SliceSpan;
}

/**
 * Does due work within a limited time, and keeps the workspace's list of due work correct. Returns whether
 * more work is due now, and whether that work has low priority. It may run at any time, repeatedly, and in
 * several processes at once.
 */
export type Perform<W extends Work = Work> = (
  slice: Slice<W>,
) => Promise<{more: boolean; lowPriority?: boolean}>;

/**
 * Tells the workers of this process, and after them the workers of other processes, that there is work.
 * Callers do not wait for it.
 */
export type Wake = (workspace: Id<'workspace'>, work: Work) => void;

/** The advice for an installation without a worker, which accepts posts but does nothing with them. */
export const workerAdvice =
  'start a process with ROLES=worker, or without ROLES; until then nothing is delivered, opened, reminded or shown in Slack';

/** The time (ms) without a sign of life after which a worker no longer counts. Each gives one every 2 s. */
export const missingWorkerMs = 60_000;

/** Counts the workers that have given a sign of life within the last minute. */
export function countWorkers(workers: readonly {readonly silentMs: number}[]): number {
  return workers.filter(({silentMs}) => silentMs < missingWorkerMs).length;
}
