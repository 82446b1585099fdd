import type {WebClient} from '@slack/web-api';
import {LRUCache} from 'lru-cache';
import type {Call} from '../../../domain/core/access.js';
import {createCalendar} from '../../../domain/core/dates.js';
import {type LogEntry, tellsReason} from '../../../domain/events/event.js';
import {drawnPart, type Id, type IdSuffix, storedSuffix} from '../../../domain/core/ids.js';
import type {Log} from '../../../domain/core/log.js';
import type {Meter} from '../../../domain/core/meter.js';
import type {RateLimits} from '../../../domain/core/quota.js';
import type {SlackTrouble} from '../../../domain/slack/slack-post.js';
import type {ReportBlocker} from '../../../domain/runs/run-report.js';
import type {Perform, Slice, Work} from '../../../domain/core/work.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Services} from '../../../service/services.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import {presentBlockerButtons} from '../blockers/blocker-buttons.js';
import {readerOf} from '../../words/words.js';
import {createReaders} from '../door/readers.js';
import {findBotName} from '../setup/channel.js';
import {createFinishLater, type FinishLaterParts} from '../setup/finish-later.js';
import {createSlackAdmins} from '../door/slack-admins.js';
import {createVisitors} from '../door/visitors.js';
import {createWelcomes, welcomeEvents} from '../welcome/find-welcomes.js';
import {createChannelCalls, type MethodLimits} from './channel-calls.js';
import {createFindPrompts} from '../../showing/find-prompts.js';
import {createSlackClients} from '../door/clients.js';
import {standardWaits, type Waits, within} from '../../showing/channel-work.js';
import {createFindMentions} from './find-mentions.js';
import {createFindRuns} from '../../showing/find-runs.js';
import {createListAsks} from '../../showing/list-asks.js';
import {presentNotice} from './messages.js';
import type {ToldNotice} from '../../showing/post-notice.js';
import {presentTrouble} from './trouble-messages.js';
import {createReportUnshown} from '../../showing/report-unshown.js';
import {createPostSlack, type PostSlackParts} from '../../showing/post-slack.js';
import {createFindWeek} from '../../showing/find-week.js';
import {createListWeekAsks, type ListWeekAsksParts} from '../../showing/list-week-asks.js';
import {createReadSlack, type ReadSlackParts, type FindStandup} from '../../showing/read-slack.js';
import type {Records} from '../../../store/core/records.js';
import type {SlackPosts} from '../../../store/slack/slack-posts.js';
import type {Prompts} from '../../../store/prompts/prompts.js';

export interface SlackJobParts {
  readonly installations: SlackInstallations;
  /** Puts work off while the bot is not installed, so that it is not asked for again and again. */
  readonly park?: ((workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>) | undefined;
  /** Another Web API than Slack's own; for tests. */
  readonly apiUrl?: string | undefined;
  readonly posts: SlackPosts;
  readonly events: ReadSlackParts['events'] & {
    findBySequence: (
      workspace: Id<'workspace'>,
      sequence: number,
      deadline: number,
    ) => Promise<LogEntry | undefined>;
  };
  readonly slackTroubles: ReadSlackParts['slackTroubles'] &
    PostSlackParts['slackTroubles'] & {
      find: (
        workspace: Id<'workspace'>,
        channel: string,
        deadline: number,
      ) => Promise<SlackTrouble | undefined>;
    };
  readonly prompts: Prompts;
  readonly teams: ReadSlackParts['teams'];
  readonly records: Records;
  /** Where the service is reached, for links. */
  readonly publicUrl: string;
  readonly services: Pick<
    Services,
    | 'standups'
    | 'prompts'
    | 'runReports'
    | 'slackFailures'
    | 'findPlaceNews'
    | 'findParticipation'
    | 'channelViews'
    | 'recipients'
  > &
    FinishLaterParts['services'];
  readonly rests: FinishLaterParts['rests'];
  readonly slackChannels: FinishLaterParts['slackChannels'];
  readonly rateLimits: RateLimits;
  /** True where the people who run the Slack workspace are admins here. Default: no. */
  readonly slackAdmins?: boolean | undefined;
  readonly wake: ReadSlackParts['wake'];
  /** A call in nobody's name. */
  readonly jobCall: (workspace: Id<'workspace'>) => Call;
  readonly holder: string;
  readonly drawToken: () => string;
  /** The store's clock (ms): which day it is. */
  readonly now: () => number;
  /** Wall time (ms), compared with what Slack's clock says: marks. */
  readonly slackNow: () => number;
  readonly meter: Pick<Meter, 'countUnshown'>;
  readonly log: Log;
  readonly waits?: Partial<Waits>;
}

export interface SlackJobs {
  readonly read: Perform<{kind: 'read-slack'}>;
  readonly post: Perform<{kind: 'post-slack'; channel: string}>;
  readonly finish: Perform<{kind: 'finish-team'; form: string}>;
}

/** Of how many items it is remembered how often our own code has failed on them. */
const faultsKept = 10_000;

/** The background work of Slack: noting what channels should show, and making them show it. */
export function createSlackJobs(parts: SlackJobParts): SlackJobs {
  const {installations, records, events, posts, services, jobCall, log} = parts;
  const clients = createSlackClients({
    ...parts,
    onRefused: (botToken) => installations.noteRefused(botToken),
  });
  const calendar = createCalendar();

  const {channelViews: views, recipients} = services;
  const job = (workspace: Id<'workspace'>) => ({workspace, deadline: within()});

  async function findFailedChannel(
    workspace: Id<'workspace'>,
    {type, about}: LogEntry,
    deadline: number,
  ): Promise<string | undefined> {
    if (type === 'slack.post_failed') return posts.findChannel(workspace, storedSuffix(about), deadline);
    const run = await records.findByDrawn(workspace, storedSuffix<'run'>(about), deadline);
    if (run === undefined) return undefined;
    const named = [{team: drawnPart(run.team_id), date: run.date}];
    return (await posts.listDigestChannels(workspace, named, deadline))[0];
  }

  /** What has become of the trouble that an event was the first to tell of. */
  async function findTrouble(
    workspace: Id<'workspace'>,
    event: LogEntry,
    deadline: number,
  ): Promise<ToldNotice | undefined> {
    const channel = await findFailedChannel(workspace, event, deadline);
    const trouble =
      channel === undefined ? undefined : await parts.slackTroubles.find(workspace, channel, deadline);
    if (channel === undefined) return undefined;
    const team = event.team && (await findTeam(workspace, drawnPart(event.team)));
    const name = team?.name ?? '?';
    const current = trouble?.notice === event.sequence ? trouble : ended(channel);
    const installation = await installations.findOf(workspace, deadline);
    const bot = await findBotName(installation && clients.forJobs(installation));
    const over = current.state !== 'open' || (current.code === undefined && current.lost.length === 0);
    return {event: event.id, message: presentTrouble(event.id, current, {team: name, bot}), over};
  }

  const welcomes = createWelcomes({
    ...parts,
    findPlaceNews: services.findPlaceNews,
    records,
  });

  /** Whoever switches a webhook off knows it. */
  async function findTold(
    workspace: Id<'workspace'>,
    entry: LogEntry,
    deadline: number,
  ): Promise<readonly string[]> {
    const {type, about, revision, team} = entry;
    if (welcomeEvents.has(type)) return welcomes.listTold(workspace, entry, deadline);
    if (tellsReason(type)) {
      const people = await recipients.findResponsible({workspace, deadline}, team);
      if (people.length > 0 || type !== 'slack.post_failed') return people;
      // Nobody who could do something about it is in Slack: then who wrote it should know.
      return recipients.findAuthor({workspace, deadline}, storedSuffix(about));
    }
    const webhook = await records.findRevision(workspace, storedSuffix<'webhook'>(about), revision, deadline);
    return webhook?.disabled_reason === 'user' ? [] : recipients.findAdmins({workspace, deadline});
  }

  async function findNotice(workspace: Id<'workspace'>, sequence: number, deadline: number) {
    const event = await events.findBySequence(workspace, sequence, deadline);
    if (event === undefined) return undefined;
    if (welcomeEvents.has(event.type)) return welcomes.find(workspace, event, deadline);
    if (tellsReason(event.type)) return findTrouble(workspace, event, deadline);
    const {id, about, revision, since} = event;
    const webhook = await records.findRevision(workspace, storedSuffix<'webhook'>(about), revision, deadline);
    if (webhook === undefined) return undefined;
    const docs = `${parts.publicUrl}/docs`;
    return {event: id, message: presentNotice(id, webhook, {failingSince: since, docs})};
  }

  const findStandup: FindStandup = (workspace, drawn, revision, deadline) =>
    views.findStandup({workspace, deadline}, drawn, revision);

  /** By the drawn half of its id. */
  async function findTeam(workspace: Id<'workspace'>, drawn: IdSuffix<'team'>): Promise<Team | undefined> {
    const {teams} = await parts.teams.fresh(workspace, within());
    return teams.find(({id}) => drawnPart(id) === drawn);
  }

  const findDate = (workspace: Id<'workspace'>, team: Team): Promise<string> =>
    services.standups.findDate({workspace, deadline: within()}, team);

  async function isOver(workspace: Id<'workspace'>, drawn: IdSuffix<'team'>, date: string): Promise<boolean> {
    const team = await findTeam(workspace, drawn);
    return team !== undefined && date < (await findDate(workspace, team));
  }

  const actionsOf = (blocker: ReportBlocker) => presentBlockerButtons(readerOf().words, blocker);
  const runs = createFindRuns({...parts, findTeam, runReports: services.runReports, actionsOf});

  const {turnMs, eventMs} = {...standardWaits, ...parts.waits};
  const limitsOf = (workspace: Id<'workspace'>): MethodLimits => ({
    find: (method) => posts.findLimit(workspace, method, within()),
    note: (method, waitMs) => posts.limit(workspace, method, waitMs, within()),
    takeTurn: (method, behind) =>
      turnMs === 0
        ? posts.findLimit(workspace, method, within())
        : posts.takeTurn(workspace, {method, behind, intervalMs: turnMs}, within()),
  });

  const {reportUnshown, reportPassed} = createReportUnshown({
    findRun: runs.find,
    findTeam,
    jobCall,
    slackFailures: services.slackFailures,
  });

  const faults = new LRUCache<string, number>({max: faultsKept});
  const countFault = (key: string): number => {
    const count = (faults.get(key) ?? 0) + 1;
    faults.set(key, count);
    return count;
  };

  const post = (workspace: Id<'workspace'>, client: WebClient) =>
    createPostSlack({
      ...parts,
      calls: createChannelCalls(client, limitsOf(workspace), (channel) =>
        parts.slackChannels.notePublic(workspace, channel, within()),
      ),
      ...runs,
      findAuthors: (id, standups) => views.listAuthors(job(id), standups),
      isOver,
      findStandup,
      findBlockers: (id, standup) => views.listBlockersOf(job(id), standup),
      findPicture: (id, {author}) => views.findPicture(job(id), author.id),
      findMentions: createFindMentions({records, findTeam}),
      findWeek: createFindWeek({
        ...parts,
        findParticipation: services.findParticipation,
        findTeam,
        listOpenBlockers: (id, team) => views.listOpenBlockers(job(id), [team]),
        calendar,
      }),
      findNotice,
      findPromptState: (id, prompt) =>
        services.prompts.findState({workspace: id, deadline: within()}, prompt),
      reportUnshown,
      countFault,
    });

  const findRun: ListWeekAsksParts['findRun'] = records.findByDrawn;
  const listWeekAsks = createListWeekAsks({...parts, calendar, findRun});
  const listMostAsks = createListAsks({
    ...parts,
    calendar,
    findRevision: records.findRevision,
    findRun,
    findRunOf: runs.find,
    listTeamsOf: (id, member) => views.listTeamsOf(job(id), member),
    listChannels: (id, team) => views.listChannels(job(id), team),
    listOpenBlockers: (id, teams) => views.listOpenBlockers(job(id), teams),
  });

  const read = createReadSlack({
    ...parts,
    findStandup,
    findFailedChannel,
    reportPassed,
    eventMs,
    findTold,
    findPrompts: createFindPrompts({...parts, calendar}),
    listAsks: async (workspace, entry) => {
      const asks = await Promise.all([listMostAsks(workspace, entry), listWeekAsks(workspace, entry)]);
      return asks.flat();
    },
  });

  // Nobody has told this process in which language they read.
  const readers = createReaders(async () => undefined);
  const slackAdmins = createSlackAdmins(parts.slackAdmins ?? false);
  const visitors = createVisitors({
    services,
    installations,
    clients,
    readers,
    slackAdmins,
    limits: parts.rateLimits,
  });

  async function putOff({workspace, work}: Slice): Promise<{more: false}> {
    log.debug({workspace}, 'nothing is shown in Slack: the bot is not installed');
    await parts.park?.(workspace, work, within());
    return {more: false};
  }

  return {
    finish: createFinishLater({
      visitors,
      services,
      rests: parts.rests,
      slackChannels: parts.slackChannels,
      log,
    }),
    // Every workspace is made with a reader for Slack; of one that is not shown there upkeep drops it.
    read: async (slice) =>
      (await installations.mayShow(slice.workspace, within())) ? read(slice) : putOff(slice),
    async post(slice) {
      const installation = await installations.findOf(slice.workspace, within());
      if (installation === undefined) return putOff(slice);
      return post(slice.workspace, clients.forJobs(installation))(slice);
    },
  };
}

/** A trouble that another has followed, or that is long past. */
function ended(channel: string): SlackTrouble {
  const nothing = {
    team: storedSuffix<'team'>(''),
    code: undefined,
    since: 0,
    tried: 0,
    notice: undefined,
    told: [],
    lost: [],
    shown: 0,
    reports: 0,
    held: 0,
  };
  return {channel, state: 'open', ...nothing};
}
