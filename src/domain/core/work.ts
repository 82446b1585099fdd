import {type Id, type IdSuffix, storedId, storedSuffix} from './ids.js';
import type {PrincipalId} from './access.js';
/** Something a worker has to look at inside one workspace. */
export type Work =
  /** Make deliveries of the events after the webhooks' cursor. */
  | {readonly kind: 'fan-out'}
  /** Send what is due for one webhook (its id suffix). */
  | {readonly kind: 'deliver'; readonly webhook: IdSuffix<'webhook'>}
  /** Make deliveries for a webhook (its id suffix) that has fallen behind. */
  | {readonly kind: 'catch-up'; readonly webhook: IdSuffix<'webhook'>}
  /** Make the next deliveries of a replay (its id suffix), or take back those of a cancelled one. */
  | {readonly kind: 'replay'; readonly replay: IdSuffix<'replay'>}
  /** Note the events after the Slack cursor. */
  | {readonly kind: 'read-slack'}
  /** Make one Slack channel show what it should. */
  | {readonly kind: 'post-slack'; readonly channel: string}
  /** Finish a team's set-up in Slack, by the id of its form. */
  | {readonly kind: 'finish-team'; readonly form: string}
  /** Do the due steps of a team's runs (the team's id suffix). */
  | {readonly kind: 'schedule'; readonly team: IdSuffix<'team'>}
  /** Remove what a deleted team has left behind. */
  | {readonly kind: 'purge-team'; readonly team: Id<'team'>}
  /** Announce again the closed runs of days on which a member is now off, or no longer is. */
  | ({readonly kind: 'restate-runs'} & RestatedDays)
  /**
   * Clean up after a member who has left; with `erase`, remove everything they wrote and every trace of their
   * name.
   */
  | {
      readonly kind: 'forget-member';
      readonly member: PrincipalId;
      readonly erase: boolean;
      /** Id suffix of the erasure that shows the progress. */
      readonly erasure?: IdSuffix<'erasure'>;
    };

/** Work that is too much for one commit, done in batches. */
export type BatchWork = Extract<Work, {readonly kind: 'purge-team' | 'restate-runs' | 'forget-member'}>;

/** Days of a member, both ends inclusive. */
export interface RestatedDays {
  readonly member: PrincipalId;
  readonly from: string;
  readonly until: string;
  /** Generated for each request, so that finishing one leaves a later one for the same days. */
  readonly asked: string;
}

/** Only processes that serve Slack do Slack work. It is kept apart, so that neither hides the other. */
export type WorkSide = 'service' | 'slack';

export function sideOf(work: Work): WorkSide {
  return work.kind === 'read-slack' || waitsForSlack(work) ? 'slack' : 'service';
}

/** Work that calls Slack, which may take seconds to answer. */
export function waitsForSlack({kind}: Work): boolean {
  return kind === 'post-slack' || kind === 'finish-team';
}

/** The canonical name of a piece of work: member of the ready set and part of de-duplication ids. */
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

/** Prefixes of the names of work about one webhook or one replay: a script appends its id suffix. */
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

/** One time slice: a piece of work of one workspace. */
export interface Slice<W extends Work = Work> {
  readonly workspace: Id<'workspace'>;
  readonly work: W;
  /** Monotonic ms after which no new step begins. */
  readonly until: number;
  /** Aborted when the process is about to stop. */
  readonly signal: AbortSignal;
}

/**
 * Does what is due, as far as the slice goes, and keeps the workspace's ready set correct. Returns whether
 * more is due right now, so that another slice should follow, and whether that one has low priority. Safe to
 * run at any time, any number of times, in any number of processes at once.
 */
export type Perform<W extends Work = Work> = (
  slice: Slice<W>,
) => Promise<{more: boolean; lowPriority?: boolean}>;

/** Notifies the workers of this process (and, in time, of others) that there is work. Never awaited. */
export type Wake = (workspace: Id<'workspace'>, work: Work) => void;

/** For an installation without a worker: posts are accepted, and nothing follows from them. */
export const workerAdvice =
  'start a process with ROLES=worker, or without ROLES; until then nothing is delivered, opened, reminded or shown in Slack';
