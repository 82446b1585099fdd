// The operations that people and programs reach by each channel. The code says what is reached; here are the
// reasons for what is not, and the functions by which Slack does the work of an operation.
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {resourceTemplates, planReading} from '../../src/mcp/resources.js';
import {toolDefinitions} from '../../src/mcp/tool-definitions.js';
import type {Services} from '../../src/service/services.js';
import {operationsIn, operationsOfApp, withoutScreen} from '../web/support/parity.js';
import {getPublishedDocument} from './contract.js';
import {root} from './service-process.js';
import type {Json} from './service.js';

export const channels = ['dashboard', 'Slack', 'command', 'MCP'] as const;
export type Channel = (typeof channels)[number];

/** The name of a use case, such as `blockers.changeBlocker`. */
type UseCase = {
  [Name in keyof Services & string]: Services[Name] extends (...given: never) => unknown
    ? Name
    : `${Name}.${keyof Services[Name] & string}`;
}[keyof Services & string];

/** The use case that Slack calls for the work of each operation. */
export const slackUseCases: Readonly<Record<string, UseCase>> = {
  postStandup: 'standups.postFromChannel',
  listStandups: 'standups.listShownStandups',
  getStandup: 'standups.findStandup',
  editStandup: 'standups.editStandup',
  deleteStandup: 'standups.retractStandup',
  getDraft: 'drafts.findDraft',
  listBlockers: 'blockers.listBlockers',
  getBlocker: 'blockers.findBlocker',
  changeBlocker: 'blockers.changeBlocker',
  createTeam: 'teams.createTeam',
  listTeams: 'people.listTeamsOf',
  getTeam: 'teams.findTeamToChange',
  changeTeam: 'teams.changeTeam',
  previewSchedule: 'schedulePreviews.previewSchedule',
  previewScheduleDraft: 'schedulePreviews.previewSchedule',
  listTeamMembers: 'teamMembers.listTeamMembers',
  getTeamMember: 'teamMembers.findTeamMember',
  setTeamMember: 'teamMembers.setTeamMember',
  removeTeamMember: 'teamMembers.removeTeamMember',
  remindTeam: 'runs.remind',
  getOwnReminder: 'findNextReminder',
  snoozeReminder: 'ownReminders.snoozeReminder',
  getRun: 'channelViews.findReport',
  getParticipation: 'channelViews.findWeek',
  getTeamWeek: 'channelViews.findWeek',
  getTeamDay: 'findMissing',
  createMember: 'people.ensureSlackMember',
  listMembers: 'members.listMembers',
  getMember: 'members.findMember',
  changeMember: 'members.changeMember',
  createAbsence: 'absences.enterAbsence',
  listAbsences: 'absences.listAbsencesOf',
  changeAbsence: 'absences.changeAbsence',
  deleteAbsence: 'absences.deleteAbsence',
  createSignInLink: 'sessions.createSignInLink',
  retrySlackTrouble: 'slackTroubles.resume',
};

const imports = [
  'createImport',
  'listImports',
  'addImportRows',
  'finishImport',
  'getImport',
  'cancelImport',
] as const;
const comments = ['createComment', 'listComments', 'getComment', 'editComment', 'deleteComment'] as const;
const exports = ['exportStandups', 'exportAbsences', 'exportParticipation', 'exportMember'] as const;
const invites = ['createInvite', 'listInvites', 'acceptInvite', 'getInvite', 'revokeInvite'] as const;
const mails = ['listMails', 'getMail', 'markMailAsBounced'] as const;
const calendars = [
  'listHolidayRegions',
  'createHolidayCalendar',
  'listHolidayCalendars',
  'getHolidayCalendar',
  'deleteHolidayCalendar',
] as const;
const deliveries = [
  'listDeliveries',
  'listEventDeliveries',
  'getDelivery',
  'listAttempts',
  'redeliver',
  'listReplays',
  'getReplay',
  'cancelReplay',
] as const;
const webhooks = [
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'changeWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'tryWebhook',
  'testWebhook',
  ...deliveries,
] as const;
const events = ['listEvents', 'streamEvents', 'streamChanges', 'getEvent', 'listEventTypes'] as const;
const access = [
  'createToken',
  'listTokens',
  'getToken',
  'createCalendarFeed',
  'createShareLink',
  'getDeviceLogin',
  'decideDeviceLogin',
  'createPasskeyChallenge',
  'createPasskey',
  'listPasskeys',
  'getPasskey',
  'changePasskey',
  'deletePasskey',
  'listServiceAccounts',
  'deleteServiceAccount',
] as const;
const workspace = ['getWorkspace', 'changeWorkspace', 'getSetup'] as const;
const slack = ['getSlackConnection', 'disconnectSlack', 'listSlackChannels', 'listSlackTroubles'] as const;
const erasures = ['listErasures', 'getErasure'] as const;
const administration = [
  'createTeam',
  'changeTeam',
  'deleteTeam',
  'setTeamMember',
  'removeTeamMember',
  'createMember',
  'changeMember',
  'deleteMember',
] as const;

/** The reasons why a channel lacks operations. Those of the dashboard are kept with its tests. */
export const gaps: Readonly<
  Record<Exclude<Channel, 'dashboard'>, Readonly<Record<string, readonly string[]>>>
> = {
  Slack: {
    'the dashboard has the earlier texts': ['listStandupRevisions'],
    'a blocker is raised with an update': ['raiseBlocker'],
    'threads in Slack are Slack’s own': comments,
    'programs and the command write drafts, and a post clears them': ['setDraftPart', 'deleteDraftParts'],
    'Slack has reactions of its own': ['changeReaction', 'listReactions'],
    'the inbox of a person is in the dashboard': ['listInbox', 'readInbox'],
    'files are for a browser or a program': exports,
    'history comes from files and other products': imports,
    'it removes much, so the dashboard asks first': ['deleteTeam', 'deleteMember', ...erasures],
    'runs open by their schedule, and each has its message in the channel': ['openRun', 'listRuns'],
    'charts need a page': ['getTrends'],
    'who may read a team is set in the dashboard': ['getTeamReaders'],
    'the week of a team is posted in its channel; other counts are in the dashboard': [
      'getMemberParticipation',
      'listParticipation',
    ],
    'anyone in Slack is a person of the workspace without an invite': invites,
    'mail is for people without Slack, and its record for admins': mails,
    'the list of absences shows each as a whole': ['getAbsence'],
    'the message of the day says who is off': ['listDaysOff'],
    'it is set up seldom, in the dashboard': [...calendars, ...workspace],
    'it is work of those who run programs; leads get notices of failures': [
      ...webhooks,
      'getWebhookHealth',
      'replayWebhook',
    ],
    'programs follow events; Slack has its messages': events,
    'power over access stays out of chats': [...access, 'revokeToken'],
    'it helps when Slack itself fails': slack,
    'Slack knows who asks': ['getMe'],
  },
  command: {
    'the lists of the command show each as a whole': [
      'getStandup',
      'getBlocker',
      'getAbsence',
      'getMember',
      'listTeamMembers',
      'getTeamMember',
    ],
    'a terminal shows texts': ['changeReaction', 'listReactions'],
    'a post clears the draft': ['deleteDraftParts'],
    'the command shows updates, and no threads': [...comments, 'listInbox', 'readInbox'],
    'the exports are in the dashboard; `history --all` prints updates as lines of JSON': exports,
    'it is rare, and wants a form': [
      ...administration,
      ...invites,
      ...calendars,
      ...workspace,
      'getTeamReaders',
      'previewSchedule',
      'previewScheduleDraft',
      'openRun',
      'remindTeam',
    ],
    'the command sends no reminders': ['getOwnReminder', 'snoozeReminder'],
    'counts and reports are in the dashboard': [
      'listRuns',
      'getRun',
      'getParticipation',
      'getMemberParticipation',
      'listParticipation',
      'getTrends',
      'getTeamWeek',
      'listDaysOff',
    ],
    'it is work of an admin, in the dashboard': [...erasures, ...mails, ...slack, 'retrySlackTrouble'],
    'programs use the API; a command that listens may come later': [
      ...webhooks,
      ...events,
      'getWebhookHealth',
      'replayWebhook',
    ],
    '`login` and `logout` are all that a terminal needs; other power over access wants a fresh sign-in': [
      ...access,
      'createSignInLink',
    ],
  },
  MCP: {
    'it destroys: the person does it': [
      'deleteStandup',
      'deleteComment',
      'deleteDraftParts',
      'changeAbsence',
      'deleteAbsence',
    ],
    'earlier texts are for people': ['listStandupRevisions'],
    'a person reacts, and no assistant for them': ['changeReaction', 'listReactions'],
    'a person reads their own inbox': ['listInbox', 'readInbox'],
    'the search and the lists show each as a whole': ['getStandup', 'getBlocker', 'getComment'],
    'a person corrects what they have said': ['editComment'],
    'the day of a team says who is off': ['listAbsences', 'getAbsence', 'listDaysOff'],
    'a session begins with the teams of the caller': ['getTeam', 'listTeams'],
    'an assistant shows its text, and posts it after the person agrees': ['setDraftPart'],
    'its pages are too long for an assistant, which searches': exports,
    'a person decides who is who in an import': imports,
    'no tool changes a team, a role, or who may read': [
      ...administration,
      ...invites,
      ...calendars,
      ...workspace,
      ...erasures,
      'getTeamReaders',
    ],
    'people are named by their standups and days': [
      'listTeamMembers',
      'getTeamMember',
      'listMembers',
      'getMember',
    ],
    'an assistant wakes no one': ['openRun', 'remindTeam', 'getOwnReminder', 'snoozeReminder'],
    'the day of a team has the same, by person': ['listRuns', 'getRun'],
    'it spans all teams, for the dashboard': ['listParticipation'],
    'an assistant reads the standups, blockers and counts of the days in question': [
      'getTrends',
      'getTeamWeek',
    ],
    'the preview is of the schedule that is kept': ['previewScheduleDraft'],
    'it is the record of an admin': [...mails, ...slack, 'retrySlackTrouble'],
    'no tool makes or changes an address to which data leave': [
      'createWebhook',
      'changeWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
    ],
    'the health of a webhook sums it up, and a replay sends it again': [
      'listWebhooks',
      'getWebhook',
      'tryWebhook',
      'testWebhook',
      ...deliveries,
    ],
    'an assistant searches; programs follow events': events,
    'no tool makes or ends access': [...access, 'createSignInLink', 'revokeToken'],
  },
};

const readFiles = (folder: string, end = '.ts'): string[] =>
  readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith(end))
    .map((file) => readFileSync(path.join(root, folder, file), 'utf8'));

/** The use cases that the handler of each operation calls, by the text of its route. */
function useCasesOfRoutes(): Map<string, string[]> {
  const routes = readFiles('src/api', 'routes.ts').flatMap((file) => file.split('defineRoute(').slice(1));
  return new Map(
    routes.map((route) => [
      /operation: '(\w+)'/.exec(route)?.[1] ?? '',
      [...route.matchAll(/\b[a-z]\w+\.([a-z]\w+)\(/g)]
        .filter(([, name = '']) => !(name in Array.prototype || name in String.prototype))
        .map(([call]) => call.slice(0, -1)),
    ]),
  );
}

/** The use cases of Slack by its code: those of `slackUseCases`, and those that the API calls too. */
export function findSlackCalls() {
  const code = readFiles('src/bot').join('\n');
  /** Some files give a service another name, such as `views`. */
  const isCalled = (useCase: string) => code.includes(`.${useCase.split('.').at(-1) ?? ''}(`);
  const shared = [...useCasesOfRoutes()]
    .filter(([, useCases]) => useCases.some((useCase) => code.includes(`${useCase}(`)))
    .map(([operation]) => operation);
  return {isCalled, shared};
}

/** The operations of the tools, prompts and resources of MCP. */
function operationsOfMcp(): Set<string> {
  const ofTools = Object.values(toolDefinitions).flatMap(({operations}) =>
    operations.map(({operation}) => operation),
  );
  const ofResources = resourceTemplates.flatMap(
    ({uriTemplate}) =>
      planReading(uriTemplate.replace('{monday}', '2026-11-23').replaceAll(/\{\w+\}/g, 'x'))?.operation ?? [],
  );
  const named = readFiles('src/mcp')
    .join('\n')
    .matchAll(/\(\{operation: '(\w+)'/g);
  return new Set([...ofTools, ...ofResources, ...[...named].map(([, operation = '']) => operation)]);
}

/** The operations that each channel reaches. */
export function findReached(): Readonly<Record<Channel, ReadonlySet<string>>> {
  return {
    dashboard: operationsOfApp(),
    Slack: new Set(Object.keys(slackUseCases)),
    command: operationsIn('packages/cli/src'),
    MCP: operationsOfMcp(),
  };
}

/** The reasons of each channel, by operation. */
export function findReasons(channel: Channel): ReadonlyMap<string, string> {
  if (channel === 'dashboard') return new Map(Object.entries(withoutScreen));
  return new Map(
    Object.entries(gaps[channel]).flatMap(([reason, operations]) =>
      operations.map((operation) => [operation, reason] as const),
    ),
  );
}

/** The operations of the API by tag, in the order of the document. */
export function listOperations(): ReadonlyMap<string, readonly string[]> {
  const all = Object.values<Json>(getPublishedDocument().paths).flatMap((item) =>
    Object.values<Json>(item).flatMap(({operationId, tags: [tag] = []}) =>
      operationId === undefined ? [] : [{operation: operationId as string, tag: tag as string}],
    ),
  );
  const byTag = Map.groupBy(all, ({tag}) => tag);
  return new Map([...byTag].map(([tag, found]) => [tag, found.map(({operation}) => operation)]));
}

const head = `# Operations by channel

Everything that the API can do, and where else it can be done. A test compares this page with the code; \`CHANNELS=1 npm test -- test/rules/channels\`
writes it. ✓: the channel does it. –: it does not, for the reason below the table. The API does everything.
`;

/** Writes docs/channels.md. */
export function writeChannelsPage(): string {
  const reached = findReached();
  const groups = [...listOperations()].map(([tag, operations]) => {
    const rows = operations.map(
      (operation) =>
        `| \`${operation}\` | ✓ | ${channels.map((channel) => (reached[channel].has(operation) ? '✓' : '–')).join(' | ')} |`,
    );
    const missing = channels.flatMap((channel) => {
      const reasons = findReasons(channel);
      const absent = operations.filter((operation) => reasons.has(operation));
      return [...Map.groupBy(absent, (operation) => reasons.get(operation) ?? '')].map(
        ([reason, ofReason]) =>
          `- ${channel}, ${ofReason.map((operation) => `\`${operation}\``).join(', ')}: ${reason}`,
      );
    });
    const table = [
      '| operation | API | dashboard | Slack | command | MCP |',
      '|---|---|---|---|---|---|',
      ...rows,
    ];
    return [`## ${tag}`, table.join('\n'), missing.join('\n')].filter((part) => part !== '').join('\n\n');
  });
  return `${head}\n${groups.join('\n\n')}\n`;
}
