import {type Id, type IdSuffix, storedId, storedSuffix} from './ids.js';
import type {PrincipalId} from './access.js';
/** Something a worker has to look at inside one workspace. */
export type Work =
  /** Make deliveries of the events that the webhooks' cursor has not passed. */
  | {readonly kind: 'fan-out'}
  /** Send what is due for one webhook (drawn half of its id). */
  | {readonly kind: 'deliver'; readonly webhook: IdSuffix<'webhook'>}
  /** Make deliveries for a webhook (drawn half of its id) that has fallen behind. */
  | {readonly kind: 'catch-up'; readonly webhook: IdSuffix<'webhook'>}
  /** Make the next deliveries of a replay (drawn half of its id), or take back those of one that was cancelled. */
  | {readonly kind: 'replay'; readonly replay: IdSuffix<'replay'>}
  /** Note what the Slack cursor has not passed. */
  | {readonly kind: 'read-slack'}
  /** Make one Slack channel show what it should. */
  | {readonly kind: 'post-slack'; readonly channel: string}
  /** Finish a team's set-up in Slack, by the id of its form. */
  | {readonly kind: 'finish-team'; readonly form: string}
  /** Do the steps of a team's runs that are due (drawn half of its id). */
  | {readonly kind: 'schedule'; readonly team: IdSuffix<'team'>}
  /** Remove what a deleted team has left behind. */
  | {readonly kind: 'purge-team'; readonly team: Id<'team'>}
  /** Tell anew of the closed runs of days on which a member is off now, or no longer. */
  | ({readonly kind: 'restate-runs'} & RestatedDays)
  /** Clean up after a member who has left; with `erase`, remove everything they wrote and every trace of their name. */
  | {
      readonly kind: 'forget-member';
      readonly member: PrincipalId;
      readonly erase: boolean;
      /** Drawn half of the id of what tells how it gets on. */
      readonly erasure?: IdSuffix<'erasure'>;
    };

/** Work that is too much for one commit, done in batches. */
export type BatchWork = Extract<Work, {readonly kind: 'purge-team' | 'restate-runs' | 'forget-member'}>;

/** Days of a member, both ends inclusive. */
export interface RestatedDays {
  readonly member: PrincipalId;
  readonly from: string;
  readonly until: string;
  /** Drawn for each asking, so that settling one leaves a later one of the same days. */
  readonly asked: string;
}

/** Only processes that serve Slack do work of Slack. It stands apart, so that neither hides the other. */
export type WorkSide = 'service' | 'slack';

export function sideOf(work: Work): WorkSide {
  return work.kind === 'read-slack' || waitsForSlack(work) ? 'slack' : 'service';
}

/** Work whose turns call Slack, which may keep them waiting for seconds. */
export function waitsForSlack({kind}: Work): boolean {
  return kind === 'post-slack' || kind === 'finish-team';
}

/** The one spelling of a piece of work: member of the ready set and part of de-duplication ids. */
export function workName(work: Work): string {
  switch (work.kind) {
    case 'fan-out':
      return 'fan-out';
    case 'read-slack':
      return 'read-slack';
    case 'deliver':
    case 'catch-up':
      return `${work.kind}/${work.webhook}`;
    case 'replay':
      return `replay/${work.replay}`;
    case 'post-slack':
      return `post-slack/${work.channel}`;
    case 'finish-team':
      return `finish-team/${work.form}`;
    case 'schedule':
      return `schedule/${work.team}`;
    case 'purge-team':
      return `purge-team/${work.team}`;
    case 'restate-runs':
      return `restate-runs/${work.member}/${work.from}/${work.until}/${work.asked}`;
    case 'forget-member':
      return ['forget-member', work.member, work.erase ? 'erase' : 'keep', work.erasure ?? []]
        .flat()
        .join('/');
  }
}

/**
 * How the names of work about one webhook or one replay begin: a script puts the drawn half of its id behind.
 */
export const workPrefixes = {
  deliver: workName({kind: 'deliver', webhook: storedSuffix('')}),
  catchUp: workName({kind: 'catch-up', webhook: storedSuffix('')}),
  replay: workName({kind: 'replay', replay: storedSuffix('')}),
} as const;

/** Reads a name back; undefined for one that a newer version has written. */
export function parseWork(name: string): Work | undefined {
  const [kind, subject = '', detail = '', until = '', asked = ''] = name.split('/');
  switch (kind) {
    case 'fan-out':
    case 'read-slack':
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
    case 'schedule':
      return {kind, team: storedSuffix(subject)};
    case 'purge-team':
      return {kind, team: storedId(subject)};
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

/** One turn: a piece of work of one workspace, done for a slice of time. */
export interface Slice<W extends Work = Work> {
  readonly workspace: Id<'workspace'>;
  readonly work: W;
  /** Monotonic ms after which no new step begins. */
  readonly until: number;
  /** Aborted when the process is about to stop. */
  readonly signal: AbortSignal;
}

/**
 * Does what is due, as far as the slice goes, and keeps the workspace's ready set true. Answers whether more is
 * due right now, so that another turn should follow, and whether that one has low priority. Safe to run at any
 * time, any number of times, in any number of processes at once.
 */
export type Perform<W extends Work = Work> = (
  slice: Slice<W>,
) => Promise<{more: boolean; lowPriority?: boolean}>;

/** Tells the workers of this process (and, in time, of others) that there is work. Never awaited. */
export type Wake = (workspace: Id<'workspace'>, work: Work) => void;

/** For an installation in which no process works: posts are taken, and nothing follows from them. */
export const workerAdvice =
  'start a process with ROLES=worker, or without ROLES; until then nothing is delivered, opened, reminded or shown in Slack';
