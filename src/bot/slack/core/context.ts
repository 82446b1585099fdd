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

/** Sends the one answer to a request. A second call is a programming error. */
export type RespondOnce<T> = (response?: T) => Promise<void>;

export interface SlackContext {
  readonly bolt: App;
  readonly identities: SlackIdentities;
  readonly services: Services;
  readonly rests: {
    save: (workspace: Id<'workspace'>, form: string, rest: TeamRest, deadline: number) => Promise<void>;
    drop: (workspace: Id<'workspace'>, form: string, deadline: number) => Promise<void>;
  };
  readonly slackChannels: {
    notePublic: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<void>;
  };
  readonly calendar: Calendar;
  /** The store's clock (ms), which determines the date. */
  readonly now: () => number;
  /** The current time (ms) for comparison with times from Slack, such as the expiry of answer addresses. */
  readonly slackNow: () => number;
  readonly timeouts: Timeouts;
  readonly log: Log;
  /** Generates a short reference to a failure, which the person can quote and which is in the log. */
  readonly generateReference: () => string;
  /** Keeps the process running until `work` has ended. */
  readonly track: (work: Promise<void>) => void;
  /** Answers a person through the address in their request. Never throws: a failure can only be logged. */
  respondTo: (url: string, message: RespondArguments) => Promise<void>;
  /** Updates a person's Home tab after their own action, if they opened it recently. Never throws. */
  refreshHome: (origin: SlackOrigin, user: SlackUser) => void;
  /** Makes us accept a request again when Slack resends it, after we failed to serve it. */
  forget: (context: {readonly [name: string]: unknown}) => void;
}

export interface SlackRequest {
  readonly origin: SlackOrigin;
  readonly user: SlackUser;
  /** The Slack id of the channel (`C…`, `G…` or `D…`); empty if the request has no channel. */
  readonly channel: string;
  /** The domain of the Slack workspace: the part before `.slack.com`. */
  readonly domain?: string | undefined;
  /** The trigger id, with which one view can be opened within 3 s. */
  readonly triggerId: string;
  /** The trigger id of the command that brought the button. A second press then has no effect. */
  readonly commandKey?: string | undefined;
  readonly translation: SlackTranslation;
  /** The address used by `respond`, for a form that answers after it is submitted. */
  readonly responseUrl?: string | undefined;
  readonly thread?: string | undefined;
  /** The id of the modal from which the request came: the result replaces that modal. */
  readonly within?: string | undefined;
  /** True if `respond` opens a modal, because the request has no answer address. */
  readonly byView?: boolean;
  /** Answers the person privately, in addition to the answer to the request. Must not throw. */
  readonly respond: (message: RespondArguments) => Promise<void>;
}
