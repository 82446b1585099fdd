import type {App, RespondArguments} from '@slack/bolt';
import type {Calendar} from '../../../domain/core/dates.js';
import type {Log} from '../../../domain/core/log.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {TeamRest} from '../../../domain/slack/team-rest.js';
import type {Services} from '../../../service/services.js';
import type {Timeouts} from './timeouts.js';
import type {SlackUser, SlackIdentities} from './slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Id} from '../../../domain/core/ids.js';

/** Gives the one answer to a request; a second call is a mistake. */
export type RespondOnce<T> = (response?: T) => Promise<void>;

/** The dependencies of every listener. */
export interface BotDeps {
  readonly bolt: App;
  readonly identities: SlackIdentities;
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
  /** The store's clock (ms), which determines the day. */
  readonly now: () => number;
  /** Wall time (ms), compared with times from Slack's clock: the expiry of answer addresses. */
  readonly slackNow: () => number;
  readonly timeouts: Timeouts;
  readonly log: Log;
  /** Generates a short text that identifies a failure for a person and in the log. */
  readonly generateReference: () => string;
  /** Keeps the process from ending before `work` has. */
  readonly track: (work: Promise<void>) => void;
  /**
   * Answers a person through the address that came with their request. Never throws: a failure is logged,
   * since there is no other way to report it.
   */
  respondTo: (url: string, message: RespondArguments) => Promise<void>;
  /**
   * Shows a person's Home again after an action of their own, if they have opened it recently. Never throws
   * and is not awaited.
   */
  refreshHome: (origin: SlackOrigin, user: SlackUser) => void;
  /** Lets Slack resend a request that we failed to serve, by the context that Bolt gave it. */
  forget: (context: {readonly [name: string]: unknown}) => void;
}

/** One use of the bot by a person. */
export interface SlackRequest {
  readonly origin: SlackOrigin;
  readonly user: SlackUser;
  /** `C…`, `G…` or `D…`; empty where there is none. */
  readonly channel: string;
  /** The domain of the Slack workspace: the part before `.slack.com`. */
  readonly domain?: string | undefined;
  /** Opens one view, for 3 s. */
  readonly triggerId: string;
  /** The trigger of the original command of a button: another press has no further effect. */
  readonly commandKey?: string | undefined;
  readonly translation: SlackTranslation;
  /**
   * The address to which `respond` sends, for a form that answers once it is submitted; undefined when there
   * is none.
   */
  readonly responseUrl?: string | undefined;
  /** The thread of the message from which the request came. */
  readonly thread?: string | undefined;
  /** The modal from which the request came: the result replaces it. */
  readonly within?: string | undefined;
  /** True when `respond` opens a view, since there is no address. */
  readonly byView?: boolean;
  /** Answers the person privately, beside the answer to the request; must not throw. */
  readonly respond: (message: RespondArguments) => Promise<void>;
}
