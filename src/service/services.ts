import {nothing} from '../domain/commit/commit.js';
import type {RequestContext} from '../domain/core/access.js';
import {createClosedRunUpdater, type RestateRuns} from './absences/absence-runs.js';
import {type AccountList, createAccountList} from './tokens/account-list.js';
import {type Absences, createAbsences} from './absences/absences.js';
import {type Applicant, requireAdmission, requireLiveToken} from './core/admission.js';
import {createAuthority} from './core/authority.js';
import {createDayLineFinder} from './runs/day-lines.js';
import {createSlackAccountFollower, type FollowSlackAccount} from './absences/gone-from-slack.js';
import {createDaysOff, type DaysOff} from './absences/days-off.js';
import {createHolidayRegionLister, type ListHolidayRegions} from './absences/holiday-regions.js';
import {createHolidayCalendars, type HolidayCalendars} from './absences/holiday-calendars.js';
import type {PublicHolidays, ReadWorkspaceCalendarFile} from '../domain/absences/holidays.js';
import {type Blockers, createBlockers} from './blockers/blockers.js';
import {createDeliveryService, type DeliveryService} from './webhooks/deliveries.js';
import {createErasureService, type ErasureService} from './members/erasures.js';
import {kinds} from './kinds.js';
import {createEvents, type Events} from './events/events.js';
import {createMemberDataRemover, type ForgetMember} from './members/forget-member.js';
import {createFirstRetainedDateFinder} from './workspaces/kept-dates.js';
import {createCallerFinder, type FindMe} from './members/me.js';
import {createMembersOffLister, type ListMembersOff} from './absences/member-days-off.js';
import {createMemberService, type MemberService} from './members/members.js';
import {createMissingMemberFinder, type FindMissing} from './runs/missing.js';
import {createMutate} from './core/mutation.js';
import {createPersonExporter, type ExportPerson} from './members/person-export.js';
import {createExpiredDataPurger, type PurgeExpired} from './workspaces/retention.js';
import {createPeople, type People} from './members/people.js';
import {createMembershipNotificationFinder} from './teams/membership-notifications.js';
import {createNextReminderFinder, type FindNextReminder} from './prompts/next-reminders.js';
import {createPromptService, type PromptService} from './prompts/prompts.js';
import {createRunPeople} from './runs/run-people.js';
import {createRuns, type Runs} from './runs/runs.js';
import {createRunAdvancer} from './runs/advance-runs.js';
import {createTimeZoneChanges} from './runs/time-zone-changes.js';
import {createDueRunOpener} from './runs/open-due-runs.js';
import {createReplayService, type ReplayService} from './webhooks/replays.js';
import {createParticipation, type ParticipationService} from './runs/participation.js';
import {createRunViews, type RunViews} from './runs/run-views.js';
import {createRunReports, type RunReports} from './runs/run-reports.js';
import {createSessions, type SessionParts, type Sessions} from './tokens/sessions.js';
import {createSchedulePreviews, type SchedulePreviews} from './schedules/schedule-previews.js';
import {type ChannelViews, createChannelViews} from './slack/channel-views.js';
import {
  createSlackConnections,
  type SlackConnectionParts,
  type SlackConnections,
} from './slack/slack-connections.js';
import {createSlackFailures, type SlackFailures} from './slack/slack-failures.js';
import {createSlackStatus, type SlackGateway, type SlackStatus} from './slack/slack-status.js';
import {createSlackTroublesService, type SlackTroubles} from './slack/slack-troubles.js';
import {createStandupDates} from './runs/standup-dates.js';
import {createStandupRuns, type StandupRuns} from './runs/standup-runs.js';
import {createStandupBlockers} from './standups/standup-blockers.js';
import {createStandups, type Standups} from './standups/standups.js';
import {createTeamDayFinder, type FindTeamDay} from './runs/team-day.js';
import {createTeamDays, type TeamDays} from './runs/team-days.js';
import {createTeamMemberService, type TeamMemberService} from './teams/team-members.js';
import {createTeamService, type TeamService} from './teams/teams.js';
import {createTokenLines} from './tokens/token-lines.js';
import {createTokenRecords} from './tokens/token-records.js';
import {createTokens, type TokenParts, type Tokens} from './tokens/tokens.js';
import {createTyping, type TypingService} from './slack/typing.js';
import {createWebhookAccess} from './webhooks/webhook-access.js';
import {createWebhookHealthService, type WebhookHealthService} from './webhooks/webhook-health.js';
import {createWebhookFailures, type WebhookFailures} from './webhooks/webhook-failures.js';
import {createWebhookService, type WebhookParts, type WebhookService} from './webhooks/webhooks.js';
import {createWaitingJobs, type WaitingJobs} from './waiting-jobs.js';
import {createWorkspaceService, type WorkspaceParts, type WorkspaceService} from './workspaces/workspaces.js';
import type {GenerateSuffix, Id} from '../domain/core/ids.js';
import type {Wake} from '../domain/core/work.js';
import type {Sha256} from '../domain/webhooks/delivery.js';
import type {Log} from '../domain/core/log.js';
import type {Zones} from '../domain/core/zones.js';
import type {TrustedIssuer} from '../domain/core/access.js';
import {createExternalCallers, type ExternalCallers} from './tokens/external-callers.js';
import type {Store} from '../store/store.js';

/** All use cases. Every channel (API, Slack, dashboard, commands) gets this object. */
export interface Services extends ParticipationService {
  readonly standups: Standups;
  readonly blockers: Blockers;
  readonly teams: TeamService;
  readonly webhooks: WebhookService;
  readonly webhookFailures: WebhookFailures;
  readonly deliveries: DeliveryService;
  readonly webhookHealth: WebhookHealthService;
  readonly replays: ReplayService;
  readonly events: Events;
  readonly people: People;
  readonly members: MemberService;
  readonly teamMembers: TeamMemberService;
  readonly schedulePreviews: SchedulePreviews;
  readonly teamDays: TeamDays;
  readonly findNextReminder: FindNextReminder;
  readonly findMissing: FindMissing;
  readonly findTeamDay: FindTeamDay;
  readonly exportPerson: ExportPerson;
  readonly runReports: RunReports;
  readonly runViews: RunViews;
  readonly standupRuns: StandupRuns;
  readonly absences: Absences;
  readonly followSlackAccount: FollowSlackAccount;
  readonly daysOff: DaysOff;
  readonly listMembersOff: ListMembersOff;
  readonly listHolidayRegions: ListHolidayRegions;
  readonly prompts: PromptService;
  readonly typing: TypingService;
  readonly holidayCalendars: HolidayCalendars;
  readonly runs: Runs;
  readonly restateRuns: RestateRuns;
  readonly forgetMember: ForgetMember;
  readonly erasures: ErasureService;
  readonly accountList: AccountList;
  readonly purgeExpired: PurgeExpired;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly externalCallers: ExternalCallers;
  readonly waitingJobs: WaitingJobs;
  readonly workspaces: WorkspaceService;
  readonly findMe: FindMe;
  readonly channelViews: ChannelViews;
  readonly slackConnections: SlackConnections;
  readonly slackFailures: SlackFailures;
  readonly slackStatus: SlackStatus;
  readonly slackTroubles: SlackTroubles;
  /**
   * Checks a call's token and takes one call from its quota. Errors: `invalid_token` for a revoked token,
   * `rate_limited`, `store_lost`.
   */
  requireAdmission: (call: Applicant) => Promise<void>;
  /** Checks only the token, at each call. Errors: `invalid_token` for a revoked token, `store_lost`. */
  requireLiveToken: (call: Pick<Applicant, 'workspace' | 'token' | 'deadline'>) => Promise<void>;
}

export interface ServiceParts extends Store {
  /** Returns the monotonic time (ms). */
  readonly monotonic: () => number;
  /** The time between heartbeats of an open stream, in ms. */
  readonly pulse: number;
  readonly slackGateway?: SlackGateway;
  readonly zones: Zones;
  /**
   * Resolves when the next slice of long work may run: one for each tick of the event loop, for one workspace
   * after the other, so that other work continues.
   */
  readonly nextSlice: (workspace?: Id<'workspace'>) => Promise<unknown>;
  readonly publicHolidays: PublicHolidays;
  readonly readCalendarFile: ReadWorkspaceCalendarFile;
  readonly generateSuffix: GenerateSuffix;
  readonly sha256: Sha256;
  readonly wake: Wake;
  readonly log: Pick<Log, 'info'>;
  /**
   * The configured Slack connection. `reserved`: a workspace of ours that only one Slack workspace, given by
   * its Slack id, may use.
   */
  readonly slack?: WorkspaceParts['slack'] & {readonly reserved?: SlackConnectionParts['reserved']};
  readonly trustedIssuers: readonly TrustedIssuer[];
  readonly signer: TokenParts['signer'];
  readonly generateSecret: SessionParts['generateSecret'];
  readonly publicUrl: string;
  readonly createSecret: WebhookParts['createSecret'];
  readonly checkTarget: WebhookParts['checkTarget'];
  readonly checkTls: WebhookParts['checkTls'];
}

export function createServices(given: ServiceParts): Services {
  const parts = {...given, kinds};
  const mutate = createMutate(parts);
  const authority = createAuthority(parts);
  const access = createWebhookAccess({...parts, authority});
  const tokenLines = createTokenLines({...parts, mutate});
  const {zones} = parts;
  const daysOff = createDaysOff(parts);
  const runPeople = createRunPeople({...parts, daysOff});
  const openDueRuns = createDueRunOpener({...parts, mutate, people: runPeople});
  const timeZoneChanges = createTimeZoneChanges({...parts, openDueRuns});
  const people = createPeople({...parts, mutate, tokenLines, timeZoneChanges});
  const tokenRecords = createTokenRecords(parts);
  const workspaces = createWorkspaceService({...parts, mutate, authority});
  const isInSlack = async (context: RequestContext): Promise<boolean> =>
    (await workspaces.findWorkspace(context)).slack.connected;
  const members = createMemberService({...parts, mutate, authority, tokenLines, timeZoneChanges});
  const runReports = createRunReports({
    ...parts,
    listDaysOff: daysOff.listDaysOff,
    listUnreachable: ({workspace, deadline}, members, run) =>
      parts.prompts.findUnreachable(workspace, run.id, members, deadline),
  });
  const viewParts = {...parts, runReports, readDaysOff: daysOff.readDaysOff};
  const standupRuns = createStandupRuns({...parts, runReports});
  const findFirstKept = createFirstRetainedDateFinder(parts);
  const standupDates = createStandupDates({...parts, standupRuns, findFirstKept});
  const standupBlockers = createStandupBlockers(parts);
  const standups = createStandups({
    ...parts,
    standupBlockers,
    mutate,
    authority,
    standupRuns,
    standupDates,
    timeZoneChanges,
  });
  const findDayLines = createDayLineFinder({...parts, people: runPeople, runReports, daysOff});
  const advanceRuns = createRunAdvancer({...parts, mutate, people: runPeople, reports: runReports});
  const prompts = createPromptService({...parts, mutate, daysOff});
  const {findState: findPromptState} = prompts;
  const participation = createParticipation({...viewParts, findMember: members.findMember});
  const channelViews = createChannelViews({
    ...parts,
    runReports,
    findParticipation: participation.findParticipation,
    findMembershipNotification: createMembershipNotificationFinder(parts),
    findPromptState,
    findDate: standups.findDate,
  });
  return {
    standups,
    teams: createTeamService({...parts, mutate, authority, openDueRuns, calendar: zones}),
    blockers: createBlockers({...parts, mutate, authority}),
    webhooks: createWebhookService({...parts, mutate, access}),
    webhookFailures: createWebhookFailures({...parts, mutate, access}),
    deliveries: createDeliveryService({...parts, mutate, access}),
    webhookHealth: createWebhookHealthService({...parts, mutate, access}),
    replays: createReplayService({...parts, mutate, access}),
    events: createEvents({...parts, authority}),
    people,
    members,
    exportPerson: createPersonExporter({
      ...parts,
      authority,
      members,
      tokenRecords,
      exportStandups: standups.exportStandups,
    }),
    teamMembers: createTeamMemberService({...parts, mutate, authority, timeZoneChanges}),
    schedulePreviews: createSchedulePreviews(parts),
    teamDays: createTeamDays({...parts, standupDates}),
    findNextReminder: createNextReminderFinder({...parts, daysOff, findPromptState}),
    findMissing: createMissingMemberFinder({...parts, authority, findDayLines, standupDates}),
    findTeamDay: createTeamDayFinder({...parts, findDayLines, findDate: standups.findDate}),
    runReports,
    runViews: createRunViews(viewParts),
    standupRuns,
    ...participation,
    absences: createAbsences({...parts, mutate, authority, calendar: zones, findFirstKept}),
    followSlackAccount: createSlackAccountFollower({...parts, mutate, calendar: zones}),
    daysOff,
    listMembersOff: createMembersOffLister({...parts, readDaysOff: daysOff.readDaysOff}),
    listHolidayRegions: createHolidayRegionLister(parts),
    prompts,
    typing: createTyping({...parts, mutate, findPromptState, standupRuns, daysOff}),
    holidayCalendars: createHolidayCalendars({...parts, mutate, authority, calendar: zones}),
    runs: createRuns({...parts, mutate, authority, people: runPeople, advanceRuns, isInSlack}),
    restateRuns: createClosedRunUpdater({...parts, mutate, readDaysOff: daysOff.readDaysOff}),
    forgetMember: createMemberDataRemover({...parts, mutate}),
    erasures: createErasureService({...parts, authority}),
    accountList: createAccountList({...parts, mutate, authority, tokenLines}),
    purgeExpired: createExpiredDataPurger({
      ...parts,
      mutate,
      companyOf(call, firstKept) {
        const planGone = standupBlockers.leaving(call, 'erase', firstKept);
        return async (standup) => {
          const directory = await parts.teams.fresh(call.workspace, call.deadline);
          const team = directory.byReference(standup.team_id);
          // The deletion of a team removes everything in the team.
          return team === undefined ? nothing : planGone(standup, team);
        };
      },
    }),
    tokens: createTokens({...parts, mutate, authority, people, tokenLines, tokenRecords}),
    sessions: createSessions({...parts, mutate, authority, people, tokenLines, tokenRecords}),
    externalCallers: createExternalCallers({...parts, issuers: parts.trustedIssuers, people}),
    waitingJobs: createWaitingJobs(parts),
    workspaces,
    findMe: createCallerFinder({...parts, authority, workspaces}),
    channelViews,
    slackFailures: createSlackFailures({...parts, mutate}),
    slackStatus: createSlackStatus({...parts, workspaces, people}),
    slackTroubles: createSlackTroublesService({...parts, mutate, authority}),
    slackConnections: createSlackConnections({
      ...parts,
      mutate,
      people,
      authority,
      mode: parts.slack?.mode,
      reserved: parts.slack?.reserved,
    }),
    requireAdmission: (call) => requireAdmission(parts.admissions, call),
    requireLiveToken: (call) => requireLiveToken(parts.admissions, call),
  };
}
