const board = ['getTeamDay', 'listRuns', 'getRun'];
const counts = ['getParticipation', 'getMemberParticipation', 'listParticipation'];

/** Operations whose answers change with an object of this kind. */
const table: Readonly<Record<string, readonly string[]>> = {
  standup: [...board, 'listStandups', 'getStandup', 'listStandupRevisions', ...counts],
  run: [...board, ...counts],
  blocker: ['listBlockers', 'getBlocker'],
  absence: [...board, ...counts, 'listAbsences', 'getAbsence'],
  holiday_calendar: ['listHolidayCalendars', 'getHolidayCalendar'],
  team: ['getTeam', 'listTeams', 'getMe', 'getTeamDay', 'previewSchedule'],
  team_member: ['listTeamMembers', 'getTeamMember', 'listTeams', 'listMembers', 'getMe', 'getTeamDay'],
  member: ['listMembers', 'getMember', 'getMe', 'listTeamMembers', 'getTeamDay'],
  access_token: ['listTokens', 'getToken'],
  webhook: ['listWebhooks', 'getWebhook', 'getWebhookHealth', 'listDeliveries', 'listReplays'],
  workspace: ['getWorkspace', 'getMe'],
};

const sets = new Map(Object.entries(table).map(([object, operations]) => [object, new Set(operations)]));
const none: ReadonlySet<string> = new Set();

export function operationsAbout(object: string): ReadonlySet<string> {
  return sets.get(object) ?? none;
}
