import {createAbsences} from './absences/absences.js';
import {createDaysOff, createMembersOffLister} from './absences/days-off.js';
import {createSlackAccountFollower} from './absences/gone-from-slack.js';
import {createHolidayRegionLister, createHolidayCalendars} from './absences/holiday-calendars.js';
import {createBlockers} from './blockers/blockers.js';
import {createThreadClearer} from './clear-thread.js';
import {createComments} from './comments/comments.js';
import {createSlackReplies} from './comments/slack-replies.js';
import {type Applicant, requireAdmission, requireLiveToken} from './core/admission.js';
import {createServiceContext} from './core/context.js';
import type {ServiceEnvironment} from './core/environment.js';
import {createDrafts} from './drafts/drafts.js';
import {createEventSight} from './events/event-sight.js';
import {createEventTeams} from './events/event-teams.js';
import {createEvents} from './events/events.js';
import {createImportService} from './imports/imports.js';
import {createImportUndoer} from './imports/undo-import.js';
import {createInbox} from './inbox/inbox.js';
import {createNewsFinder} from './inbox/news.js';
import {createNoticeSender} from './inbox/send-notices.js';
import {createInvites} from './invites/invites.js';
import {kinds} from './kinds.js';
import {createAskedWeeks} from './mail/asked-weeks.js';
import {createLinkActions} from './mail/link-actions.js';
import {createReportMailer} from './mail/mail-reports.js';
import {createMailService} from './mail/mails.js';
import {createOutbox} from './mail/outbox.js';
import {createErasureService} from './members/erasures.js';
import {createMemberDataRemover} from './members/forget-member.js';
import {createCallerFinder} from './members/me.js';
import {createMemberService} from './members/members.js';
import {createPeople} from './members/people.js';
import {createPersonExporter} from './members/person-export.js';
import {createMailReminder} from './prompts/mailed-reminders.js';
import {createReminderMover} from './prompts/move-reminder.js';
import {createNextReminderFinder} from './prompts/next-reminders.js';
import {createOwnReminders} from './prompts/own-reminders.js';
import {createPromptService} from './prompts/prompts.js';
import {createReactions} from './reactions/reactions.js';
import {createMissingMemberFinder} from './runs/missing.js';
import {createParticipation} from './runs/participation.js';
import {createClosedRunUpdater} from './runs/restate-runs.js';
import {createRunReports} from './runs/run-reports.js';
import {createRunViews} from './runs/run-views.js';
import {createRuns} from './runs/runs.js';
import {createStandupDates} from './runs/standup-dates.js';
import {createStandupRuns} from './runs/standup-runs.js';
import {createTeamDayFinder} from './runs/team-day.js';
import {createTeamDays} from './runs/team-days.js';
import {createTeamWeeks} from './runs/team-week.js';
import {createTrends} from './runs/trends.js';
import {createCalendarFeeds} from './schedules/calendar-feeds.js';
import {createSchedulePreviews} from './schedules/schedule-previews.js';
import {createAwayStatuses} from './slack/away-statuses.js';
import {createChannelViews} from './slack/channel-views.js';
import {createSlackConnections} from './slack/slack-connections.js';
import {createPostedReports} from './slack/posted-reports.js';
import {createSlackFailures} from './slack/slack-failures.js';
import {createSlackStatus} from './slack/slack-status.js';
import {createSlackTroublesService} from './slack/slack-troubles.js';
import {createTyping} from './slack/typing.js';
import {createExpiredBlockerPlanner} from './standups/standup-blockers.js';
import {createStandups} from './standups/standups.js';
import {createSharedWeeks} from './teams/shared-weeks.js';
import {createTeamMemberService} from './teams/team-members.js';
import {createTeamReaderLister} from './teams/team-readers.js';
import {createTeamService} from './teams/teams.js';
import {createCalendarFeedMaker} from './tokens/calendar-feeds.js';
import {createExternalCallers} from './tokens/external-callers.js';
import {createAccountList} from './tokens/service-accounts.js';
import {createDeviceLogins} from './tokens/device-logins.js';
import {createPasskeys} from './tokens/passkeys.js';
import {createSessions} from './tokens/sessions.js';
import {createSignInCodes} from './tokens/sign-in-codes.js';
import {createTokens} from './tokens/tokens.js';
import {createWaitingJobs} from './waiting-jobs.js';
import {createDeliveryService} from './webhooks/deliveries.js';
import {createReplayService} from './webhooks/replays.js';
import {createWebhookHealthService, createWebhookFailures} from './webhooks/webhook-health.js';
import {createWebhookService} from './webhooks/webhooks.js';
import {createExpiredDataPurger} from './workspaces/retention.js';
import {createSetupFinder} from './workspaces/setup.js';
import {createWorkspaceService} from './workspaces/workspaces.js';

/** All use cases. Every channel (API, Slack, dashboard, commands) gets this object. */
export type Services = ReturnType<typeof createServices>;

/** Creates all use cases. Services that remember something are created once and passed on. */
export function createServices(environment: ServiceEnvironment) {
  const context = createServiceContext(environment, kinds);
  const {admissions} = context;
  const people = createPeople(context);
  const findEventTeams = createEventTeams(context);
  const sight = createEventSight(context, {findEventTeams});
  const sessions = createSessions(context);
  const tokens = createTokens(context);
  const daysOff = createDaysOff(context);
  const standupRuns = createStandupRuns(context);
  const standupDates = createStandupDates(context, {standupRuns});
  const drafts = createDrafts(context, {standupDates});
  const weeks = createTeamWeeks(context);
  const inbox = createInbox(context);
  const findNews = createNewsFinder(context, {inbox});
  const mails = createMailService(context, {findNews});
  return {
    standups: createStandups(context, {standupRuns, standupDates}),
    drafts,
    blockers: createBlockers(context),
    comments: createComments(context),
    slackReplies: createSlackReplies(context),
    clearThread: createThreadClearer(context),
    reactions: createReactions(context),
    teams: createTeamService(context),
    webhooks: createWebhookService(context),
    webhookFailures: createWebhookFailures(context),
    deliveries: createDeliveryService(context, {sight}),
    webhookHealth: createWebhookHealthService(context),
    replays: createReplayService(context),
    events: createEvents(context, {sight}),
    findEventTeams,
    people,
    members: createMemberService(context),
    exportPerson: createPersonExporter(context, {drafts, inbox}),
    teamMembers: createTeamMemberService(context),
    schedulePreviews: createSchedulePreviews(context),
    calendarFeeds: createCalendarFeeds(context),
    teamDays: createTeamDays(context, {standupDates}),
    findNextReminder: createNextReminderFinder(context),
    findMissing: createMissingMemberFinder(context, {standupDates}),
    findTeamDay: createTeamDayFinder(context, {standupDates}),
    runReports: createRunReports(context),
    runViews: createRunViews(context),
    standupRuns,
    ...createParticipation(context),
    findTrends: createTrends(context),
    listTeamReaders: createTeamReaderLister(context),
    findTeamWeek: weeks.findTeamWeek,
    absences: createAbsences(context),
    followSlackAccount: createSlackAccountFollower(context),
    daysOff,
    listMembersOff: createMembersOffLister(context),
    listHolidayRegions: createHolidayRegionLister(context),
    prompts: createPromptService(context),
    ownReminders: createOwnReminders(context),
    remindByMail: createMailReminder(context),
    moveReminder: createReminderMover(context),
    typing: createTyping(context, {standupRuns}),
    holidayCalendars: createHolidayCalendars(context),
    runs: createRuns(context),
    restateRuns: createClosedRunUpdater(context, {daysOff}),
    forgetMember: createMemberDataRemover(context),
    erasures: createErasureService(context),
    accountList: createAccountList(context),
    purgeExpired: createExpiredDataPurger(context, {planBlockers: createExpiredBlockerPlanner(context)}),
    tokens,
    createCalendarFeed: createCalendarFeedMaker(context),
    sharedWeeks: createSharedWeeks(context, {weeks}),
    deviceLogins: createDeviceLogins(context, {tokens}),
    sessions,
    passkeys: createPasskeys(context, {sessions}),
    codes: createSignInCodes(context),
    mailLinks: createLinkActions(context),
    mailReports: createReportMailer(context),
    askedWeeks: createAskedWeeks(context),
    imports: createImportService(context),
    undoImport: createImportUndoer(context, {standupRuns}),
    invites: createInvites(context, {sessions}),
    mails,
    outbox: createOutbox(context, {composeMail: mails.compose}),
    externalCallers: createExternalCallers(context),
    waitingJobs: createWaitingJobs(context),
    workspaces: createWorkspaceService(context),
    findMe: createCallerFinder(context, {inbox}),
    inbox,
    sendNotice: createNoticeSender(context, {findNews}),
    findSetup: createSetupFinder(context),
    channelViews: createChannelViews(context, {standupDates, weeks, findNews}),
    postedReports: createPostedReports(context),
    slackFailures: createSlackFailures(context),
    slackStatus: createSlackStatus(context, {people}),
    slackTroubles: createSlackTroublesService(context),
    awayStatuses: createAwayStatuses(context),
    slackConnections: createSlackConnections(context, {people}),
    /**
     * Checks a call's token and takes one call from its quota. Errors: `invalid_token` for a revoked token,
     * `rate_limited`, `store_lost`.
     */
    requireAdmission: (call: Applicant) => requireAdmission(admissions, call),
    /** Checks only the token, at each call. Errors: `invalid_token` for a revoked token, `store_lost`. */
    requireLiveToken: (call: Omit<Applicant, 'quota'>) => requireLiveToken(admissions, call),
  };
}
