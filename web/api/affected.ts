const board = ['getTeamDay', 'listRuns', 'getRun', 'getOwnReminder'];
const people = ['listTeamMembers', 'listMembers', 'getMe', 'getTeamDay', 'listDaysOff'];
const counts = ['getTeamWeek', 'getParticipation', 'getMemberParticipation', 'listParticipation'];
const inbox = ['listInbox', 'getMe'];
const previews = ['previewSchedule', 'previewScheduleDraft'];

/** Maps each kind of object to the API operations whose responses depend on it. */
const table = {
  standup: [
    ...board,
    'listStandups',
    'getStandup',
    'listStandupRevisions',
    'getSetup',
    'getTrends',
    ...counts,
    ...inbox,
  ],
  inbox_item: inbox,
  run: [...board, ...counts],
  invite: ['listInvites', 'getInvite', 'listMails', 'getMail', 'getSetup'],
  import: ['listImports', 'getImport', 'listStandups'],
  mail: ['listMails', 'getMail', 'listInvites', 'getInvite'],
  blocker: ['listBlockers', 'getBlocker', 'getTrends', 'getTeamWeek', ...inbox],
  comment: ['listComments', 'listStandups', 'getStandup', 'getTeamDay', ...inbox],
  reaction: ['listStandups', 'getStandup', 'getTeamDay', ...inbox],
  absence: [...board, ...counts, 'listAbsences', 'getAbsence', 'listDaysOff'],
  holiday_calendar: ['listHolidayCalendars', 'getHolidayCalendar', 'listDaysOff'],
  team: [
    'getSetup',
    'getTeam',
    'getTeamReaders',
    'listTeams',
    'listMembers',
    'getMe',
    'getTeamDay',
    'getTrends',
    'listSlackChannels',
    ...previews,
  ],
  team_member: [...people, 'getTeamMember', 'getTeamReaders', 'listTeams', ...previews],
  member: [...people, 'getMember', 'getSetup', 'listErasures', ...previews],
  webhook: [
    'getMe',
    'getSetup',
    'getTeamReaders',
    'listWebhooks',
    'getWebhook',
    'getWebhookHealth',
    'listDeliveries',
    'listReplays',
  ],
  delivery: ['listDeliveries', 'getDelivery', 'listAttempts', 'getWebhookHealth'],
  passkey: ['listPasskeys', 'getPasskey'],
  access_token: ['listTokens', 'getToken', 'listServiceAccounts'],
  slack_trouble: ['listSlackTroubles', 'listSlackChannels'],
  workspace: ['getWorkspace', 'getMe', 'getSetup', 'getSlackConnection'],
};

const sets = new Map(Object.entries(table).map(([object, operations]) => [object, new Set(operations)]));
const none: ReadonlySet<string> = new Set();

/** A kind of object on which responses depend. */
export type AffectingObject = keyof typeof table;

export function findOperationsReading(object: string): ReadonlySet<string> {
  return sets.get(object) ?? none;
}
