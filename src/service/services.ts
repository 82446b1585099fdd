import {createClosedRunUpdater, type RestateRuns} from './runs/restate-runs.js';
import {createServiceContext} from './core/context.js';
import type {ServiceEnvironment} from './core/environment.js';
import {type AccountList, createAccountList} from './tokens/account-list.js';
import {type Absences, createAbsences} from './absences/absences.js';
import {type Applicant, requireAdmission, requireLiveToken} from './core/admission.js';
import {createSlackAccountFollower, type FollowSlackAccount} from './absences/gone-from-slack.js';
import {createDaysOff, type DaysOff} from './absences/days-off.js';
import {createHolidayRegionLister, type ListHolidayRegions} from './absences/holiday-regions.js';
import {createHolidayCalendars, type HolidayCalendars} from './absences/holiday-calendars.js';
import {type Blockers, createBlockers} from './blockers/blockers.js';
import {createDeliveryService, type DeliveryService} from './webhooks/deliveries.js';
import {createErasureService, type ErasureService} from './members/erasures.js';
import {kinds} from './kinds.js';
import {createEvents, type Events} from './events/events.js';
import {createMemberDataRemover, type ForgetMember} from './members/forget-member.js';
import {createCallerFinder, type FindMe} from './members/me.js';
import {createMembersOffLister, type ListMembersOff} from './absences/member-days-off.js';
import {createMemberService, type MemberService} from './members/members.js';
import {createMissingMemberFinder, type FindMissing} from './runs/missing.js';
import {createPersonExporter, type ExportPerson} from './members/person-export.js';
import {createExpiredDataPurger, type PurgeExpired} from './workspaces/retention.js';
import {createPeople, type People} from './members/people.js';
import {createNextReminderFinder, type FindNextReminder} from './prompts/next-reminders.js';
import {createPromptService, type PromptService} from './prompts/prompts.js';
import {createRuns, type Runs} from './runs/runs.js';
import {createTimeZoneChanges} from './runs/time-zone-changes.js';
import {createDueRunOpener} from './runs/open-due-runs.js';
import {createReplayService, type ReplayService} from './webhooks/replays.js';
import {createParticipation, type ParticipationService} from './runs/participation.js';
import {createRunViews, type RunViews} from './runs/run-views.js';
import {createRunReports, type RunReports} from './runs/run-reports.js';
import {createSessions, type Sessions} from './tokens/sessions.js';
import {createSchedulePreviews, type SchedulePreviews} from './schedules/schedule-previews.js';
import {type ChannelViews, createChannelViews} from './slack/channel-views.js';
import {createSlackConnections, type SlackConnections} from './slack/slack-connections.js';
import {createSlackFailures, type SlackFailures} from './slack/slack-failures.js';
import {createSlackStatus, type SlackStatus} from './slack/slack-status.js';
import {createSlackTroublesService, type SlackTroubles} from './slack/slack-troubles.js';
import {createStandupDates} from './runs/standup-dates.js';
import {createStandupRuns, type StandupRuns} from './runs/standup-runs.js';
import {createExpiredBlockerPlanner} from './standups/standup-blockers.js';
import {createStandups, type Standups} from './standups/standups.js';
import {createTeamDayFinder, type FindTeamDay} from './runs/team-day.js';
import {createTeamDays, type TeamDays} from './runs/team-days.js';
import {createTeamMemberService, type TeamMemberService} from './teams/team-members.js';
import {createTeamService, type TeamService} from './teams/teams.js';
import {createTokens, type Tokens} from './tokens/tokens.js';
import {createTyping, type TypingService} from './slack/typing.js';
import {createWebhookHealthService, type WebhookHealthService} from './webhooks/webhook-health.js';
import {createWebhookFailures, type WebhookFailures} from './webhooks/webhook-failures.js';
import {createWebhookService, type WebhookService} from './webhooks/webhooks.js';
import {createWaitingJobs, type WaitingJobs} from './waiting-jobs.js';
import {createWorkspaceService, type WorkspaceService} from './workspaces/workspaces.js';
import {createExternalCallers, type ExternalCallers} from './tokens/external-callers.js';

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

/** Creates all use cases. Services that remember something are created once and passed on. */
export function createServices(environment: ServiceEnvironment): Services {
  const context = createServiceContext(environment, kinds);
  const {admissions} = context;
  const people = createPeople(context);
  const daysOff = createDaysOff(context);
  const standupRuns = createStandupRuns(context);
  const standupDates = createStandupDates(context, {standupRuns});
  return {
    standups: createStandups(context, {standupRuns, standupDates}),
    blockers: createBlockers(context),
    teams: createTeamService({...context, openDueRuns: createDueRunOpener(context), calendar: context.zones}),
    webhooks: createWebhookService(context),
    webhookFailures: createWebhookFailures(context),
    deliveries: createDeliveryService(context),
    webhookHealth: createWebhookHealthService(context),
    replays: createReplayService(context),
    events: createEvents(context),
    people,
    members: createMemberService(context),
    exportPerson: createPersonExporter(context),
    teamMembers: createTeamMemberService({...context, timeZoneChanges: createTimeZoneChanges(context)}),
    schedulePreviews: createSchedulePreviews(context),
    teamDays: createTeamDays(context, {standupDates}),
    findNextReminder: createNextReminderFinder(context),
    findMissing: createMissingMemberFinder(context, {standupDates}),
    findTeamDay: createTeamDayFinder(context, {standupDates}),
    runReports: createRunReports(context),
    runViews: createRunViews(context),
    standupRuns,
    ...createParticipation(context),
    absences: createAbsences(context),
    followSlackAccount: createSlackAccountFollower(context),
    daysOff,
    listMembersOff: createMembersOffLister(context),
    listHolidayRegions: createHolidayRegionLister(context),
    prompts: createPromptService(context),
    typing: createTyping(context, {standupRuns}),
    holidayCalendars: createHolidayCalendars(context),
    runs: createRuns(context),
    restateRuns: createClosedRunUpdater(context, {daysOff}),
    forgetMember: createMemberDataRemover(context),
    erasures: createErasureService(context),
    accountList: createAccountList(context),
    purgeExpired: createExpiredDataPurger(context, {planBlockers: createExpiredBlockerPlanner(context)}),
    tokens: createTokens(context),
    sessions: createSessions(context),
    externalCallers: createExternalCallers(context),
    waitingJobs: createWaitingJobs(context),
    workspaces: createWorkspaceService(context),
    findMe: createCallerFinder(context),
    channelViews: createChannelViews(context, {standupDates}),
    slackFailures: createSlackFailures(context),
    slackStatus: createSlackStatus(context, {people}),
    slackTroubles: createSlackTroublesService(context),
    slackConnections: createSlackConnections(context, {people}),
    requireAdmission: (call) => requireAdmission(admissions, call),
    requireLiveToken: (call) => requireLiveToken(admissions, call),
  };
}
