import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {isReadOnly} from '../../../src/api/http/route.js';
import {type Scope, scopes} from '../../../src/domain/core/access.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {addFixtures, eventsOf, type Fixtures, routes, sampleOf} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let fixtures: Fixtures;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  fixtures = await addFixtures(workspace, receiver.url);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Scopes from the contract (API.md), independent of the route table. */
const required: Readonly<Record<string, Scope | undefined>> = {
  postStandup: 'standups:write',
  getDraft: 'standups:read',
  setDraftPart: 'standups:write',
  deleteDraftParts: 'standups:write',
  listStandups: 'standups:read',
  exportAbsences: 'members:read',
  exportParticipation: 'standups:read',
  exportStandups: 'standups:read',
  getStandup: 'standups:read',
  listStandupRevisions: 'standups:read',
  editStandup: 'standups:write',
  deleteStandup: 'standups:write',
  raiseBlocker: 'standups:write',
  listBlockers: 'standups:read',
  getBlocker: 'standups:read',
  changeBlocker: 'standups:write',
  createComment: 'comments:write',
  listComments: 'standups:read',
  getComment: 'standups:read',
  editComment: 'comments:write',
  deleteComment: 'comments:write',
  changeReaction: 'comments:write',
  listReactions: 'standups:read',
  listInbox: 'standups:read',
  readInbox: 'standups:read',
  createTeam: 'teams:write',
  listTeams: 'teams:read',
  getTeam: 'teams:read',
  getTeamReaders: 'teams:read',
  changeTeam: 'teams:write',
  deleteTeam: 'teams:write',
  previewSchedule: 'teams:read',
  previewScheduleDraft: 'teams:read',
  openRun: 'teams:write',
  remindTeam: 'teams:write',
  getOwnReminder: 'members:read',
  snoozeReminder: 'members:write',
  listRuns: 'standups:read',
  getRun: 'standups:read',
  getTeamDay: 'standups:read',
  getParticipation: 'standups:read',
  getTrends: 'standups:read',
  getTeamWeek: 'standups:read',
  getMemberParticipation: 'standups:read',
  listParticipation: 'standups:read',
  createImport: 'standups:write_any',
  addImportRows: 'standups:write_any',
  finishImport: 'standups:write_any',
  listImports: 'standups:write_any',
  getImport: 'standups:write_any',
  cancelImport: 'standups:write_any',
  listTeamMembers: 'teams:read',
  getTeamMember: 'teams:read',
  setTeamMember: 'teams:write',
  removeTeamMember: 'teams:write',
  createMember: 'members:write',
  listMembers: 'members:read',
  getMember: 'members:read',
  changeMember: 'members:write',
  exportMember: 'members:read',
  deleteMember: 'members:write',
  createInvite: 'members:write',
  listInvites: 'members:read',
  getInvite: 'members:read',
  revokeInvite: 'members:write',
  acceptInvite: 'teams:write',
  listMails: 'workspace:manage',
  getMail: 'workspace:manage',
  markMailAsBounced: 'workspace:manage',
  listDaysOff: 'members:read',
  listHolidayRegions: undefined,
  listErasures: 'members:read',
  getErasure: 'members:read',
  createHolidayCalendar: 'members:write',
  listHolidayCalendars: 'members:read',
  getHolidayCalendar: 'members:read',
  deleteHolidayCalendar: 'members:write',
  createAbsence: 'members:write',
  listAbsences: 'members:read',
  getAbsence: 'members:read',
  changeAbsence: 'members:write',
  deleteAbsence: 'members:write',
  createWebhook: 'webhooks:manage',
  listWebhooks: 'webhooks:manage',
  getWebhook: 'webhooks:manage',
  changeWebhook: 'webhooks:manage',
  rotateWebhookSecret: 'webhooks:manage',
  deleteWebhook: 'webhooks:manage',
  getWebhookHealth: 'webhooks:manage',
  listDeliveries: 'webhooks:manage',
  listEventDeliveries: 'webhooks:manage',
  testWebhook: 'webhooks:manage',
  tryWebhook: 'webhooks:manage',
  getDelivery: 'webhooks:manage',
  listAttempts: 'webhooks:manage',
  redeliver: 'webhooks:manage',
  replayWebhook: 'webhooks:manage',
  listReplays: 'webhooks:manage',
  getReplay: 'webhooks:manage',
  cancelReplay: 'webhooks:manage',
  listEvents: 'events:read',
  listEventTypes: undefined,
  createToken: 'tokens:manage',
  createSignInLink: 'tokens:manage',
  createCalendarFeed: 'tokens:manage',
  createShareLink: 'tokens:manage',
  getDeviceLogin: 'tokens:manage',
  decideDeviceLogin: 'tokens:manage',
  listTokens: 'tokens:manage',
  getToken: 'tokens:manage',
  revokeToken: 'tokens:manage',
  createPasskeyChallenge: 'tokens:manage',
  createPasskey: 'tokens:manage',
  listPasskeys: 'tokens:manage',
  getPasskey: 'tokens:manage',
  changePasskey: 'tokens:manage',
  deletePasskey: 'tokens:manage',
  listServiceAccounts: 'tokens:manage',
  deleteServiceAccount: 'tokens:manage',
  streamEvents: 'events:read',
  streamChanges: undefined,
  getEvent: 'events:read',
  getWorkspace: 'workspace:manage',
  changeWorkspace: 'workspace:manage',
  getSlackConnection: 'teams:read',
  disconnectSlack: 'workspace:manage',
  listSlackChannels: 'teams:read',
  listSlackTroubles: 'teams:read',
  retrySlackTrouble: 'teams:write',
  getMe: undefined,
  getSetup: 'members:read',
};

it('every operation has a scope of the contract', () => {
  expect(Object.fromEntries(routes.map(({operation, scope}) => [operation, scope]))).toEqual(required);
});

describe('a token with all scopes except one', () => {
  it.each([...new Set(routes.flatMap(({scope}) => scope ?? []))])(
    'is refused by every operation that needs the missing scope %s',
    async (needed) => {
      const others = scopes.filter((scope) => scope !== needed);
      const {value: token} = await workspace.addToken({scopes: others, name: needed});
      const before = await eventsOf(workspace);
      const asked = routes.filter(({scope}) => scope === needed);
      await runConcurrently(asked, async (route) => {
        const {path, body} = sampleOf(route, fixtures);
        const options = {token, headers: {'idempotency-key': route.operation}, ...(body && {body})};
        const answer = await workspace.request(route.method, path, options);
        expect({operation: route.operation, status: answer.status}).toEqual({
          operation: route.operation,
          status: 403,
        });
        expectProblem(answer, 'insufficient_scope');
        expect(answer.headers.get('www-authenticate')).toContain(`scope="${needed}"`);
      });
      expect(await eventsOf(workspace)).toEqual(before);
    },
  );
});

describe('a token with only the scope of an operation', () => {
  // Only sessions use passkeys: see passkeys.test.ts.
  const byToken = routes.filter(({tag}) => tag !== 'Passkeys');
  // The answer to invited addresses says which are those of members.
  // The drafts of the sample are another member's.
  const also: Partial<Record<string, readonly Scope[]>> = {
    createInvite: ['members:read'],
    // A feed may not read more than the token that made it.
    createCalendarFeed: ['teams:read', 'members:read'],
    createShareLink: ['standups:read'],
    setDraftPart: ['standups:write_any'],
    deleteDraftParts: ['standups:write_any'],
  };
  it.each(sampleUnlessDeep(byToken, 24))('is accepted by that operation: $operation', async (route) => {
    // Read operations may share a workspace.
    const own = isReadOnly(route) ? workspace : await service.addWorkspace();
    const ids = own === workspace ? fixtures : await addFixtures(own, receiver.url, route);
    const sample = sampleOf(route, ids);
    // The author of the sample's standup, or, in a shared workspace, a new account, because tokens per holder
    // are limited.
    const name = own === workspace ? route.operation : 'ci';
    const granted = [...(route.scope === undefined ? [] : [route.scope]), ...(also[route.operation] ?? [])];
    const {value} =
      sample.token === undefined
        ? await own.addToken({name, scopes: granted})
        : {value: (await addPerson(service, own, {role: 'owner', scopes: granted})).token};
    const options = {token: value, ...(sample.body && {body: sample.body})};
    const answer = await own.request(route.method, sample.path, options);
    // A new person has no reminder yet.
    expect(answer.status).toBe(route.operation === 'snoozeReminder' ? 409 : route.success.status);
  });
});
