import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Route} from '../../../src/api/http/route.js';
import {deep} from '../../support/deep.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {seedReminder} from '../../support/seed-reminder.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {
  addFixtures,
  type Fixtures,
  make,
  mutations,
  randomName,
  type SampleRequest,
  sampleOf,
} from '../samples.js';

let service: TestService;
/** A second process, as the store sees it. */
let twin: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  twin = await startService({redisUrl: service.redisUrl});
  receiver = await startReceiver();
});

afterAll(async () => {
  await twin.close();
  await service.close();
  await receiver.close();
});

/** Roles of a caller relative to the team of the sample. An owner and an admin are not in it. */
const roles = [
  'owner',
  'admin',
  'lead',
  'lead of another team',
  'member',
  'member not in it',
  'service account',
] as const;

type Role = (typeof roles)[number];

const all: readonly Role[] = roles;
const owners: readonly Role[] = ['owner'];
/** Roles that manage the workspace. */
const managers: readonly Role[] = ['owner', 'admin', 'service account'];
const leads: readonly Role[] = [...managers, 'lead'];

interface Rule {
  readonly may: readonly Role[];
  /** The reason for exactly these roles. A new row needs its own reason. */
  readonly why: string;
  /** The refusal of other members, if it is not `403 forbidden`. */
  readonly refusal?: string;
}

/** The contract's rule for every changing operation. */
const rules: Readonly<Record<string, Rule>> = {
  postStandup: {
    may: ['lead', 'member', 'service account'],
    why: 'people post for their teams, and a service account for all; managers must name an author',
  },
  editStandup: {may: leads, why: 'leads and managers correct the standups of others'},
  deleteStandup: {may: leads, why: 'like editing it'},
  setDraftPart: {may: leads, why: 'like posting for another member; one’s own draft has its own test'},
  deleteDraftParts: {
    may: all,
    why: 'it deletes only parts that the caller wrote, or of the caller’s own draft',
  },
  raiseBlocker: {
    may: ['lead', 'member', 'service account'],
    why: 'like posting a standup: the answer to a question raises one too',
  },
  changeReaction: {may: all, why: 'who reads a standup may react to it, in their own name'},
  readInbox: {may: all, why: 'it changes only the inbox of the caller'},
  changeBlocker: {
    may: [...leads, 'member'],
    why: 'the sample acknowledges, which every member of the team may do',
  },
  createComment: {may: all, why: 'who reads a standup may answer it'},
  editComment: {may: [], why: 'the comment of the sample is of another author'},
  deleteComment: {may: leads, why: 'leads and managers may take away what should not be there'},
  createImport: {may: managers, why: 'history names everyone as its author'},
  addImportRows: {may: managers, why: 'like beginning an import'},
  finishImport: {may: managers, why: 'like beginning an import'},
  cancelImport: {may: managers, why: 'like beginning an import'},
  createTeam: {may: all, why: 'everyone may create a team, and leads it'},
  changeTeam: {may: leads, why: 'leads manage their own team'},
  deleteTeam: {may: leads, why: 'leads manage their own team'},
  openRun: {may: leads, why: 'leads manage their own team'},
  remindTeam: {may: leads, why: 'leads manage their own team'},
  snoozeReminder: {
    may: ['lead', 'member'],
    why: 'people snooze their own reminder, which only those in the team have',
    refusal: '409 no_open_run',
  },
  setTeamMember: {may: leads, why: 'leads decide who is in their team; no member joins through the API'},
  removeTeamMember: {may: leads, why: 'like adding; leaving has its own test'},
  createMember: {may: managers, why: 'managers decide who is in the workspace'},
  changeMember: {may: managers, why: 'like adding; changing one’s own record has its own test'},
  deleteMember: {may: managers, why: 'like adding'},
  createInvite: {may: leads, why: 'leads bring people into their team, and managers into every team'},
  revokeInvite: {may: managers, why: 'the invite of the sample is of another maker'},
  acceptInvite: {
    may: all.filter((role) => role !== 'service account'),
    why: 'anyone who has the link joins; a program is in no team',
  },
  markMailAsBounced: {may: managers, why: 'managers look after addresses'},
  createHolidayCalendar: {may: managers, why: 'everyone may choose it, and then has those days off'},
  deleteHolidayCalendar: {may: managers, why: 'like adding it'},
  createAbsence: {may: leads, why: 'leads plan for their people; one’s own absence has its own test'},
  changeAbsence: {may: leads, why: 'like entering it'},
  deleteAbsence: {may: leads, why: 'like entering it'},
  createToken: {may: all, why: 'everyone makes tokens for themselves, with no more scopes than their own'},
  createSignInLink: {
    may: owners.concat('admin'),
    why: 'the browser then acts as the member; programs may not start that',
  },
  createCalendarFeed: {
    may: all.filter((role) => role !== 'service account'),
    why: 'everyone reads their own calendar; a program has none',
  },
  createShareLink: {
    may: leads.filter((role) => role !== 'service account'),
    why: 'a lead tells others of the team; the link ends with the right of a person',
  },
  revokeToken: {may: managers, why: 'the token of the sample is of another holder'},
  decideDeviceLogin: {
    may: all.filter((role) => role !== 'service account'),
    why: 'everyone signs their own programs in, with no more scopes than their own',
  },
  createPasskey: {may: [], why: 'it would outlive the token: only a session of the dashboard adds one'},
  changePasskey: {may: [], why: 'the passkey of the sample is of another member'},
  deletePasskey: {may: [], why: 'like renaming it'},
  deleteServiceAccount: {may: managers, why: 'all of its tokens end with it'},
  createWebhook: {may: managers, why: 'a webhook sends the texts of all members to any address'},
  changeWebhook: {may: managers, why: 'like creating it'},
  deleteWebhook: {may: managers, why: 'like creating it'},
  rotateWebhookSecret: {may: managers, why: 'the secret is enough to imitate the service'},
  testWebhook: {may: managers, why: 'like creating it'},
  tryWebhook: {may: managers, why: 'like creating it'},
  redeliver: {may: managers, why: 'like creating a webhook'},
  replayWebhook: {may: managers, why: 'like creating a webhook'},
  cancelReplay: {may: managers, why: 'like creating a webhook'},
  changeWorkspace: {may: managers, why: 'managers decide what everyone sees'},
  disconnectSlack: {may: managers, why: 'like changing the workspace'},
  retrySlackTrouble: {may: leads, why: 'leads manage their own team, and are notified in Slack'},
};

it('every operation that changes something has its rule, and there is no other rule', () => {
  expect(mutations.map(({operation}) => operation).toSorted()).toEqual(Object.keys(rules).toSorted());
});

/** A token of a member with this role relative to a team. */
async function tokenOf(role: Role, workspace: TestWorkspace, team: string): Promise<string> {
  if (role === 'service account') return (await workspace.addToken({name: 'another'})).value;
  if (role === 'owner' || role === 'admin') {
    return (await addPerson(service, workspace, {role})).token;
  }
  const other = randomName();
  await make(workspace, '/v1/teams', {slug: other});
  const memberships = {
    lead: {team, as: 'lead'},
    'lead of another team': {team: other, as: 'lead'},
    member: {team, as: 'member'},
    'member not in it': {team: other, as: 'member'},
  } as const;
  return (await addPerson(service, workspace, memberships[role])).token;
}

/** Gives the holder of a token a reminder of the sample's team. */
async function remindHolder(workspace: TestWorkspace, token: string, {team, slug}: Fixtures): Promise<void> {
  const {body: me} = await workspace.request('GET', '/v1/me', {token});
  await seedReminder(service, workspace, {member: me.principal.id, team, slug});
}

async function expectRule(
  route: Pick<Route, 'method' | 'path'>,
  rule: Rule,
  sample: (fixtures: Fixtures, workspace: TestWorkspace) => Promise<SampleRequest> | SampleRequest,
): Promise<void> {
  const workspace = await service.addWorkspace();
  let fixtures: Fixtures | undefined;
  let isUsed = false;
  // `npm test` tries the two strongest refused roles and the weakest allowed role; deep runs try all.
  const people = roles.filter((one) => one !== 'service account');
  const strongest = roles.filter((one) => !rule.may.includes(one)).slice(0, 2);
  const weakest = people.findLast((one) => rule.may.includes(one));
  const asking = roles.filter((one) => deep || strongest.includes(one) || one === weakest);
  // Callers who are refused come first and share one sample, which they cannot change.
  const [first, then] = [false, true].map((may) => asking.filter((one) => rule.may.includes(one) === may));
  for (const role of [...(first ?? []), ...(then ?? [])]) {
    const allowed = rule.may.includes(role);
    if (fixtures === undefined || isUsed) fixtures = await addFixtures(workspace, receiver.url, route);
    isUsed = allowed;
    const token = await tokenOf(role, workspace, fixtures.slug);
    if (route.path === '/v1/reminders/snooze') await remindHolder(workspace, token, fixtures);
    const {path, body} = await sample(fixtures, workspace);
    const answer = await workspace.request(route.method, path, {token, ...(body && {body})});
    const outcome = answer.status < 300 ? 'allowed' : `${answer.status} ${answer.body?.code}`;
    const refusal = (role !== 'service account' && rule.refusal) || '403 forbidden';
    const expected = allowed ? 'allowed' : refusal;
    expect({role, outcome, why: rule.why}).toEqual({role, outcome: expected, why: rule.why});
    if (answer.status === 403) expectProblem(answer, 'forbidden');
  }
}

describe('the rule on roles of an operation', () => {
  it.each(mutations)('applies: $operation', async (route) => {
    const rule = rules[route.operation];
    if (rule === undefined) throw new Error(`${route.operation} has no rule: say who may do it, and why`);
    await expectRule(route, rule, (fixtures) => sampleOf(route, fixtures));
  });
});

describe('the rule on roles beyond the sample request', () => {
  const patch = {method: 'PATCH', path: '/v1/members'} as const;
  const addOwner = async (workspace: TestWorkspace) =>
    (await addPerson(service, workspace, {name: 'Owner', role: 'owner'})).id;
  // The sample of these paths needs the member to post for.
  const special: [
    string,
    Pick<Route, 'method' | 'path'>,
    Rule,
    (fixtures: Fixtures, workspace: TestWorkspace) => Promise<SampleRequest> | SampleRequest,
  ][] = [
    [
      'posting for another member',
      {method: 'POST', path: '/v1/members'},
      {may: leads, why: 'who may correct a standup may also bring it in'},
      ({slug, member}) => ({path: '/v1/standups', body: {team: slug, update: 'For her.', author: member}}),
    ],
    [
      'resolving a blocker of another member',
      {method: 'PATCH', path: '/v1/blockers'},
      {may: leads, why: 'its author, a lead or a manager decides whether it is resolved'},
      ({blocker}) => ({path: `/v1/blockers/${blocker}`, body: {state: 'resolved'}}),
    ],
    [
      'raising a blocker for another member',
      {method: 'POST', path: '/v1/members'},
      {may: leads, why: 'like posting for another member'},
      ({slug, member}) => ({path: '/v1/blockers', body: {team: slug, text: 'For her.', author: member}}),
    ],
    [
      'making a member an owner',
      patch,
      {may: owners, why: 'an admin could otherwise make themselves one'},
      ({member}) => ({path: `/v1/members/${member}`, body: {role: 'owner'}}),
    ],
    [
      'adding an owner',
      {method: 'POST', path: '/v1/members'},
      {may: owners, why: 'like making a member an owner'},
      () => ({path: '/v1/members', body: {name: 'Another owner', role: 'owner'}}),
    ],
    [
      'making a member an admin',
      patch,
      {may: managers, why: 'admins share the work'},
      ({member}) => ({path: `/v1/members/${member}`, body: {role: 'admin'}}),
    ],
    [
      'changing an owner',
      patch,
      {may: owners, why: 'a changed address is enough to sign in as that person'},
      async (_, workspace) => ({path: `/v1/members/${await addOwner(workspace)}`, body: {name: 'Else'}}),
    ],
    [
      'removing an owner',
      {method: 'DELETE', path: '/v1/members'},
      {may: owners, why: 'like changing one'},
      async (_, workspace) => ({path: `/v1/members/${await addOwner(workspace)}`}),
    ],
    [
      'revoking a token of an owner',
      {method: 'DELETE', path: '/v1/tokens'},
      {may: owners, why: 'like changing one'},
      async (_, workspace) => {
        const holder = {type: 'member', id: await addOwner(workspace), name: 'Owner'} as const;
        const input = {name: 'theirs', holder, scopes: ['standups:read']} as const;
        const {token} = await workspace.core.services.tokens.issueToken(workspace.operator(), input);
        return {path: `/v1/tokens/${token.id}`};
      },
    ],
    [
      'exporting an owner',
      {method: 'GET', path: '/v1/members/{member}/export'},
      {may: owners, why: 'like changing one'},
      async (_, workspace) => ({path: `/v1/members/${await addOwner(workspace)}/export`}),
    ],
  ];

  it.each(special)('applies to %s', async (_, route, rule, sample) => {
    await expectRule(route, rule, sample);
  });
});

describe('plain members', () => {
  it('change their own name and time zone, and nothing else', async () => {
    const workspace = await service.addWorkspace();
    const ada = await addPerson(service, workspace);
    const change = (body: Json) =>
      workspace.request('PATCH', `/v1/members/${ada.id}`, {token: ada.token, body});
    expect((await change({name: 'Ada King', timezone: 'Europe/London', locale: 'de'})).body).toMatchObject({
      name: 'Ada King',
      timezone: 'Europe/London',
      locale: 'de',
      revision: 2,
    });
    for (const body of [
      {role: 'admin'},
      {email: 'a@example.com'},
      {slack_user_id: 'U0MINE'},
      {name: 'B', role: 'owner'},
    ]) {
      expectProblem(await change(body), 'forbidden');
    }
    const removal = await workspace.request('DELETE', `/v1/members/${ada.id}`, {token: ada.token});
    expectProblem(removal, 'forbidden');
  });

  it('leave a team, and do not add themselves to one', async () => {
    const workspace = await service.addWorkspace();
    const ada = await addPerson(service, workspace, {team: 'platform'});
    const path = `/v1/teams/platform/members/${ada.id}`;
    const own = {token: ada.token};
    expectProblem(await workspace.request('PUT', path, {...own, body: {role: 'lead'}}), 'forbidden');
    expect((await workspace.request('DELETE', path, own)).status).toBe(204);
    expectProblem(await workspace.request('PUT', path, own), 'forbidden');
  });

  it('change their own standups, even after they have left the team', async () => {
    const workspace = await service.addWorkspace();
    const ada = await addPerson(service, workspace, {team: 'platform'});
    const body = {team: 'platform', update: 'Mine.'};
    const {body: mine} = await workspace.request('POST', '/v1/standups', {body, token: ada.token});
    await workspace.request('DELETE', `/v1/teams/platform/members/${ada.id}`, {token: ada.token});
    const path = `/v1/standups/${mine.id}`;
    const edit = await workspace.request('PATCH', path, {body: {update: 'Still mine.'}, token: ada.token});
    expect(edit.status).toBe(200);
    expect((await workspace.request('DELETE', path, {token: ada.token})).status).toBe(204);
  });
});

describe('a change of role', () => {
  const rename = (url: string, token: string, slug: string) =>
    fetch(`${url}/v1/teams/${slug}`, {
      method: 'PATCH',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({name: randomName()}),
    }).then(({status}) => status);

  it('applies to the workspace from the next request on, in every process', async () => {
    const workspace = await service.addWorkspace();
    const admin = await addPerson(service, workspace, {role: 'admin'});
    const setRole = (role: string) => workspace.request('PATCH', `/v1/members/${admin.id}`, {body: {role}});
    for (const [role, status] of [
      ['member', 403],
      ['admin', 200],
      ['member', 403],
    ] as const) {
      await setRole(role);
      expect(await rename(twin.url, admin.token, 'platform')).toBe(status);
      expect(await rename(service.url, admin.token, 'platform')).toBe(status);
    }
  });

  it('applies to a team from the next request on, in every process', async () => {
    const workspace = await service.addWorkspace();
    const lead = await addPerson(service, workspace, {team: 'platform', as: 'lead'});
    const setRole = (role: string) =>
      workspace.request('PUT', `/v1/teams/platform/members/${lead.id}`, {body: {role}});
    for (const [role, status] of [
      ['member', 403],
      ['lead', 200],
      ['member', 403],
    ] as const) {
      await setRole(role);
      expect(await rename(twin.url, lead.token, 'platform')).toBe(status);
    }
  });
});
