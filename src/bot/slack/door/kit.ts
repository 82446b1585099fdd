import type {App, RespondArguments} from '@slack/bolt';
import type {Calendar} from '../../../domain/core/dates.js';
import type {Log} from '../../../domain/core/log.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {TeamRest} from '../../../domain/slack/team-rest.js';
import type {Services} from '../../../service/services.js';
import type {Patience} from './patience.js';
import type {SlackUser, Visitors} from './visitors.js';
import type {Reader} from '../blocks/reader.js';
import type {Id} from '../../../domain/core/ids.js';

/** How the one answer to a request is given; a second one is a mistake. */
export type Answer<T> = (response?: T) => Promise<void>;

/** The parts of every listener. */
export interface Kit {
  readonly bolt: App;
  readonly visitors: Visitors;
  readonly services: Pick<
    Services,
    | 'standups'
    | 'blockers'
    | 'teams'
    | 'people'
    | 'workspaces'
    | 'members'
    | 'teamDays'
    | 'findNextReminder'
    | 'findMissing'
    | 'runs'
    | 'sessions'
    | 'teamMembers'
    | 'prompts'
    | 'typing'
    | 'absences'
    | 'followSlackAccount'
    | 'holidayCalendars'
    | 'daysOff'
    | 'slackTroubles'
  >;
  readonly rests: {
    save: (workspace: Id<'workspace'>, form: string, rest: TeamRest, deadline: number) => Promise<void>;
    drop: (workspace: Id<'workspace'>, form: string, deadline: number) => Promise<void>;
  };
  readonly slackChannels: {
    notePublic: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<void>;
  };
  readonly calendar: Calendar;
  /** The store's clock (ms): which day it is. */
  readonly now: () => number;
  /** Wall time (ms), compared with what Slack's clock says: for how long it takes an answer. */
  readonly slackNow: () => number;
  readonly patience: Patience;
  readonly log: Log;
  /** A short text by which a person and the log speak of the same failure. */
  readonly drawReference: () => string;
  /** Keeps the process from ending before this has. */
  readonly track: (work: Promise<void>) => void;
  /**
   * Answers a person through the address that came with their request. Never throws: a failure is logged,
   * since there is no other way to tell.
   */
  respondTo: (url: string, message: RespondArguments) => Promise<void>;
  /**
   * Shows a person's Home again after an action of their own, if they have opened it of late. Never throws
   * and is not waited for.
   */
  refreshHome: (origin: SlackOrigin, user: SlackUser) => void;
  /** Lets a request that we failed to serve, by the context that Bolt gave it, be sent again. */
  forget: (context: {readonly [name: string]: unknown}) => void;
}

/** One use of the bot by a person. */
export interface Visit {
  readonly origin: SlackOrigin;
  readonly user: SlackUser;
  /** `C…`, `G…` or `D…`; empty where there is none. */
  readonly channel: string;
  /** The domain of the Slack workspace: what stands before `.slack.com`. */
  readonly domain?: string | undefined;
  /** Opens one view, for 3 s. */
  readonly triggerId: string;
  /** The trigger of the command that a button runs: pressed again, it does the same and not more. */
  readonly commandKey?: string | undefined;
  readonly reader: Reader;
  /**
   * Where `respond` sends to, for a form that answers once it is handed in; undefined where there is no
   * such address.
   */
  readonly responseUrl?: string | undefined;
  /** The thread of the message that it was asked at. */
  readonly thread?: string | undefined;
  /** The modal from which it was asked: what is shown takes its place. */
  readonly within?: string | undefined;
  /** True where `respond` opens a view, for want of an address. */
  readonly byView?: boolean;
  /** Answers the person privately, beside the answer to the request; must not throw. */
  readonly respond: (message: RespondArguments) => Promise<void>;
}
