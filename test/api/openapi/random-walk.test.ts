import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {scopes as allScopes} from '../../../src/domain/core/access.js';
import {deep} from '../../support/deep.js';
import {type Chance, createChance} from '../../support/seeded-random.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {startTestStore, type TestStore} from '../../support/test-store.js';
import {addPerson, type Person} from '../people.js';
import {createSessionToken} from '../../dashboard/test-browser.js';
import {addPasskey, make, mutations} from '../samples.js';

/** The whole walk: `npm run faults -- walk --steps 10000 --seed n`. */
const seed = Number(process.env['WALK_SEED'] ?? 20_261_123);
const steps = Number(process.env['WALK_STEPS'] ?? (deep ? 500 : 80));
/** Number of steps between reads of the events, and between comparisons of other people's data. */
const [readEvery, compareEvery] = [10, 250];

let store: TestStore;
let service: TestService;
let workspace: TestWorkspace;
/** The walker: a member of one team without any other role, with a token of every scope. */
let mallory: Person;
let owner: Person;
let world: WalkWorld;
let theirPasskey: Awaited<ReturnType<typeof addPasskey>>;

/** Everything that the walk may name: earlier data, and its own. */
interface WalkWorld {
  readonly chance: Chance;
  /** Ids, e-mail addresses and Slack users, including the walker's. */
  readonly people: {readonly id: string; readonly references: readonly string[]}[];
  readonly teams: string[];
  readonly standups: string[];
  readonly absences: string[];
  readonly blockers: string[];
  readonly comments: string[];
  readonly tokens: string[];
  readonly webhooks: string[];
  readonly invites: string[];
  /** Links of the walker's invites. */
  readonly links: string[];
  /** Codes of programs that wait for a person. */
  readonly userCodes: string[];
  /** Ids of passkeys of others. */
  readonly passkeys: string[];
  /** Values of the walker's tokens. */
  readonly credentials: string[];
}

/** Ids of the teams that the walk has made. */
const made = new Set<string>();
/** Cursor of the feed. */
let cursor = '';

const asOwner = (method: string, path: string, body?: Json) =>
  workspace.request(method, path, {token: owner.token, ...(body && {body})});

beforeAll(async () => {
  store = await startTestStore({shared: true});
  service = await startService({
    redisUrl: store.url,
    env: {...store.env, ROLES: 'web', RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_AUTH_FAILURES: '0'},
  });
  workspace = await service.addWorkspace();
  await make(workspace, '/v1/teams', {slug: 'elsewhere'});
  const questions = [{key: 'stops', label: 'What stops you?', type: 'text', raises_blocker: true}];
  await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
  const person = (name: string, more: Parameters<typeof addPerson>[2] = {}) =>
    addPerson(service, workspace, {
      name,
      email: `${name.toLowerCase()}@example.com`,
      slack_user_id: `U0${name.toUpperCase()}`,
      ...more,
    });
  owner = await person('Olga', {role: 'owner', team: 'platform'});
  const others = [
    owner,
    await person('Adam', {role: 'admin', team: 'elsewhere'}),
    await person('Lea', {team: 'platform', as: 'lead'}),
    await person('Grace', {team: 'platform'}),
    await person('Stranger'),
  ];
  mallory = await person('Mallory', {team: 'platform'});
  const {body: ownTokens} = await workspace.request('GET', '/v1/tokens', {token: mallory.token});
  world = {
    chance: createChance(seed),
    people: [...others, mallory].map(({id, name}) => ({
      id,
      references: [id, `${name.toLowerCase()}@example.com`, `U0${name.toUpperCase()}`],
    })),
    teams: ['platform', 'elsewhere', workspace.team],
    standups: [],
    absences: [],
    blockers: [],
    comments: [],
    tokens: ownTokens.data.map(({id}: Json) => id),
    webhooks: [],
    invites: [],
    links: [],
    passkeys: [],
    userCodes: [],
    // A session, too: no other token gets further than the first check of passkeys.
    credentials: [mallory.token, await createSessionToken(workspace, mallory.id)],
  };
  const {body: tokens} = await asOwner('GET', '/v1/tokens?limit=100');
  world.tokens.push(...tokens.data.map(({id}: Json) => id));
  for (const {token} of others.slice(0, 4)) {
    const own = async (path: string, body: Json) =>
      (await workspace.request('POST', path, {token, body})).body.id as string;
    const team = token === others[1]?.token ? 'elsewhere' : 'platform';
    world.standups.push(await own('/v1/standups', {team, update: 'Their words.'}));
    await own('/v1/reactions', {subject: world.standups.at(-1), add: ['👀']});
    world.absences.push(await own('/v1/absences', {reason: 'Theirs', until: null}));
    world.absences.push(await own('/v1/absences', {team, reason: 'Theirs', from: '2026-12-01'}));
    world.blockers.push(await own('/v1/blockers', {team, text: 'In their way.'}));
  }
  const hook = {url: 'https://receiver.example/hook', events: ['*'], enabled: false};
  world.webhooks.push((await make(workspace, '/v1/webhooks', hook)).id);
  theirPasskey = await addPasskey(workspace);
  world.passkeys.push(theirPasskey.passkey);
  for (let i = 0; i < 20; i += 1) {
    const asked = {name: 'a program', scopes: ['standups:read', 'standups:write_any'] as const};
    const {user_code: code} = await service.core.services.deviceLogins.start(asked, {
      address: '192.0.2.1',
      deadline: performance.now() + 5_000,
    });
    world.userCodes.push(code);
  }
  const invited = await make(workspace, '/v1/invites', {teams: [{team_id: 'elsewhere'}]});
  world.invites.push(invited.data[0].id);
  await readEvents();
});

afterAll(async () => {
  await service.close();
  await store.stop();
});

interface WalkStep {
  readonly path: string;
  readonly body?: Json;
}

const days = ['2026-11-20', '2026-11-23', '2026-12-24'];

/** One request for each changing operation, with values of the world. */
const requests: Readonly<Record<string, (w: WalkWorld, pick: Picker) => WalkStep>> = {
  postStandup: (w, {team, reference, maybe, text}) => ({
    path: '/v1/standups',
    body: {
      ...(maybe(5) ? {teams: [...new Set([team(), team()])]} : {team: team()}),
      ...(maybe(2) && {author: reference()}),
      ...(maybe(3) ? {answers: [{question: 'stops', value: text()}]} : {update: text()}),
      ...(maybe(4) && {date: w.chance.pick(days)}),
    },
  }),
  editStandup: (w, {of, text}) => ({path: `/v1/standups/${of(w.standups)}`, body: {update: text()}}),
  deleteStandup: (w, {of}) => ({path: `/v1/standups/${of(w.standups)}`}),
  setDraftPart: (w, {team, reference, maybe, text}) => ({
    path: `/v1/drafts/${maybe(2) ? 'me' : reference()}`,
    body: {team: team(), source: w.chance.pick(['git', 'theirs']), update: text()},
  }),
  deleteDraftParts: (_, {team, reference, maybe}) => ({
    path: `/v1/drafts/${maybe(2) ? 'me' : reference()}?team=${team()}${maybe(3) ? '&source=theirs' : ''}`,
  }),
  raiseBlocker: (_, {team, reference, maybe, text}) => ({
    path: '/v1/blockers',
    body: {team: team(), text: text(), ...(maybe(2) && {author: reference()})},
  }),
  changeBlocker: (w, {of, maybe, text}) => ({
    path: `/v1/blockers/${of(w.blockers)}`,
    body: maybe(3) ? {text: text()} : {state: w.chance.pick(['raised', 'acknowledged', 'resolved'])},
  }),
  createComment: (w, {of, text}) => ({path: '/v1/comments', body: {standup: of(w.standups), text: text()}}),
  editComment: (w, {of, text}) => ({path: `/v1/comments/${of(w.comments)}`, body: {text: text()}}),
  deleteComment: (w, {of}) => ({path: `/v1/comments/${of(w.comments)}`}),
  changeReaction: (w, {of, maybe}) => ({
    path: '/v1/reactions',
    body: {
      subject: of(w.standups) ?? 'none',
      add: [w.chance.pick(['👍', '🎉', ':tada:'])],
      ...(maybe(2) && {remove: ['👍', '👀']}),
    },
  }),
  readInbox: (w, {of, maybe}) => ({
    path: '/v1/inbox/read',
    body: {standups: [of(w.standups)], ...(maybe(2) && {until: w.chance.between(0, 500)})},
  }),
  createTeam: (w) => ({path: '/v1/teams', body: {slug: `walk-${w.chance.between(1, 60)}`}}),
  changeTeam: (_, {team, text}) => ({path: `/v1/teams/${team()}`, body: {name: text()}}),
  deleteTeam: (_, {team, maybe}) => ({path: `/v1/teams/${team()}${maybe(2) ? '?force=true' : ''}`}),
  openRun: (_, {team}) => ({path: `/v1/teams/${team()}/runs`}),
  snoozeReminder: (w) => ({
    path: '/v1/reminders/snooze',
    body: {minutes: w.chance.between(4, 90)},
  }),
  remindTeam: (_, {team}) => ({path: `/v1/teams/${team()}/reminders`}),
  setTeamMember: (w, {team, person, maybe}) => ({
    path: `/v1/teams/${team()}/members/${person()}`,
    ...(maybe(2) && {body: {role: w.chance.pick(['lead', 'member', 'observer'])}}),
  }),
  removeTeamMember: (_, {team, person}) => ({path: `/v1/teams/${team()}/members/${person()}`}),
  createMember: (w, {text}) => ({
    path: '/v1/members',
    body: {name: text(), role: w.chance.pick(['owner', 'admin', 'member'])},
  }),
  changeMember: (w, {person, text}) => ({
    path: `/v1/members/${person()}`,
    body: w.chance.pick([
      {name: text()},
      {role: w.chance.pick(['owner', 'admin'])},
      {email: 'olga.new@example.com'},
      {slack_user_id: 'U0OLGANEW'},
      {timezone: 'Europe/Berlin'},
    ]),
  }),
  deleteMember: (w, {person, maybe}) => ({
    // A walker who removes themselves could not continue; the role table has that case.
    path: `/v1/members/${person()}${maybe(2) ? '?erase=true' : ''}`,
  }),
  createInvite: (w, {team, maybe}) => ({
    path: '/v1/invites',
    body: {
      ...(maybe(2) && {emails: [`new${w.chance.between(1, 100)}@example.com`]}),
      teams: maybe(4) ? [] : [{team_id: team(), role: w.chance.pick(['lead', 'member', 'observer'])}],
      ...(maybe(4) && {role: 'admin'}),
    },
  }),
  acceptInvite: (w, {of}) => ({path: '/v1/invites/accept', body: {link: of(w.links) ?? 'none'}}),
  revokeInvite: (w, {of}) => ({path: `/v1/invites/${of(w.invites)}`}),
  markMailAsBounced: () => ({path: '/v1/mails/eml_01ke6p4ym07fk9s1s2m8xq4vbt/bounce', body: {}}),
  createHolidayCalendar: (_, {text}) => ({path: '/v1/holiday-calendars', body: {name: text(), ics: ''}}),
  deleteHolidayCalendar: () => ({path: '/v1/holiday-calendars/cal_01ke6q0z9g7m2t5x8c4b1w6hfd'}),
  createAbsence: (w, {team, reference, maybe, text}) => ({
    path: '/v1/absences',
    body: {
      ...(maybe(2) && {member: reference()}),
      ...(maybe(2) && {team: team()}),
      ...(maybe(2) ? {until: null} : {from: w.chance.pick(days.slice(1))}),
      reason: text(),
    },
  }),
  changeAbsence: (w, {of, team, maybe, text}) => ({
    path: `/v1/absences/${of(w.absences)}`,
    body: {reason: text(), ...(maybe(3) && {team: maybe(2) ? team() : null})},
  }),
  deleteAbsence: (w, {of}) => ({path: `/v1/absences/${of(w.absences)}`}),
  createToken: (w, {reference, maybe, text}) => ({
    path: '/v1/tokens',
    body: {
      name: text(),
      ...(maybe(2) && {scopes: ['standups:write', 'standups:write_any', 'members:write', 'tokens:manage']}),
      ...(maybe(3) ? {member: reference()} : maybe(3) && {service_account: w.chance.pick(['ci', 'new'])}),
    },
  }),
  createSignInLink: (_, {reference, maybe}) => ({
    path: '/v1/sign-in-links',
    body: maybe(2) ? {} : {member: reference()},
  }),
  createCalendarFeed: (_, {maybe, text}) => ({
    path: '/v1/calendar-feeds',
    body: maybe(2) ? {} : {name: text()},
  }),
  createShareLink: (w, {of, maybe}) => ({
    path: '/v1/share-links',
    body: {team: of(w.teams), monday: '2026-11-23', ...(maybe(2) && {names: true, expires_in: 3_600})},
  }),
  decideDeviceLogin: (w, {of}) => ({
    path: `/v1/device-logins/${of(w.userCodes)}`,
    body: {decision: w.chance.pick(['approve', 'deny'])},
  }),
  createPasskey: (_, {text}) => ({
    path: '/v1/passkeys',
    body: {
      ticket: theirPasskey.ticket,
      name: text(),
      credential: {
        id: theirPasskey.credentialId,
        client_data_json: theirPasskey.clientData,
        attestation_object: theirPasskey.attestation,
      },
    },
  }),
  changePasskey: (w, {of, text}) => ({path: `/v1/passkeys/${of(w.passkeys)}`, body: {name: text()}}),
  deletePasskey: (w, {of}) => ({path: `/v1/passkeys/${of(w.passkeys)}`}),
  deleteServiceAccount: () => ({path: '/v1/service-accounts/svc_01ke6p6qg87vm3b5e0y4z1nswa'}),
  revokeToken: (w, {of}) => ({path: `/v1/tokens/${of(w.tokens)}`}),
  createWebhook: () => ({
    path: '/v1/webhooks',
    body: {url: 'https://elsewhere.example/hook', events: ['*']},
  }),
  changeWebhook: (w, {of}) => ({path: `/v1/webhooks/${of(w.webhooks)}`, body: {enabled: true}}),
  deleteWebhook: (w, {of}) => ({path: `/v1/webhooks/${of(w.webhooks)}`}),
  rotateWebhookSecret: (w, {of}) => ({path: `/v1/webhooks/${of(w.webhooks)}/rotate-secret`}),
  testWebhook: (w, {of}) => ({path: `/v1/webhooks/${of(w.webhooks)}/test`}),
  tryWebhook: (w, {of}) => ({path: `/v1/webhooks/${of(w.webhooks)}/try`}),
  redeliver: () => ({path: '/v1/deliveries/dlv_01m83t4cm07q2h6e4r0000002a/redeliver'}),
  replayWebhook: (w, {of}) => ({
    path: `/v1/webhooks/${of(w.webhooks)}/replay`,
    body: {since: '2026-11-01T00:00:00Z'},
  }),
  cancelReplay: (w, {of}) => ({
    path: `/v1/webhooks/${of(w.webhooks)}/replays/rpl_01m8459am07c4j9s6w3x1f8nrq`,
  }),
  createImport: () => ({path: '/v1/imports', body: {source: 'csv'}}),
  addImportRows: (_, {text}) => ({
    path: '/v1/imports/imp_01ke6p4ym07fk9s1s2m8xq4vbt/rows',
    body: {
      rows: [
        {external_id: '1', team: 'platform', date: '2024-03-14', author: {name: text()}, update: text()},
      ],
    },
  }),
  finishImport: () => ({path: '/v1/imports/imp_01ke6p4ym07fk9s1s2m8xq4vbt/finish'}),
  cancelImport: () => ({path: '/v1/imports/imp_01ke6p4ym07fk9s1s2m8xq4vbt'}),
  changeWorkspace: (_, {text}) => ({path: '/v1/workspace', body: {name: text()}}),
  disconnectSlack: () => ({path: '/v1/slack'}),
  retrySlackTrouble: () => ({path: '/v1/slack/troubles/C024BE91L/retry'}),
};

/** Operations that a member may use in some way; they are tried more often than the others. */
const open = mutations.filter(({operation}) =>
  /Standup|Blocker|Comment|Absence|Reminder|Token|Invite|Passkey|DeviceLogin|createTeam$|TeamMember|openRun/.test(
    operation,
  ),
);

/** Random values of the world for a step. */
interface Picker {
  team(): string;
  /** Id of a person. */
  person(): string;
  reference(): string;
  of(pool: readonly string[]): string;
  /** True once in `times` cases on average. */
  maybe(times: number): boolean;
  text(): string;
}

function createPicker({chance, people, teams}: WalkWorld): Picker {
  return {
    team: () => chance.pick(teams),
    person: () => chance.pick(people).id,
    reference: () => chance.pick(chance.pick(people).references),
    of: (pool) => chance.pick(pool),
    maybe: (times) => chance.between(1, times) === 1,
    text: () => `walked ${chance.between(1, 1_000_000)}`,
  };
}

it('every operation that changes something is a step of the random walk', () => {
  expect(Object.keys(requests).toSorted()).toEqual(mutations.map(({operation}) => operation).toSorted());
});

it(
  `regression: a member with every scope never acts as another, in ${steps} steps (seed ${seed})`,
  async () => {
    const counts = {allowed: 0, refused: 0};
    const theirs = await listTheirs();
    const walked: string[] = [];
    for (let step = 1; step <= steps; step++) {
      const route = world.chance.pick(world.chance.between(1, 3) === 1 ? mutations : open);
      const request = requests[route.operation]?.(world, createPicker(world)) ?? {path: '/'};
      if (route.operation === 'deleteMember' && request.path.includes(mallory.id)) continue;
      const token = world.chance.pick(world.credentials);
      const answer = await workspace.request(route.method, request.path, {...request, token});
      walked.push(
        `${step}: ${route.method} ${request.path} ${JSON.stringify(request.body ?? null)} ${answer.status}`,
      );
      if (answer.status >= 500) throw new Error(`${walked.at(-1)} ${answer.text}`);
      counts[answer.status < 300 ? 'allowed' : 'refused'] += 1;
      if (answer.status < 300) await remember(route.operation, answer.body);
      if (answer.status === 401) world.credentials.splice(world.credentials.indexOf(token), 1);
      if (step % readEvery === 0 || step === steps) {
        const wrong = (await readEvents()).filter((event) => !isOwn(event));
        expect({wrong, walked: wrong.length === 0 ? [] : walked.slice(-readEvery)}).toEqual({
          wrong: [],
          walked: [],
        });
        await refresh();
      }
      if (step % compareEvery === 0 || step === steps) expect(await listTheirs()).toEqual(theirs);
    }
    process.stdout.write(`random walk: ${JSON.stringify({seed, steps, ...counts, teams: made.size})}\n`);
    expect(counts.allowed).toBeGreaterThan(steps / 10);
    expect(counts.refused).toBeGreaterThan(steps / 10);
  },
  60_000 + steps * 100,
);

/** Adds resources of the walk to the world. */
async function remember(operation: string, body: Json): Promise<void> {
  const rows: Json[] = body?.object === 'list' ? body.data : [body];
  const pools: Readonly<Record<string, string[]>> = {
    createTeam: world.teams,
    postStandup: world.standups,
    createAbsence: world.absences,
    raiseBlocker: world.blockers,
    createComment: world.comments,
    createToken: world.tokens,
    createInvite: world.invites,
  };
  if (operation === 'createInvite') world.links.push(...rows.map(({url}) => url.split('#')[1]));
  for (const {id, slug} of rows.filter((row) => row?.id !== undefined)) {
    pools[operation]?.push(slug ?? id);
    if (operation === 'createTeam') made.add(id);
  }
  if (['createSignInLink', 'createCalendarFeed', 'createShareLink'].includes(operation))
    expect(body.holder.id).toBe(mallory.id);
  if (operation !== 'createToken') return;
  const {body: me} = await workspace.request('GET', '/v1/me', {token: body.token});
  expect(me.principal.id).toBe(mallory.id);
  world.credentials.push(body.token);
}

/** Keeps the walk going: a membership in the team, a token, and room for its resources. */
async function refresh(): Promise<void> {
  const {core} = service;
  await core.services.teamMembers.setTeamMember(workspace.operator(), workspace.team, mallory.id, 'member');
  for (const pool of [world.standups, world.absences, world.blockers, world.comments, world.tokens]) {
    if (pool.length > 60) pool.splice(20, 20);
  }
  if (world.teams.length > 30) world.teams.splice(3, 10);
  if (world.credentials.length > 0) return;
  const holder = {type: 'member', id: mallory.id, name: mallory.name} as const;
  const scopes = [...allScopes];
  const {value} = await core.services.tokens.issueToken(workspace.operator(), {
    name: 'again',
    holder,
    scopes,
  });
  world.credentials.push(value);
}

async function readEvents(): Promise<Json[]> {
  const events: Json[] = [];
  for (;;) {
    const {body} = await asOwner('GET', `/v1/events?limit=100${cursor && `&cursor=${cursor}`}`);
    events.push(...body.data);
    cursor = body.next_cursor;
    if (!body.has_more) return events;
  }
}

/** Blockers that the walker has acknowledged. */
const acknowledgedIds = new Set<string>();

/** Whether an event of the walk concerns only the walker, or the walker's own resources. */
function isOwn({type, actor, data}: Json): boolean {
  if (actor.type === 'operator') return true;
  if (actor.id !== mallory.id || !['api', 'dashboard'].includes(actor.source)) return false;
  const me = (principal: Json): boolean => principal?.id === mallory.id;
  switch (type.slice(0, type.indexOf('.'))) {
    case 'standup':
      return me(data.author) && data.posted_by === null && data.edited_by === null;
    case 'blocker':
      // Any team member may acknowledge a blocker in their own name, then undo that or resolve the blocker.
      if (type === 'blocker.acknowledged' && me(data.acknowledged_by)) acknowledgedIds.add(data.id);
      if (type === 'blocker.raised' && acknowledgedIds.delete(data.id)) return true;
      if (type === 'blocker.acknowledged' || type === 'blocker.resolved') {
        return me(data.acknowledged_by) || me(data.author);
      }
      return me(data.author);
    case 'comment':
      return me(data.author);
    case 'reaction':
      return me(data.author);
    case 'absence':
      return me(data.member) && me(data.created_by);
    case 'invite':
      return me(data.created_by) && data.role === 'member';
    case 'token':
      return me(data.holder) && (data.created_by === null || me(data.created_by));
    case 'member':
      return me(data) && data.role === 'member';
    case 'team':
      if (!type.startsWith('team.member_')) return made.has(data.id);
      return me(data.member) || (made.has(data.team_id) && !data.accepted);
    case 'run':
      return made.has(data.team_id) || type === 'run.updated';
    default:
      return false;
  }
}

/** The passkeys of another member, as their session shows them. */
async function findTheirPasskeys(): Promise<Json[]> {
  const {session} = theirPasskey;
  const {body} = await workspace.request('GET', '/v1/passkeys', {token: session});
  return body.data;
}

/** All data of others, except the acknowledgements of their blockers. */
async function listTheirs(): Promise<Json> {
  const list = async (path: string, own: (row: Json) => Json) => {
    const rows: Json[] = [];
    for (let next = ''; ; ) {
      const {body} = await asOwner('GET', `${path}?limit=100${next && `&cursor=${next}`}`);
      rows.push(...body.data);
      if (!body.has_more) break;
      next = body.next_cursor;
    }
    return rows.filter((row) => own(row)?.id !== mallory.id);
  };
  const blockers = await list('/v1/blockers', ({author}) => author);
  const standups = await list('/v1/standups', ({author}) => author);
  return {
    members: await list('/v1/members', (row) => row),
    // Mallory may comment on them and react to them.
    standups: standups.map((standup) => ({...standup, thread: null})),
    absences: await list('/v1/absences', ({member}) => member),
    tokens: (await list('/v1/tokens', ({holder}) => holder)).map((row) => ({...row, last_used_at: null})),
    reactions: await list('/v1/reactions', ({author}) => author),
    blockers: blockers.map(({id, text, author}) => ({id, text, author})),
    comments: await list('/v1/comments', ({author}) => author),
    webhooks: await list('/v1/webhooks', () => undefined),
    invites: await list('/v1/invites', ({created_by}) => created_by),
    passkeys: await findTheirPasskeys(),
  };
}
