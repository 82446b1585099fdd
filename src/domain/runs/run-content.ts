import type {TextFormat} from '../core/markdown.js';
import type {RunReport} from './run-report.js';

/** The state of a run, as the day's Slack message shows it. */
export interface RunOfDay {
  /** `in`: the number of members who have posted. `of`: the number of expected members. */
  readonly count: {readonly in: number; readonly of: number};
  /** The instant at which the run closes (ms), or `closed`. */
  readonly closing: number | 'closed';
}

/** The report of a run, as a Slack channel shows it. */
export interface DigestContent {
  /** The id suffix of the team. */
  readonly team: string;
  readonly date: string;
  readonly report: RunReport;
  /** True if members who have not posted are named; false if they are only counted. */
  readonly namesMissing: boolean;
  /** The emoji in Slack of members who have not posted, if it counts as being away; by the id of the member. */
  readonly awayEmoji: ReadonlyMap<string, string>;
  /** The standups that still exist, by id. */
  readonly standups: ReadonlyMap<string, DigestStandup>;
}

export interface DigestStandup {
  /**
   * The whole standup as one text. It is null if the report does not show the standup in full, since most
   * standups have their own message.
   */
  readonly text: string | null;
  readonly format?: TextFormat | undefined;
  /** The URL of the standup's message; null without a message. */
  readonly permalink: string | null;
}
