import type {WebClient} from '@slack/web-api';
import {createCache} from '../../domain/core/cache.js';
import {createCalendar} from '../../domain/core/dates.js';
import type {Id} from '../../domain/core/ids.js';
import type {RateLimits} from '../../domain/core/quota.js';
import type {NoticeContent, NoticeEvent} from '../../domain/slack/notice-content.js';
import type {TraceContext} from '../../domain/core/trace-context.js';
import {noTracer, noSliceSpan, runInSpan, type Tracer} from '../../domain/core/tracer.js';
import type {Perform, Slice, Work} from '../../domain/core/work.js';
import type {SlackInstallations} from '../../service/slack/slack-installations.js';
import type {ChatResult} from '../showing/chat.js';
import {standardWaits} from '../showing/waits.js';
import {storeDeadline} from '../showing/channel-work.js';
import {createShowChannelJob} from '../showing/show-channel.js';
import {createReadLogJob} from '../showing/read-log.js';
import {createStatusLooks} from './away/look-at-statuses.js';
import {createSlackClients} from './core/clients.js';
import {standardTimeouts} from './core/timeouts.js';
import {createMissedReplyReader} from './replies/missed-replies.js';
import {createMemberProfileUpdater, createProfileChecks} from './core/follow-profile.js';
import {createSlackAdmins, createNewcomers} from './core/newcomers.js';
import {createSlackIdentities} from './core/slack-identities.js';
import {type SlackTranslation, translationFor, getTranslationForLocale} from './blocks/slack-translation.js';
import type {Language} from '../texts/translation.js';
import {createProfileUpdates} from './gone/update-profiles.js';
import {findBotName} from './core/bot-name.js';
import {createFinishSetupJob, type FinishLaterParts} from './setup/save-team.js';
import {type MethodLimits, type TraceCall, createChannelCalls} from './posting/channel-calls.js';
import {refusePublicChannels} from './posting/private-teams.js';
import {presentNoticeContent} from './posting/notice-messages.js';
import {createSlackChat, isPerson} from './posting/slack-chat.js';
import type {ShowingContext} from '../showing/context.js';

export interface SlackJobParts extends ShowingContext {
  readonly installations: SlackInstallations;
  /** Puts work aside while the bot is not installed, so that no process tries it again and again. */
  readonly park?: ((workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>) | undefined;
  /** The address of a Web API in place of Slack's own; for tests. */
  readonly apiUrl?: string | undefined;
  readonly publicUrl: string;
  readonly rests: FinishLaterParts['rests'];
  readonly slackChannels: FinishLaterParts['slackChannels'];
  readonly rateLimits: RateLimits;
  /** True if admins and owners of the Slack workspace are admins of the service. Default: false. */
  readonly slackAdmins?: boolean | undefined;
  /** The language of channels, and of people whose language is unknown. Default: English. */
  readonly language?: Language | undefined;
  /** The time between two look-ups of profiles or statuses, or reads of threads (ms). Only tests change it. */
  readonly lookSpacingMs?: number;
  /** Makes traces; absent if no collector is set. */
  readonly tracer?: Tracer | undefined;
}

export interface SlackJobs {
  readonly read: Perform<{kind: 'read-slack'}>;
  readonly post: Perform<{kind: 'post-slack'; channel: string}>;
  readonly finish: Perform<{kind: 'finish-team'; form: string}>;
  readonly readReplies: Perform<Extract<Work, {kind: 'read-replies'}>>;
  readonly lookAtStatuses: Perform<Extract<Work, {kind: 'look-at-statuses'}>>;
  /** Checks the Slack profile of every member; once a day is enough. */
  readonly lookAtPeople: (signal: AbortSignal) => Promise<void>;
}

type ChannelSlice = Slice<Extract<Work, {kind: 'post-slack'}>>;

/** The maximum number of channels whose next call has a known cause. */
const maxCauses = 10_000;
/** The time between two reads of threads (ms): Slack allows an app outside its Marketplace one a minute. */
const threadSpacingMs = 60_000;
/** The time between two looks at statuses (ms), after the first ten. Slack allows 100 calls a minute. */
const statusSpacingMs = 700;
/** The maximum number of items for which failures of our own code are counted. */
const maxErrorCounts = 10_000;

/** Creates the background work for Slack: it records what channels should show, and shows it. */
export function createSlackJobs(parts: SlackJobParts): SlackJobs {
  const {installations, posts, services, tracer = noTracer, log, language = 'en'} = parts;
  const dashboard = `${parts.publicUrl}/app`;
  const clients = createSlackClients({
    ...parts,
    onRefused: (botToken) => installations.noteRefused(botToken),
  });

  const presentNotice =
    (workspace: Id<'workspace'>, translation: SlackTranslation) =>
    async (event: NoticeEvent, content: NoticeContent) => {
      const bot = content.kind === 'trouble' ? await findNameOfBot(workspace, storeDeadline()) : '';
      return presentNoticeContent(translation, event, content, {dashboard, bot});
    };

  async function findNameOfBot(workspace: Id<'workspace'>, deadline: number): Promise<string> {
    const installation = await installations.findOf(workspace, deadline);
    return findBotName(installation && clients.forJobs(installation));
  }

  const {editSpacingMs} = {...standardWaits, ...parts.waits};
  const limitsOf = (workspace: Id<'workspace'>): MethodLimits => ({
    find: (method) => posts.findLimit(workspace, method, storeDeadline()),
    note: (method, waitMs) => posts.limit(workspace, method, waitMs, storeDeadline()),
    takeSlot: (method, behind) =>
      editSpacingMs === 0
        ? posts.findLimit(workspace, method, storeDeadline())
        : posts.takeSlot(workspace, {method, behind, intervalMs: editSpacingMs}, storeDeadline()),
  });

  const errorCounts = createCache<number>(maxErrorCounts);
  const countError = (key: string): number => {
    const count = (errorCounts.get(key) ?? 0) + 1;
    errorCounts.set(key, count);
    return count;
  };

  /** Finds the language of a channel or person, so that an edited message keeps its language. */
  async function findTranslation(workspace: Id<'workspace'>, channel: string): Promise<SlackTranslation> {
    if (!isPerson(channel)) return translationFor(language);
    const locale = await services.people.findSlackLocale({workspace, deadline: storeDeadline()}, channel);
    return getTranslationForLocale(locale, language);
  }

  // A channel is shown by the process that read the event, unless that one is busy. Then its calls have no link.
  const causes = createCache<TraceContext>(maxCauses);
  const noteCause: ShowingContext['noteCause'] = (workspace, channels, cause) => {
    if (cause === undefined) return;
    for (const channel of channels) causes.set(`${workspace} ${channel}`, cause);
  };

  /** Returns a wrapper that runs each call of a time slice in a span, linked to the last span that caused it. */
  function createCallTracing({workspace, work, span = noSliceSpan}: ChannelSlice): TraceCall {
    if (tracer === noTracer) return (_, call) => call();
    const key = `${workspace} ${work.channel}`;
    const attributes = {'rpc.system': 'slack', 'standup.workspace': workspace};
    let cause: TraceContext | undefined;
    return (method, call) => {
      cause = causes.get(key) ?? cause;
      causes.delete(key);
      span.link(cause);
      const own = tracer.start(`slack ${method}`, {
        kind: 'client',
        parent: span.context(),
        links: cause === undefined ? [] : [cause],
        attributes: {...attributes, 'rpc.method': method},
      });
      return runInSpan(own, call, (result) => ({failure: findFailureCode(result)}));
    };
  }

  const post = (slice: ChannelSlice, client: WebClient, translation: SlackTranslation) => {
    const {workspace} = slice;
    return createShowChannelJob({
      ...parts,
      chat: createSlackChat(
        refusePublicChannels(
          createChannelCalls(
            client,
            limitsOf(workspace),
            (channel) => parts.slackChannels.notePublic(workspace, channel, storeDeadline()),
            createCallTracing(slice),
          ),
          (...asked) => services.channelViews.showsToAll({workspace, deadline: storeDeadline()}, ...asked),
        ),
        translation,
        presentNotice(workspace, translation),
      ),
      countError,
      lookAt: lookAtPeople.one,
      lookAtStatus: statuses.lookAtStatus,
    })(slice);
  };

  // Profiles are not checked here: the daily job does that.
  const looks = createProfileChecks(async () => true);
  const newcomers = createNewcomers({slackAdmins: createSlackAdmins(parts.slackAdmins ?? false)});
  const identities = createSlackIdentities({
    services,
    installations,
    clients,
    looks,
    newcomers,
    limits: parts.rateLimits,
    language,
  });

  const lookAtPeople = createProfileUpdates({
    ...parts,
    clients,
    followProfile: createMemberProfileUpdater({services, newcomers, log}),
    spacingMs: parts.lookSpacingMs ?? 1_000,
  });

  const statuses = createStatusLooks({...parts, clients, spacingMs: parts.lookSpacingMs ?? statusSpacingMs});

  async function postponeWork({workspace, work}: Slice): Promise<{more: false}> {
    log.debug({workspace}, 'nothing is shown in Slack: the bot is not installed');
    await parts.park?.(workspace, work, storeDeadline());
    return {more: false};
  }

  const read = createReadLogJob({...parts, noteCause});
  return {
    lookAtPeople: lookAtPeople.all,
    readReplies: createMissedReplyReader({
      ...parts,
      clients,
      identities,
      everyMs: parts.lookSpacingMs ?? threadSpacingMs,
      timeouts: standardTimeouts,
      generateReference: () => parts.generateToken().slice(0, 8),
    }),
    lookAtStatuses: statuses.lookForRun,
    finish: createFinishSetupJob({
      identities,
      services,
      rests: parts.rests,
      slackChannels: parts.slackChannels,
      calendar: createCalendar(),
      now: parts.now,
      log,
    }),
    // Every workspace has a Slack cursor at first; the upkeep job removes it if Slack does not show it.
    read: async (slice) =>
      (await installations.mayShow(slice.workspace, storeDeadline())) ? read(slice) : postponeWork(slice),
    async post(slice) {
      const installation = await installations.findOf(slice.workspace, storeDeadline());
      if (installation === undefined) return postponeWork(slice);
      const translation = await findTranslation(slice.workspace, slice.work.channel);
      return post(slice, clients.forJobs(installation), translation);
    },
  };
}

/** Returns the code of a call that Slack has not taken; undefined for one that it has. */
function findFailureCode(result: ChatResult<unknown>): string | undefined {
  if (result.kind === 'done') return undefined;
  return 'code' in result ? result.code : result.kind;
}
