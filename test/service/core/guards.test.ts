import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {dayNumber} from '../../../src/domain/core/dates.js';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import {type ListName, lists, positionOf} from '../../../src/domain/core/lists.js';
import {parseWire, type Resource} from '../../../src/domain/core/resource.js';
import type {NewImport} from '../../../src/domain/imports/import.js';
import type {Reaction} from '../../../src/domain/reactions/reaction.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {failingLimits} from '../../../src/domain/webhooks/webhook-failing.js';
import {createAddressKey} from '../../../src/service/invites/invite-records.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {deep} from '../../support/deep.js';
import {asId, asSuffix} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService} from '../../support/service.js';
import {createAuthenticator} from '../../support/software-authenticator.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {type GuardRace, race, type RaceScene, setScene} from './race.js';

/** The clock of the service, which the test moves. No background work runs. */
let clock: TestClock;
let service: TestService;

const start = Date.parse('2027-03-10T12:00:00Z');
const today = '2027-03-10';
const minuteMs = 60_000;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, start);
  service = await startService({redisUrl, time: clock.time, mail: 'kept', env: {ROLES: 'web'}});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

/** A race between a request and a change that one check must notice. */
interface GuardCase extends GuardRace {
  /** The result of the request: the code of its refusal, or `made`. */
  readonly end: string;
  /** Checks the state after the request. */
  readonly after?: () => Promise<unknown>;
  /** Set if another check, or the write's own revision, refuses the commit too. */
  readonly isSeconded?: true;
}

const newDeadline = () => performance.now() + 5_000;
const url = 'https://example.com/hook';
const ics = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20270901',
  'SUMMARY:Day',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

async function listAll<R = Resource>({workspace}: RaceScene, list: ListName): Promise<R[]> {
  const query = {list, limit: 1_000, upward: true};
  const {rows} = await service.core.store.records.list(workspace.id, query, newDeadline());
  return rows.map(({json}) => JSON.parse(json) as R);
}

/** Lists the types of the workspace's events with this prefix. */
async function typesOf({workspace}: RaceScene, prefix: string): Promise<string[]> {
  const all = await service.core.store.events.listAfter(workspace.id, 0, 1_000, newDeadline());
  return all.map(({type}) => type as string).filter((type) => type.startsWith(prefix));
}

/** Fills a list with entries that have no record, or with copies of one record. */
async function fill(
  {workspace}: RaceScene,
  list: ListName,
  {entries, position = 1, copiesOf}: {entries: number; position?: number; copiesOf?: Id},
): Promise<void> {
  const keys = workspaceKeys(workspace.id);
  const {call} = service.core.store.connection;
  const names = Array.from({length: entries}, (_, i) => `fake${i}`);
  const fakes = names.flatMap((name, i) => [String(position + i), name]);
  await call(newDeadline(), ['ZADD', keys.list(list) as string, ...fakes]);
  if (copiesOf === undefined) return;
  const from = keys.record(suffixOf(copiesOf)) as string;
  await Promise.all(
    names.map((name) => call(newDeadline(), ['COPY', from, keys.record(asSuffix(name)) as string])),
  );
}

const post = ({services, by}: RaceScene, member: Id<'member'>, date?: string) =>
  services.standups.postStandup(by(member), {
    team: 'platform',
    update: 'Words',
    source: 'api',
    ...(date !== undefined && {date}),
  });

const raise = ({services, by}: RaceScene, member: Id<'member'>, text = 'CI is red') =>
  services.blockers.raiseBlocker(by(member), {team: 'platform', text});

const openRun = async ({services, operator}: RaceScene): Promise<Id<'run'>> =>
  asId((await services.runs.openRun(operator(), 'platform', {minutes: 60})).id ?? '');

const comment = ({services, by}: RaceScene, member: Id<'member'>, standup: string) =>
  services.comments.createComment(by(member), {standup: asId(standup), text: 'On it'});

/** A call by a service account, which belongs to no team. */
const byAccount = ({operator, workspace: {principal}}: RaceScene) => ({...operator(), principal});

const removeTeam = ({services, operator}: RaceScene) =>
  services.teams.deleteTeam(operator(), 'platform', {force: true});

const leave = ({services, operator}: RaceScene, member: Id<'member'>) =>
  services.teamMembers.removeTeamMember(operator(), 'platform', member);

const put = ({services, operator}: RaceScene, member: Id<'member'>, role: 'member' | 'observer' = 'member') =>
  services.teamMembers.setTeamMember(operator(), 'platform', member, role);

const remove = ({services, operator}: RaceScene, member: Id<'member'>) =>
  services.members.deleteMember(operator(), member, {erase: false});

async function addWebhook({services, operator}: RaceScene): Promise<Id<'webhook'>> {
  return asId((await services.webhooks.createWebhook(operator(), {url, events: ['*']})).id ?? '');
}

const disable = ({services, operator}: RaceScene, webhook: string) =>
  services.webhooks.changeWebhook(operator(), webhook, {enabled: false});

/** Stores that the webhook has failed for this time. */
async function failFor(
  {workspace}: RaceScene,
  webhook: Id<'webhook'>,
  {ms, attempts}: {readonly ms: number; readonly attempts: number},
) {
  const key = workspaceKeys(workspace.id).webhookState(suffixOf(webhook)) as string;
  const since = clock.now() - ms;
  const fields = ['failing', String(since), 'failed', String(attempts)];
  await service.core.store.connection.call(newDeadline(), ['HSET', key, ...fields]);
  return {
    since,
    end: () => service.core.store.connection.call(newDeadline(), ['HDEL', key, 'failing', 'failed']),
  };
}

const issue = ({services, operator}: RaceScene, member: Id<'member'>) =>
  services.tokens.issueToken(operator(), {
    name: 'own',
    holder: {type: 'member', id: member, name: 'Ada'},
    scopes: [],
  });

const at = (id: Id, revision = 1) => ({check: 'revision', id, revision}) as const;
const teamsUnchanged = {check: 'unchanged', collection: 'teams'} as const;
const lengthOf = (list: ListName) => ({check: 'length', list}) as const;

type Rows = Readonly<Record<string, (scene: RaceScene) => Promise<GuardCase>>>;

/** Invites an address, or creates a link without one. Returns the link. */
async function inviteBy({services, operator}: RaceScene, email?: string): Promise<string> {
  const input = {teams: [{team_id: 'platform'}], ...(email !== undefined && {emails: [email]})};
  const {body} = await services.invites.createInvites(operator(), input);
  const {data} = JSON.parse(body) as {readonly data: readonly {readonly url: string}[]};
  return data[0]?.url.split('#')[1] ?? '';
}

const join = async ({services}: RaceScene, link: string) => {
  const request = {deadline: newDeadline()};
  const proven = await services.invites.requireInvite(link, request);
  const person = {name: 'Grace', timezone: null, locale: null, key: 'a key'};
  return services.invites.joinByInvite(proven, person, {name: 'Browser', instead: undefined}, request);
};

const addGrace = ({services, operator}: RaceScene) =>
  services.members.createMember(operator(), {name: 'Grace', email: 'grace@example.com'});

const graceIsFree = {check: 'name-free', names: 'email', name: 'grace@example.com'} as const;

const ofInvites: Rows = {
  'an address is not invited if it has become that of a member since': async (scene) => ({
    guard: graceIsFree,
    act: () => inviteBy(scene, 'grace@example.com'),
    meanwhile: () => addGrace(scene),
    end: 'made',
    after: async () => expect(await listAll(scene, lists.invites())).toEqual([]),
  }),
  'an address that has been invited since has one open invite': async (scene) => ({
    guard: lengthOf(lists.invitesTo(createAddressKey('grace@example.com'))),
    act: () => inviteBy(scene, 'grace@example.com'),
    meanwhile: () => inviteBy(scene, 'grace@example.com'),
    // The count of invites to the address has changed, too.
    isSeconded: true,
    end: 'made',
    after: async () =>
      expect(await listAll(scene, lists.invites())).toMatchObject([{state: 'revoked'}, {state: 'open'}]),
  }),
  'no invite is created beyond the limit of a day that has been reached since': async (scene) => {
    await inviteBy(scene);
    const [{id: copiesOf} = {id: asId('')}] = await listAll(scene, lists.invites());
    const position = positionOf(dayNumber(today), 10_000);
    await fill(scene, lists.invites(), {entries: limits.invitesPerDayAtFirst - 2, position, copiesOf});
    const act = () => inviteBy(scene);
    return {guard: lengthOf(lists.invites()), act, meanwhile: act, end: 'limit_reached'};
  },
  'a lead has no more open invites than the limit that has been reached since': async (scene) => {
    const lea = await scene.addMember({as: 'lead'});
    const teams = [{team_id: 'platform'}];
    const act = () => scene.services.invites.createInvites(scene.by(lea), {teams});
    await act();
    const list = lists.invitesBy(lea);
    const [{id: copiesOf} = {id: asId('')}] = await listAll(scene, list);
    const position = positionOf(dayNumber(today), 10_000);
    await fill(scene, list, {entries: limits.openInvitesPerLead - 2, position, copiesOf});
    return {guard: lengthOf(list), act, meanwhile: act, end: 'limit_reached'};
  },
  'an invite into a team that has been deleted since is not created': async (scene) => ({
    guard: teamsUnchanged,
    act: () => inviteBy(scene),
    meanwhile: () => removeTeam(scene),
    end: 'team_not_found',
  }),
  'an invite of a lead is not accepted if the workspace has forbidden leads to invite since': async (
    scene,
  ) => {
    const {services, workspace, operator} = scene;
    const lea = await scene.addMember({as: 'lead'});
    const {body} = await services.invites.createInvites(scene.by(lea), {teams: [{team_id: 'platform'}]});
    const {data} = JSON.parse(body) as {readonly data: readonly {readonly url: string}[]};
    const link = data[0]?.url.split('#')[1] ?? '';
    return {
      guard: at(workspace.id),
      act: () => join(scene, link),
      meanwhile: () => services.workspaces.changeWorkspace(operator(), {leads_invite: false}),
      end: 'forbidden',
    };
  },
  'an invite that has been ended since is not accepted': async (scene) => {
    const link = await inviteBy(scene);
    const [{id} = {id: ''}] = await listAll(scene, lists.invites());
    return {
      guard: teamsUnchanged,
      act: () => join(scene, link),
      meanwhile: () => scene.services.invites.revokeInvite(scene.operator(), id, {erase: false}),
      end: 'forbidden',
      isSeconded: true,
    };
  },
  'an invite that has expired since is not accepted': async (scene) => {
    const link = await inviteBy(scene);
    return {
      guard: {check: 'before'},
      act: () => join(scene, link),
      meanwhile: () => clock.advance(8 * 24 * 60 * minuteMs),
      end: 'forbidden',
    };
  },
  'an invite makes no second member of an address that has become that of a member since': async (scene) => {
    const link = await inviteBy(scene, 'grace@example.com');
    return {
      guard: graceIsFree,
      act: () => join(scene, link),
      meanwhile: () => addGrace(scene),
      end: 'forbidden',
    };
  },
  'a member who has been removed since accepts no invite': async (scene) => {
    const link = await inviteBy(scene);
    const ada = await scene.addMember();
    return {
      guard: at(ada),
      act: () => scene.services.invites.acceptInvite(scene.by(ada), link),
      meanwhile: () => remove(scene, ada),
      end: 'not_found',
    };
  },
};

/** A call of a member who has just signed in to the dashboard. */
async function bySession(scene: RaceScene, member: Id<'member'>): Promise<Call> {
  const proven = {workspace: scene.workspace.id, member, confirmed: true};
  const browser = {name: 'Firefox', instead: undefined};
  const request = {deadline: newDeadline()};
  const {session} = await scene.services.sessions.signInMember(proven, browser, request);
  const expiresAt = Date.parse(session.expires_at);
  return {...scene.by(member), token: {id: session.id, expiresAt, session: true}};
}

/** Adds a passkey, and returns how it signs in with a counter. */
async function addPasskey({services, workspace}: RaceScene, call: Call) {
  const {ticket, public_key: options} = await services.passkeys.createChallenge(call);
  const credential = createAuthenticator().create(options);
  const passkey = parseWire((await services.passkeys.createPasskey(call, {ticket, credential})).body);
  const signIn = (counter: number) =>
    services.passkeys.signIn(
      {workspace: workspace.id, passkey, counter},
      {name: 'Firefox', instead: undefined},
      {deadline: newDeadline()},
    );
  return {id: passkey.id, signIn};
}

const ofPasskeys: Rows = {
  'no passkey is added beyond the limit that has been reached since': async (scene) => {
    const ada = await scene.addMember();
    const call = await bySession(scene, ada);
    const {id} = await addPasskey(scene, call);
    const list = lists.passkeysOf(ada);
    await fill(scene, list, {entries: limits.passkeysPerMember - 2, position: 10_000, copiesOf: id});
    const act = () => addPasskey(scene, call);
    return {guard: lengthOf(list), act, meanwhile: act, end: 'limit_reached'};
  },
  'a passkey that has been removed since signs no one in': async (scene) => {
    const call = await bySession(scene, await scene.addMember());
    const {id, signIn} = await addPasskey(scene, call);
    return {
      guard: at(id),
      act: () => signIn(2),
      meanwhile: () => scene.services.passkeys.deletePasskey(call, id),
      end: 'invalid_token',
      isSeconded: true,
    };
  },
  'a passkey signs no one in with a counter that has been passed since': async (scene) => {
    const {signIn} = await addPasskey(scene, await bySession(scene, await scene.addMember()));
    return {
      guard: {check: 'passkey-use'},
      act: () => signIn(2),
      // As many sessions as before, or the check of their number would refuse it, too.
      meanwhile: async () => {
        const {session} = await signIn(3);
        await scene.services.tokens.revokeToken(scene.operator(), session.id);
      },
      end: 'invalid_token',
    };
  },
  'a passkey that has been added since ends with a promotion, too': async (scene) => {
    const {services, operator, addMember, by} = scene;
    const [admin, ada] = [await addMember({role: 'admin'}), await addMember()];
    const call = await bySession(scene, ada);
    await services.members.changeMember(by(admin), ada, {email: 'ada@example.com'});
    const list = lists.passkeysOf(ada);
    return {
      guard: lengthOf(list),
      act: () => services.members.changeMember(operator(), ada, {role: 'owner'}),
      meanwhile: () => addPasskey(scene, call),
      end: 'made',
      after: async () => expect(await listAll(scene, list)).toEqual([]),
    };
  },
};

const ofTeams: Rows = {
  'a team is not created with a slug that another has taken since': async ({services, operator}) => {
    const act = () => services.teams.createTeam(operator(), {slug: 'second', name: 'Second'});
    return {guard: teamsUnchanged, act, meanwhile: act, end: 'slug_taken'};
  },
  'a team does not get a channel that another has taken since': async ({services, operator}) => {
    const own = {slack_channel_id: 'C0OWN'};
    return {
      guard: teamsUnchanged,
      act: () => services.teams.changeTeam(operator(), 'platform', own),
      meanwhile: () => services.teams.createTeam(operator(), {slug: 'second', ...own}),
      end: 'validation_failed',
    };
  },
  'a team that has got a standup since is not deleted without force': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: lengthOf(lists.standupsOfTeam(scene.workspace.team)),
      act: () => scene.services.teams.deleteTeam(scene.operator(), 'platform', {force: false}),
      meanwhile: () => post(scene, ada),
      end: 'team_not_empty',
    };
  },
  'a pause of a team cancels a run that has been opened since': async (scene) => ({
    guard: lengthOf(lists.openRunsOfTeam(scene.workspace.team)),
    act: () => scene.services.teams.changeTeam(scene.operator(), 'platform', {paused: true}),
    meanwhile: () => openRun(scene),
    end: 'made',
    isSeconded: true,
    after: async () =>
      expect(await listAll<Run>(scene, lists.runsOfTeam(scene.workspace.team))).toMatchObject([
        {state: 'cancelled'},
      ]),
  }),
  'a change without effect is made if it has an effect by now': async (scene) => ({
    guard: at(scene.workspace.team),
    act: () => scene.services.teams.changeTeam(scene.operator(), 'platform', {name: 'Platform'}),
    meanwhile: () => scene.services.teams.changeTeam(scene.operator(), 'platform', {name: 'Other'}),
    end: 'made',
    after: async () =>
      expect(await scene.services.teams.findTeam(scene.operator(), 'platform')).toMatchObject({
        name: 'Platform',
        revision: 3,
      }),
  }),
  'no member is added to a team that has been deleted since': async (scene) => {
    const ada = await scene.addMember();
    const act = () => put(scene, ada);
    return {guard: teamsUnchanged, act, meanwhile: () => removeTeam(scene), end: 'not_found'};
  },
  'a member who has been removed since is not added to a team': async (scene) => {
    const ada = await scene.addMember();
    return {
      guard: at(ada),
      act: () => put(scene, ada),
      meanwhile: () => remove(scene, ada),
      end: 'not_found',
    };
  },
  'a member who has been added to a team since is added once': async (scene) => {
    const ada = await scene.addMember();
    const {team} = scene.workspace;
    return {
      guard: {check: 'membership', team, member: ada, is: 'none'},
      act: () => put(scene, ada),
      meanwhile: () => put(scene, ada),
      end: 'made',
      after: async () => expect(await typesOf(scene, 'team.member')).toEqual(['team.member_added']),
    };
  },
  'no member gets another role in a team that has been deleted since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const act = () => put(scene, ada, 'observer');
    return {guard: teamsUnchanged, act, meanwhile: () => removeTeam(scene), end: 'not_found'};
  },
  'a member who has been removed since gets no other role in a team': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const act = () => put(scene, ada, 'observer');
    return {guard: at(ada), act, meanwhile: () => remove(scene, ada), end: 'not_found'};
  },
  'no member is removed from a team that has been deleted since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const act = () => leave(scene, ada);
    return {guard: teamsUnchanged, act, meanwhile: () => removeTeam(scene), end: 'not_found'};
  },
  'no member joins a team that has been deleted since': async (scene) => {
    const ada = await scene.addMember();
    const team = {id: scene.workspace.team, slug: 'platform'};
    return {
      guard: teamsUnchanged,
      act: () => scene.services.people.joinTeam(scene.by(ada), team, ada),
      meanwhile: () => removeTeam(scene),
      end: 'not_found',
    };
  },
};

const ofStandups: Rows = {
  'a standup is not posted for a team that has been deleted since': async (scene) => {
    const act = () =>
      scene.services.standups.postStandup(byAccount(scene), {
        team: 'platform',
        update: 'Words',
        source: 'api',
      });
    return {guard: teamsUnchanged, act, meanwhile: () => removeTeam(scene), end: 'team_not_found'};
  },
  'a standup of a member who has left the team since is not posted': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {team} = scene.workspace;
    return {
      guard: {check: 'membership', team, member: ada},
      act: () => post(scene, ada),
      meanwhile: () => leave(scene, ada),
      end: 'forbidden',
    };
  },
  'a standup of a member who has become an observer since is not posted': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {team} = scene.workspace;
    return {
      guard: {check: 'membership', team, member: ada},
      act: () => post(scene, ada),
      meanwhile: () => put(scene, ada, 'observer'),
      end: 'forbidden',
    };
  },
  'a standup of a member who has been removed since is not posted': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: {check: 'as-read', id: ada},
      act: () => post(scene, ada),
      meanwhile: () => remove(scene, ada),
      end: 'forbidden',
    };
  },
  'a standup is counted in a run that has been opened since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {team} = scene.workspace;
    return {
      guard: {check: 'listed', list: lists.openRunsOfTeam(team), suffixes: []},
      act: () => post(scene, ada),
      meanwhile: () => openRun(scene),
      end: 'made',
      isSeconded: true,
      after: () => expectPosts(scene, 1),
    };
  },
  'a standup with a date is counted in a first run of it that has been opened since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {team} = scene.workspace;
    return {
      guard: {check: 'day-free', list: lists.runsOfTeam(team)},
      act: () => post(scene, ada, today),
      meanwhile: () => openRun(scene),
      end: 'made',
      after: () => expectPosts(scene, 1),
    };
  },
  'a standup with a date is counted in a run of it that has been opened since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const schedule = {frequency: 'weekly', days: ['sun'], opens: '09:00', closes: '11:00'} as const;
    await scene.services.teams.changeTeam(scene.operator(), 'platform', {schedule});
    // Otherwise the plan would be made with the team as it was, which another check refuses.
    await scene.services.teams.findTeam(scene.operator(), 'platform');
    return {
      guard: {check: 'day-free', list: lists.runsOfTeam(scene.workspace.team)},
      act: () => post(scene, ada, today),
      meanwhile: () => openRun(scene),
      end: 'made',
      after: () => expectPosts(scene, 1),
    };
  },
  'a standup is late in a run that has closed since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const run = await openRun(scene);
    return {
      guard: {check: 'as-read', id: run},
      act: () => post(scene, ada),
      meanwhile: () => closeRun(scene),
      end: 'made',
      isSeconded: true,
      after: async () => {
        const [standup] = await listAll(scene, lists.standups());
        expect(standup).toMatchObject({late: true});
        expect(await linesOf(scene)).toMatchObject([{standups: [{late: true}]}]);
      },
    };
  },
  'an edit of a standup is in the report of a run that has closed since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const run = await openRun(scene);
    const {id = ''} = await post(scene, ada);
    return {
      guard: {check: 'as-read', id: run},
      act: () => scene.services.standups.editStandup(scene.by(ada), id, {update: 'Other words'}),
      meanwhile: () => closeRun(scene),
      end: 'made',
      after: async () => expect(await linesOf(scene)).toMatchObject([{standups: [{revision: 2}]}]),
    };
  },
  'a deletion of a standup is in the report of a run that has closed since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const run = await openRun(scene);
    const {id = ''} = await post(scene, ada);
    return {
      guard: {check: 'as-read', id: run},
      act: () => scene.services.standups.deleteStandup(scene.by(ada), id),
      meanwhile: () => closeRun(scene),
      end: 'made',
      after: async () => expect((await linesOf(scene))[0]).not.toHaveProperty('standups'),
    };
  },
  'a standup is moved into a run of its new day that has been opened since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {id = ''} = await post(scene, ada, '2027-03-09');
    return {
      guard: {check: 'day-free', list: lists.runsOfTeam(scene.workspace.team)},
      act: () => scene.services.standups.editStandup(scene.by(ada), id, {date: today}),
      meanwhile: () => openRun(scene),
      end: 'made',
      after: () => expectPosts(scene, 1),
    };
  },
  'answers to questions that have been changed since are not stored': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const ask = (key: string) =>
      scene.services.teams.changeTeam(scene.operator(), 'platform', {
        questions: [{key, label: key, type: 'text'}] as never,
      });
    await ask('first');
    const answers = [{question: 'first', value: 'Words'}];
    const {id = ''} = await scene.services.standups.postStandup(scene.by(ada), {
      team: 'platform',
      answers,
      source: 'api',
    });
    return {
      guard: teamsUnchanged,
      act: () =>
        scene.services.standups.editStandup(scene.by(ada), id, {
          answers: [{question: 'first', value: 'Other words'}],
        }),
      meanwhile: () => ask('second'),
      end: 'validation_failed',
    };
  },
};

/** Checks the number of standups that count for the open run. */
async function expectPosts(scene: RaceScene, count: number): Promise<void> {
  const [run] = await listAll<Run>(scene, lists.runsOfTeam(scene.workspace.team));
  const suffix = suffixOf(run?.id ?? asId<'run'>(''));
  expect(await service.core.store.records.countRunPosts(scene.workspace.id, suffix, newDeadline())).toBe(
    count,
  );
}

async function advance({services, operator, workspace}: RaceScene): Promise<void> {
  while (await services.runs.advanceRuns(operator(), suffixOf(workspace.team)));
}

/** Closes the run an hour and a minute later. */
async function closeRun(scene: RaceScene): Promise<void> {
  await clock.advance(61 * minuteMs);
  await advance(scene);
}

async function linesOf(scene: RaceScene) {
  const [run] = await listAll<Run>(scene, lists.runsOfTeam(scene.workspace.team));
  expect(run).toMatchObject({state: 'closed'});
  return run?.report?.lines ?? [];
}

const drafted = {team: 'platform', source: 'git', update: 'Words'};

const ofDrafts: Rows = {
  'a draft is not stored for a team that has been deleted since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: {check: 'membership', team: scene.workspace.team, member: ada},
      act: () => scene.services.drafts.setDraftPart(byAccount(scene), ada, drafted),
      meanwhile: () => removeTeam(scene),
      end: 'team_not_found',
    };
  },
  'a draft is not stored for a member who has left the team since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: {check: 'membership', team: scene.workspace.team, member: ada},
      act: () => scene.services.drafts.setDraftPart(byAccount(scene), ada, drafted),
      meanwhile: () => leave(scene, ada),
      end: 'forbidden',
    };
  },
  'a draft is not stored for a member who has been removed since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: {check: 'as-read', id: ada},
      act: () => scene.services.drafts.setDraftPart(byAccount(scene), ada, drafted),
      meanwhile: () => remove(scene, ada),
      end: 'not_found',
    };
  },
  'a part of a draft that its member has written since is not replaced': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    return {
      guard: {check: 'draft-part'},
      act: () => scene.services.drafts.setDraftPart(byAccount(scene), ada, drafted),
      meanwhile: () => scene.services.drafts.setDraftPart(scene.by(ada), ada, drafted),
      end: 'forbidden',
    };
  },
  'a part of a draft that its member has replaced since is not deleted': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {drafts} = scene.services;
    await drafts.setDraftPart(byAccount(scene), ada, drafted);
    return {
      guard: {check: 'draft-part'},
      act: () => drafts.deleteDraftParts(byAccount(scene), ada, {team: 'platform'}),
      meanwhile: () => drafts.setDraftPart(scene.by(ada), ada, drafted),
      end: 'made',
      after: async () =>
        expect((await drafts.findDraft(scene.by(ada), ada, {team: 'platform'})).parts).toMatchObject([
          {updated_by: {id: ada}},
        ]),
    };
  },
  'a draft has no more parts than the limit that has been reached since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const add = (source: string) =>
      scene.services.drafts.setDraftPart(scene.by(ada), ada, {...drafted, source});
    for (let i = 1; i < limits.draftParts; i += 1) await add(`s${i}`);
    return {
      guard: {check: 'draft-part'},
      act: () => add('one'),
      meanwhile: () => add('another'),
      end: 'limit_reached',
    };
  },
};

const ofRuns: Rows = {
  'a second run is not opened on a day that has one since': async (scene) => ({
    guard: {check: 'day-free', list: lists.runsOfTeam(scene.workspace.team)},
    act: () => openRun(scene),
    meanwhile: () => openRun(scene),
    end: 'run_exists',
  }),
  'no run of a team that has been paused since is opened': async (scene) => ({
    guard: at(scene.workspace.team),
    act: () => openRun(scene),
    meanwhile: () => scene.services.teams.changeTeam(scene.operator(), 'platform', {paused: true}),
    end: 'team_paused',
  }),
  'no member is reminded of a run that has closed since': async (scene) => {
    const run = await openRun(scene);
    return {
      guard: at(run),
      act: () => scene.services.runs.remind(scene.operator(), 'platform'),
      meanwhile: () => closeRun(scene),
      end: 'no_open_run',
    };
  },
  'the report of a run has a standup that was posted while it closed': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const run = await openRun(scene);
    await advance(scene);
    return {
      guard: {check: 'run-posts', run: suffixOf(run), count: 0},
      act: () => closeRun(scene),
      meanwhile: () => post(scene, ada),
      end: 'made',
      after: async () => expect(await linesOf(scene)).toMatchObject([{member: ada, standups: [{}]}]),
    };
  },
  'a member who has posted since is not reminded': async (scene) => {
    const [ada, bob] = [await scene.addMember({as: 'member'}), await scene.addMember({as: 'member'})];
    const run = await openRun(scene);
    return {
      guard: {check: 'run-posts', run: suffixOf(run), count: 0},
      act: () => advance(scene),
      meanwhile: () => post(scene, ada),
      end: 'made',
      after: async () => {
        const all = await service.core.store.events.listAfter(scene.workspace.id, 0, 1_000, newDeadline());
        expect(all.flatMap(({reminded}) => reminded?.members ?? [])).toEqual([bob]);
      },
    };
  },
};

const ofPeople: Rows = {
  'no member gets an address that another has taken since': async ({services, operator}) => {
    const act = () => services.members.createMember(operator(), {name: 'Ada', email: 'ada@example.com'});
    return {guard: {check: 'name-free', names: 'email'}, act, meanwhile: act, end: 'email_taken'};
  },
  'no member is linked to a Slack user that another has taken since': async ({
    services,
    operator,
    addMember,
  }) => {
    const [ada, bob] = [await addMember(), await addMember()];
    const give = (to: string) => () =>
      services.members.changeMember(operator(), to, {slack_user_id: 'U0ADA'});
    return {
      guard: {check: 'name-free', names: 'slack-user'},
      act: give(ada),
      meanwhile: give(bob),
      end: 'slack_user_taken',
    };
  },
  'no member is given a calendar that has been deleted since': async ({services, operator, addMember}) => {
    const ada = await addMember();
    const {id = ''} = await services.holidayCalendars.createCalendar(operator(), {name: 'Own', ics});
    return {
      guard: at(asId<'holiday_calendar'>(id)),
      act: () => services.members.changeMember(operator(), ada, {holidays: {calendar: id}}),
      meanwhile: () => services.holidayCalendars.deleteCalendar(operator(), id),
      end: 'validation_failed',
    };
  },
  'an owner who has become the last one since keeps the role': async (scene) => {
    const [ada, bob] = [await scene.addMember({role: 'owner'}), await scene.addMember({role: 'owner'})];
    return {
      guard: lengthOf(lists.membersOfRole('owner')),
      act: () => scene.services.members.changeMember(scene.operator(), ada, {role: 'member'}),
      meanwhile: () => remove(scene, bob),
      end: 'last_owner',
    };
  },
  'an owner who has become the last one since is not removed': async (scene) => {
    const [ada, bob] = [await scene.addMember({role: 'owner'}), await scene.addMember({role: 'owner'})];
    return {
      guard: lengthOf(lists.membersOfRole('owner')),
      act: () => remove(scene, ada),
      meanwhile: () => remove(scene, bob),
      end: 'last_owner',
    };
  },
  'a workspace that has its first owner since gets no other': async (scene) => {
    const ensure = (name: string) => () => scene.services.people.ensureOwner(scene.operator(), name);
    return {
      guard: lengthOf(lists.membersOfRole('owner')),
      act: ensure('Ada'),
      meanwhile: ensure('Bob'),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.members())).toMatchObject([{name: 'Bob'}]),
    };
  },
  'a person of Slack who has become a member since is added once': async (scene) => {
    const act = () => scene.services.people.ensureSlackMember(scene.operator(), 'U0ADA', {name: 'Ada'});
    return {
      guard: {check: 'name-free', names: 'slack-user'},
      act,
      meanwhile: act,
      end: 'made',
      after: async () => expect(await listAll(scene, lists.members())).toHaveLength(1),
    };
  },
  'a member who has been removed since is not away after a deactivation in Slack': async (scene) => {
    const ada = await scene.addMember({slackUser: 'U0ADA'});
    return {
      guard: at(ada),
      act: () => scene.services.followSlackAccount(scene.operator(), 'U0ADA', true),
      meanwhile: () => remove(scene, ada),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.absencesOf(ada))).toEqual([]),
    };
  },
  'a member who has been removed since cannot enter an absence': async (scene) => {
    const ada = await scene.addMember();
    return {
      guard: at(ada),
      act: () => scene.services.absences.enterAbsence(scene.by(ada), {}),
      meanwhile: () => remove(scene, ada),
      end: 'validation_failed',
      after: async () => expect(await listAll(scene, lists.absencesOf(ada))).toEqual([]),
    };
  },
  'a member who has been removed since gets no absence from another member': async (scene) => {
    const ada = await scene.addMember();
    return {
      guard: at(ada),
      act: () => scene.services.absences.enterAbsence(scene.operator(), {member: ada}),
      meanwhile: () => remove(scene, ada),
      end: 'validation_failed',
    };
  },
  'a lead enters no absence of a member who has an unaccepted invitation since': async (scene) => {
    const [lead, ada] = [await scene.addMember({as: 'lead'}), await scene.addMember({as: 'member'})];
    const {team} = scene.workspace;
    return {
      guard: {check: 'membership', team, member: ada, is: 'accepted'},
      act: () => scene.services.absences.enterAbsence(scene.by(lead), {member: ada, team: 'platform'}),
      meanwhile: async () => {
        await leave(scene, ada);
        await scene.services.teamMembers.setTeamMember(scene.by(lead), 'platform', ada, 'member');
      },
      end: 'forbidden',
    };
  },
  'a message is handled after another that was handled since': async (scene) => {
    const ada = await scene.addMember({slackUser: 'U0ADA'});
    const hear = (ts: string) => () =>
      scene.services.typing.hear(scene.by(ada), 'U0ADA', {
        kind: 'typed',
        key: ts,
        ts,
        channel: 'D0ADA',
        text: 'Words',
        command: false,
      });
    return {
      guard: {check: 'typed', slackUser: 'U0ADA'},
      act: hear('2.0'),
      meanwhile: hear('1.0'),
      end: 'made',
      after: async () =>
        expect(await scene.services.typing.find(scene.by(ada), 'U0ADA')).toMatchObject({
          heard: ['1.0', '2.0'],
        }),
    };
  },
  'no message of a member who has been removed since is stored': async (scene) => {
    const ada = await scene.addMember({slackUser: 'U0ADA'});
    return {
      guard: at(ada),
      act: () => scene.services.typing.decline(scene.by(ada), 'U0ADA', '1.0'),
      meanwhile: () => remove(scene, ada),
      end: 'not_found',
    };
  },
};

const slackLocation = {channel: 'C0ROOM', ts: '1.0'};

/** Posts a standup, on which a member replies in Slack. */
async function startReplies(scene: RaceScene) {
  const ada = await scene.addMember({as: 'member'});
  const {id = ''} = await post(scene, ada);
  const standup = asId<'standup'>(id);
  const reply = {...slackLocation, standup, format: 'plain', permalink: null} as const;
  return {
    hear: (text: string, editedAt: string) => () =>
      scene.services.slackReplies.takeReply(scene.by(ada), {...reply, text, editedAt}),
    async texts() {
      const {rows} = await scene.services.comments.listComments(scene.operator(), {standup, limit: 10});
      return rows.map((json) => parseWire(json).text);
    },
  };
}

const ofComments: Rows = {
  'a standup that has been deleted since takes no comment': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const {id = ''} = await post(scene, ada);
    return {
      guard: at(asId(id)),
      act: () => comment(scene, ada, id),
      meanwhile: () => scene.services.standups.deleteStandup(scene.by(ada), id),
      end: 'validation_failed',
    };
  },
  'a reply in Slack makes no second comment after it was heard since': async (scene) => {
    const {hear, texts} = await startReplies(scene);
    return {
      guard: {check: 'slack-message', ...slackLocation},
      act: hear('on it', ''),
      meanwhile: hear('on it', ''),
      end: 'made',
      after: async () => expect(await texts()).toEqual(['on it']),
    };
  },
  'an edit in Slack changes nothing after a later edit that was heard since': async (scene) => {
    const {hear, texts} = await startReplies(scene);
    await hear('on it', '')();
    return {
      guard: {check: 'slack-message', ...slackLocation},
      act: hear('first', '2.0'),
      meanwhile: hear('second', '3.0'),
      end: 'made',
      // The comment's revision has changed, too.
      isSeconded: true,
      after: async () => expect(await texts()).toEqual(['second']),
    };
  },
  'a deletion in Slack takes a comment that was made of the reply since': async (scene) => {
    const {hear, texts} = await startReplies(scene);
    const at = {...scene.operator(), ...slackLocation};
    return {
      guard: {check: 'slack-message', ...slackLocation},
      act: () => scene.services.slackReplies.removeReply(at, slackLocation),
      meanwhile: hear('on it', ''),
      end: 'made',
      after: async () => expect(await texts()).toEqual([]),
    };
  },
};

const ofBlockers: Rows = {
  'a blocker is not raised in a team that has been deleted since': async (scene) => {
    const act = () =>
      scene.services.blockers.raiseBlocker(byAccount(scene), {team: 'platform', text: 'CI is red'});
    return {guard: teamsUnchanged, act, meanwhile: () => removeTeam(scene), end: 'team_not_found'};
  },
  'a blocker is not acknowledged by a member who has left the team since': async (scene) => {
    const [ada, bob] = [await scene.addMember({as: 'member'}), await scene.addMember({as: 'member'})];
    const {id = ''} = await raise(scene, ada);
    const {team} = scene.workspace;
    return {
      guard: {check: 'membership', team, member: bob, is: 'any'},
      act: () => scene.services.blockers.changeBlocker(scene.by(bob), id, {state: 'acknowledged'}),
      meanwhile: () => leave(scene, bob),
      end: 'forbidden',
    };
  },
  'two concurrent standups with the same blocker raise it once': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const act = () =>
      scene.services.standups.postStandup(scene.by(ada), {
        team: 'platform',
        update: 'Words',
        blockers: 'CI is red',
        source: 'api',
      });
    return {
      guard: lengthOf(lists.blockersOf(ada)),
      act,
      meanwhile: act,
      end: 'made',
      after: async () => expect(await listAll(scene, lists.blockersOf(ada))).toHaveLength(1),
    };
  },
  'a standup raises its blocker if the standup with the same one has been deleted since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const say = () =>
      scene.services.standups.postStandup(scene.by(ada), {
        team: 'platform',
        update: 'Words',
        blockers: 'CI is red',
        source: 'api',
      });
    const {id = ''} = await say();
    const [blocker] = await listAll(scene, lists.blockersOf(ada));
    return {
      guard: at(blocker?.id ?? ada),
      act: say,
      meanwhile: () => scene.services.standups.deleteStandup(scene.by(ada), id),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.blockersOf(ada))).toHaveLength(1),
    };
  },
  'a blocker of a deleted standup goes with it where another that said the same says something else since':
    async (scene) => {
      const ada = await scene.addMember({as: 'member'});
      const {standups} = scene.services;
      const say = (update: string, blockers?: string) =>
        standups.postStandup(scene.by(ada), {
          team: 'platform',
          update,
          source: 'api',
          ...(blockers !== undefined && {blockers}),
        });
      const {id = ''} = await say('Words', 'CI is red');
      const {id: other = ''} = await say('CI is red again');
      return {
        guard: at(asId<'standup'>(other)),
        act: () => standups.deleteStandup(scene.by(ada), id),
        meanwhile: () => standups.editStandup(scene.by(ada), other, {update: 'CI is green'}),
        end: 'made',
        after: async () => expect(await listAll(scene, lists.blockersOf(ada))).toEqual([]),
      };
    },
};

const ofReactions: Rows = {
  'a reaction is not made in a team that has been deleted since': async (scene) => {
    const {react} = await setReactions(scene);
    return {
      guard: teamsUnchanged,
      act: () => react(byAccount(scene), ['👍']),
      meanwhile: () => removeTeam(scene),
      end: 'validation_failed',
    };
  },
  'a reaction is not made to a standup that has been deleted since': async (scene) => {
    const {ada, subject, react} = await setReactions(scene);
    return {
      guard: at(subject),
      act: () => react(scene.by(ada), ['👍']),
      meanwhile: () => scene.services.standups.deleteStandup(scene.by(ada), subject),
      end: 'validation_failed',
      after: async () => expect(await listAll(scene, lists.reactions())).toEqual([]),
    };
  },
  'two first reactions of a person at the same time become one': async (scene) => {
    const {ada, react} = await setReactions(scene);
    const bob = await scene.addMember({as: 'member'});
    await react(scene.by(bob), ['👍', '🎉']);
    return {
      guard: lengthOf(lists.reactionsBy(ada)),
      act: () => react(scene.by(ada), ['👍']),
      meanwhile: () => react(scene.by(ada), ['🎉']),
      end: 'made',
      after: async () =>
        expect(await listAll<Reaction>(scene, lists.reactionsBy(ada))).toMatchObject([{emoji: ['🎉', '👍']}]),
    };
  },
  'an emoji is not added if somebody has added the twelfth since': async (scene) => {
    const {ada, subject, react, list} = await setReactions(scene);
    const bob = await scene.addMember({as: 'member'});
    await react(scene.by(ada), nameEmoji(limits.emojiPerSubject - 2));
    await react(scene.by(bob), [':one:']);
    const [, theirs] = await list();
    return {
      guard: at(theirs?.id ?? subject),
      act: () => react(scene.by(ada), [':two:']),
      meanwhile: () => react(scene.by(bob), [':three:']),
      end: 'limit_reached',
    };
  },
  'an emoji of somebody else is not added as the thirteenth if they have exchanged it since': async (
    scene,
  ) => {
    const {ada, subject, react, list} = await setReactions(scene);
    const bob = await scene.addMember({as: 'member'});
    await react(scene.by(ada), nameEmoji(limits.emojiPerSubject - 1));
    await react(scene.by(bob), [':one:']);
    const [, theirs] = await list();
    return {
      guard: at(theirs?.id ?? subject),
      act: () => react(scene.by(ada), [':one:']),
      meanwhile: () => react(scene.by(bob), [':two:'], [':one:']),
      end: 'limit_reached',
    };
  },
  'a reaction that is taken back since is made again by a repeat of what was there': async (scene) => {
    const {ada, subject, react, list} = await setReactions(scene);
    await react(scene.by(ada), ['👍']);
    const [own] = await list();
    return {
      guard: at(own?.id ?? subject),
      act: () => react(scene.by(ada), ['👍']),
      meanwhile: () => react(scene.by(ada), [], ['👍']),
      end: 'made',
      after: async () => expect(await list()).toMatchObject([{emoji: ['👍'], revision: 1}]),
    };
  },
};

const nameEmoji = (count: number) => Array.from({length: count}, (_, i) => `:e${i}:`);

/** A standup of a new member, and functions that change reactions to it and list them, the oldest first. */
async function setReactions(scene: RaceScene) {
  const ada = await scene.addMember({as: 'member'});
  const subject = asId<'standup'>((await post(scene, ada)).id ?? '');
  return {
    ada,
    subject,
    react: (call: Call, add: string[], remove: string[] = []) =>
      scene.services.reactions.changeReaction(call, {subject, add, remove}),
    list: () => listAll<Reaction>(scene, lists.reactionsOn(subject)),
  };
}

/** Lists with a limit, each with a request that adds an entry. */
const ofLimits: Readonly<
  Record<
    string,
    (scene: RaceScene) => Promise<{
      list: ListName;
      entries: number;
      position?: number;
      copiesOf?: Id;
      act: () => Promise<unknown>;
    }>
  >
> = {
  blockers: async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const list = lists.openBlockersOfTeam(scene.workspace.team);
    return {list, entries: limits.openBlockersPerTeam, act: () => raise(scene, ada)};
  },
  comments: async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const standup = asId<'standup'>((await post(scene, ada)).id ?? '');
    return {
      list: lists.commentsOf(standup),
      entries: limits.commentsPerStandup,
      act: () => comment(scene, ada, standup),
    };
  },
  'holiday calendars': async ({services, operator}) => ({
    list: lists.holidayCalendars(),
    entries: limits.holidayCalendars,
    act: () => services.holidayCalendars.createCalendar(operator(), {name: 'Own', ics}),
  }),
  webhooks: async ({services, operator}) => ({
    list: lists.webhooks(),
    entries: limits.webhooksPerWorkspace,
    act: () => services.webhooks.createWebhook(operator(), {url, events: ['*']}),
  }),
  'service accounts': async ({services, operator}) => ({
    list: lists.serviceAccounts(),
    entries: limits.serviceAccountsPerWorkspace,
    act: () => services.people.ensureServiceAccount(operator(), 'deploy'),
  }),
  'replays of a day': async (scene) => {
    const webhook = await addWebhook(scene);
    const since = new Date(clock.now() - minuteMs).toISOString();
    return {
      list: lists.sendingReplaysOf(suffixOf(webhook)),
      entries: limits.replaysPerDay,
      position: clock.now(),
      act: () => scene.services.replays.startReplay(scene.operator(), webhook, {since}),
    };
  },
  absences: async (scene) => {
    const ada = await scene.addMember();
    const act = () => scene.services.absences.enterAbsence(scene.by(ada), {});
    const {id = ''} = await act();
    return {
      list: lists.absencesOf(ada),
      entries: limits.absencesPerMember,
      position: positionOf(dayNumber(today), 0),
      copiesOf: asId<'absence'>(id),
      act,
    };
  },
};

const ofWebhooks: Rows = {
  'a principal who has created the last of its webhooks since creates no other one': async (scene) => {
    const input = {url, events: ['*']};
    const create = () => scene.services.webhooks.createWebhook(byAccount(scene), input);
    for (let i = 1; i < limits.webhooksPerPrincipal; i++) await create();
    const guard = {check: 'unchanged', collection: 'webhooks'} as const;
    return {guard, act: create, meanwhile: create, end: 'limit_reached'};
  },
  'a webhook that has succeeded since causes no warning': async (scene) => {
    const webhook = await addWebhook(scene);
    const {since, end} = await failFor(scene, webhook, failingLimits.warn);
    return {
      guard: {check: 'failing', webhook: suffixOf(webhook), since, warned: false},
      act: () => scene.services.webhookFailures.judgeWebhook(scene.operator(), suffixOf(webhook)),
      meanwhile: end,
      end: 'made',
      after: async () => expect(await typesOf(scene, 'webhook.')).toEqual(['webhook.created']),
    };
  },
  'a webhook that has succeeded since is not disabled': async (scene) => {
    const webhook = await addWebhook(scene);
    const {since, end} = await failFor(scene, webhook, failingLimits.disable);
    return {
      guard: {check: 'failing', webhook: suffixOf(webhook), since},
      act: () => scene.services.webhookFailures.judgeWebhook(scene.operator(), suffixOf(webhook)),
      meanwhile: end,
      end: 'made',
      after: async () => expect(await typesOf(scene, 'webhook.')).toEqual(['webhook.created']),
    };
  },
  'a webhook that has been disabled since causes no warning': async (scene) => {
    const webhook = await addWebhook(scene);
    await failFor(scene, webhook, failingLimits.warn);
    return {
      guard: at(webhook),
      act: () => scene.services.webhookFailures.judgeWebhook(scene.operator(), suffixOf(webhook)),
      meanwhile: () => disable(scene, webhook),
      end: 'made',
      after: async () => expect(await typesOf(scene, 'webhook.failing')).toEqual([]),
    };
  },
  'an admin who has another address since gets the warning about a webhook there': async (scene) => {
    const webhook = await addWebhook(scene);
    await failFor(scene, webhook, failingLimits.warn);
    const admin = await scene.addMember({role: 'admin'});
    const move = (email: string) => scene.services.members.changeMember(scene.operator(), admin, {email});
    await move('one@example.com');
    return {
      guard: at(admin, 2),
      act: () => scene.services.webhookFailures.judgeWebhook(scene.operator(), suffixOf(webhook)),
      meanwhile: () => move('two@example.com'),
      end: 'made',
      after: async () => {
        const page = {limit: 10};
        const {mails} = await service.core.store.mails.list(scene.workspace.id, page, newDeadline());
        const warnings = mails.filter(({fact}) => fact.kind === 'notice' && fact.about === 'webhook');
        expect(warnings.map(({to}) => to)).toEqual(['two@example.com']);
      },
    };
  },
  'a webhook that has been disabled since is not tested': async (scene) => {
    const webhook = await addWebhook(scene);
    const act = () => scene.services.deliveries.testWebhook(scene.operator(), webhook);
    return {guard: at(webhook), act, meanwhile: () => disable(scene, webhook), end: 'webhook_disabled'};
  },
  'a webhook that has been disabled since is not tried again': async (scene) => {
    const webhook = await addWebhook(scene);
    const act = () => scene.services.webhookHealth.tryWebhook(scene.operator(), webhook);
    return {guard: at(webhook), act, meanwhile: () => disable(scene, webhook), end: 'webhook_disabled'};
  },
  'no delivery is repeated to a webhook that has been disabled since': async (scene) => {
    const webhook = await addWebhook(scene);
    const {body} = await scene.services.deliveries.testWebhook(scene.operator(), webhook);
    const {id} = JSON.parse(body) as {id: string};
    const act = () => scene.services.deliveries.redeliver(scene.operator(), id);
    return {guard: at(webhook), act, meanwhile: () => disable(scene, webhook), end: 'webhook_disabled'};
  },
  'no event is replayed to a webhook that has been disabled since': async (scene) => {
    const webhook = await addWebhook(scene);
    const since = new Date(clock.now() - minuteMs).toISOString();
    const act = () => scene.services.replays.startReplay(scene.operator(), webhook, {since});
    return {guard: at(webhook), act, meanwhile: () => disable(scene, webhook), end: 'webhook_disabled'};
  },
  'a webhook whose replay has begun since gets no second one': async (scene) => {
    const webhook = await addWebhook(scene);
    const since = new Date(clock.now() - minuteMs).toISOString();
    const act = () => scene.services.replays.startReplay(scene.operator(), webhook, {since});
    const guard = {check: 'replaying', webhook: suffixOf(webhook), replay: null} as const;
    return {guard, act, meanwhile: act, end: 'limit_reached'};
  },
};

const historyOf = (date = '2027-03-01') =>
  ({
    row: {external_id: '1', team: 'platform', date, author: {name: 'Ada', external_id: 'U1'}, update: 'Old.'},
  }) as const;

async function beginImport(
  {services, operator}: RaceScene,
  people: NewImport['people'] = [],
): Promise<Id<'import'>> {
  return asId((await services.imports.createImport(operator(), {source: 'csv', people})).id ?? '');
}

async function outcomesOf({services, operator}: RaceScene, id: string): Promise<Record<string, number>> {
  const {counts} = await services.imports.findImport(operator(), id);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

const ofImports: Rows = {
  'a second import does not begin beside one that has begun since': async (scene) => {
    const act = () => beginImport(scene);
    const guard = {check: 'listed', list: lists.importInProgress(), suffixes: []} as const;
    return {guard, act, meanwhile: act, end: 'limit_reached'};
  },
  'an import creates nothing on a day whose run has been opened since': async (scene) => {
    const id = await beginImport(scene);
    const {team} = scene.workspace;
    return {
      guard: {check: 'day-free', list: lists.runsOfTeam(team)},
      act: () => scene.services.imports.addRows(scene.operator(), id, [historyOf(today)], (row) => row),
      meanwhile: () => openRun(scene),
      end: 'made',
      after: async () => expect(await outcomesOf(scene, id)).toEqual({run_exists: 1}),
    };
  },
  'an import creates nothing of an author who has been removed since': async (scene) => {
    const ada = await scene.addMember();
    const id = await beginImport(scene, [{person: 'U1', member: ada}]);
    return {
      guard: at(ada),
      act: () => scene.services.imports.addRows(scene.operator(), id, [historyOf()], (row) => row),
      meanwhile: () => scene.services.members.deleteMember(scene.operator(), ada, {erase: true}),
      end: 'made',
      after: async () => expect(await outcomesOf(scene, id)).toEqual({left_out: 1}),
    };
  },
  'an import creates nothing in a team that has been deleted since': async (scene) => {
    const id = await beginImport(scene);
    return {
      guard: teamsUnchanged,
      act: () => scene.services.imports.addRows(scene.operator(), id, [historyOf()], (row) => row),
      meanwhile: () => removeTeam(scene),
      end: 'made',
      after: async () => expect(await outcomesOf(scene, id)).toEqual({unknown_team: 1}),
    };
  },
  'a row that has been imported since is not created a second time': async (scene) => {
    const id = await beginImport(scene);
    const act = () => scene.services.imports.addRows(scene.operator(), id, [historyOf()], (row) => row);
    return {
      guard: {check: 'name-free', names: 'imported'},
      act,
      meanwhile: act,
      end: 'made',
      // The record of the import has changed, too.
      isSeconded: true,
      after: async () => expect(await outcomesOf(scene, id)).toEqual({created: 1, existing: 1}),
    };
  },
};

const ofFullLists: Rows = {
  'a replay replaces the oldest one if the list has become full since': async (scene) => {
    const webhook = await addWebhook(scene);
    const list = lists.replaysOf(suffixOf(webhook));
    const since = new Date(clock.now() - minuteMs).toISOString();
    return {
      guard: lengthOf(list),
      act: () => scene.services.replays.startReplay(scene.operator(), webhook, {since, dryRun: true}),
      meanwhile: () => fill(scene, list, {entries: limits.replaysPerWebhook}),
      end: 'made',
      after: async () =>
        expect(await service.core.store.records.count(scene.workspace.id, list, newDeadline())).toBe(
          limits.replaysPerWebhook,
        ),
    };
  },
  'a standup raises no blocker if the list has become full since': async (scene) => {
    const ada = await scene.addMember({as: 'member'});
    const list = lists.openBlockersOfTeam(scene.workspace.team);
    return {
      guard: lengthOf(list),
      act: () =>
        scene.services.standups.postStandup(scene.by(ada), {
          team: 'platform',
          update: 'Words',
          blockers: 'CI is red',
          source: 'api',
        }),
      meanwhile: () => fill(scene, list, {entries: limits.openBlockersPerTeam}),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.blockersOf(ada))).toEqual([]),
    };
  },
  'an account that has a token since makes no room for another': async (scene) => {
    const {id} = await scene.services.people.ensureServiceAccount(scene.operator(), 'old');
    const holder = {type: 'service_account', id, name: 'old'} as const;
    const entries = limits.serviceAccountsPerWorkspace - 2;
    await fill(scene, lists.serviceAccounts(), {entries, copiesOf: scene.workspace.principal.id});
    return {
      guard: lengthOf(lists.accessTokensOf(id)),
      act: () => scene.services.people.ensureServiceAccount(scene.operator(), 'deploy'),
      meanwhile: () => scene.services.tokens.issueToken(scene.operator(), {name: 'own', holder, scopes: []}),
      end: 'limit_reached',
    };
  },
  'an owner who has been changed since is confirmed by Slack with the present record': async (scene) => {
    const [admin, owner] = [await scene.addMember({role: 'admin'}), await scene.addMember({role: 'owner'})];
    const {members, people} = scene.services;
    const {id = ''} = await members.createMember(scene.by(admin), {name: 'Bob', slack_user_id: 'U0BOB'});
    await members.changeMember(scene.by(owner), id, {role: 'owner'});
    return {
      guard: at(asId<'member'>(id), 2),
      act: () => people.ensureSlackMember(scene.operator(), 'U0BOB', {name: 'Bob', role: 'owner'}),
      meanwhile: () => members.changeMember(scene.by(owner), id, {name: 'Robert'}),
      end: 'made',
    };
  },
};

const ofTokens: Rows = {
  'a token is created for the account that has the name now': async (scene) => {
    const {id} = await scene.services.people.ensureServiceAccount(scene.operator(), 'deploy');
    const input = {name: 'own', service_account: 'deploy'};
    return {
      guard: at(id),
      act: () => scene.services.tokens.createToken(scene.operator(), input),
      meanwhile: () => scene.services.accountList.deleteAccount(scene.operator(), id),
      end: 'made',
      after: async () => {
        const tokens = await listAll<{holder: {id: Id<'service_account'>}}>(scene, lists.accessTokens());
        const accounts = (await listAll(scene, lists.serviceAccounts())).map((account) => account.id);
        expect(accounts).not.toContain(id);
        expect(tokens.map(({holder}) => holder.id).filter((holder) => !accounts.includes(holder))).toEqual(
          [],
        );
      },
    };
  },
  'an admin creates no token for a member who has become an owner since': async (scene) => {
    const [admin, ada] = [await scene.addMember({role: 'admin'}), await scene.addMember()];
    return {
      guard: at(ada),
      act: () => scene.services.tokens.createToken(scene.by(admin), {name: 'own', member: ada}),
      meanwhile: () => scene.services.members.changeMember(scene.operator(), ada, {role: 'owner'}),
      end: 'forbidden',
    };
  },
  'an admin creates no sign-in link for a member who has become an owner since': async (scene) => {
    const [admin, ada] = [await scene.addMember({role: 'admin'}), await scene.addMember()];
    return {
      guard: at(ada),
      act: () => scene.services.sessions.createSignInLink(scene.by(admin), {member: ada}),
      meanwhile: () => scene.services.members.changeMember(scene.operator(), ada, {role: 'owner'}),
      end: 'forbidden',
    };
  },
  'an admin revokes no token of a member who has become an owner since': async (scene) => {
    const [admin, ada] = [await scene.addMember({role: 'admin'}), await scene.addMember()];
    const {token} = await issue(scene, ada);
    return {
      guard: at(ada),
      act: () => scene.services.tokens.revokeToken(scene.by(admin), token.id),
      meanwhile: () => scene.services.members.changeMember(scene.operator(), ada, {role: 'owner'}),
      end: 'forbidden',
    };
  },
  'a holder who has the last allowed token since gets no other': async (scene) => {
    const ada = await scene.addMember();
    for (let i = 1; i < limits.tokensPerPrincipal; i += 1) await issue(scene, ada);
    const act = () => issue(scene, ada);
    return {guard: lengthOf(lists.accessTokensOf(ada)), act, meanwhile: act, end: 'limit_reached'};
  },
  'a removal of a member revokes a token that was created for them since': async (scene) => {
    const ada = await scene.addMember();
    return {
      guard: lengthOf(lists.accessTokensOf(ada)),
      act: () => remove(scene, ada),
      meanwhile: () => issue(scene, ada),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.accessTokensOf(ada))).toEqual([]),
    };
  },
  'a removal of a member revokes a token that they have created since': async (scene) => {
    const ada = await scene.addMember({role: 'admin'});
    const input = {name: 'own', service_account: 'ci'};
    return {
      guard: lengthOf(lists.accessTokensBy(ada)),
      act: () => remove(scene, ada),
      meanwhile: () => scene.services.tokens.createToken(scene.by(ada), input),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.accessTokensBy(ada))).toEqual([]),
    };
  },
  'a revocation of a token revokes one that was created with it since': async (scene) => {
    const ada = await scene.addMember({role: 'admin'});
    const {token} = await issue(scene, ada);
    const expiresAt = Date.parse(token.expires_at);
    const call = {...scene.by(ada), token: {id: token.id, expiresAt}} as ReturnType<RaceScene['by']>;
    return {
      guard: lengthOf(lists.accessTokensUnder(token.id)),
      act: () => scene.services.tokens.revokeToken(scene.operator(), token.id),
      meanwhile: () => scene.services.tokens.createToken(call, {name: 'own'}),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.accessTokensOf(ada))).toEqual([]),
    };
  },
  'a deletion of an account revokes a token that was created for it since': async (scene) => {
    const {id} = await scene.services.people.ensureServiceAccount(scene.operator(), 'deploy');
    const holder = {type: 'service_account', id, name: 'deploy'} as const;
    return {
      guard: lengthOf(lists.accessTokensOf(id)),
      act: () => scene.services.accountList.deleteAccount(scene.operator(), id),
      meanwhile: () => scene.services.tokens.issueToken(scene.operator(), {name: 'own', holder, scopes: []}),
      end: 'made',
      after: async () => expect(await listAll(scene, lists.accessTokensOf(id))).toEqual([]),
    };
  },
  'an account whose name has been created since is created once': async (scene) => {
    const act = () => scene.services.people.ensureServiceAccount(scene.operator(), 'deploy');
    return {
      guard: {check: 'name-free', names: 'service-account', name: 'deploy'},
      act,
      meanwhile: act,
      end: 'made',
      after: async () => expect(await listAll(scene, lists.serviceAccounts())).toHaveLength(2),
    };
  },
  'a member who has been removed since cannot sign in': async (scene) => {
    const ada = await scene.addMember();
    const signInRequest = () => ({deadline: newDeadline()});
    const vouched = {workspace: scene.workspace.id, member: ada, confirmed: true};
    return {
      guard: at(ada),
      act: () =>
        scene.services.sessions.signInMember(vouched, {name: 'Firefox', instead: undefined}, signInRequest()),
      meanwhile: () => remove(scene, ada),
      end: 'unknown_person',
    };
  },
};

async function expectHeld(prepare: (scene: RaceScene) => Promise<GuardCase>): Promise<void> {
  await clock.set(start);
  const scene = await setScene(service);
  const row = await prepare(scene);
  expect(await race(scene, row)).toEqual({outcome: 'stale', end: row.end});
  await row.after?.();
  if (!deep || row.isSeconded) return;
  // Without this check the request would have been committed, so no other check refuses it.
  await clock.set(start);
  const other = await setScene(service);
  expect(await race(other, await prepare(other), true)).toMatchObject({outcome: 'committed'});
}

function testRows(rows: Rows): void {
  it.each(Object.keys(rows))('%s', (title) =>
    expectHeld(rows[title] ?? (() => Promise.reject(new Error(title)))),
  );
}

describe('a race between two requests', () => {
  testRows({
    ...ofTeams,
    ...ofStandups,
    ...ofDrafts,
    ...ofRuns,
    ...ofPeople,
    ...ofBlockers,
    ...ofComments,
    ...ofReactions,
    ...ofImports,
    ...ofWebhooks,
    ...ofTokens,
    ...ofInvites,
    ...ofPasskeys,
    ...ofFullLists,
  });

  it.each(Object.keys(ofLimits))(
    'does not exceed the limit of %s if the other request takes the last place',
    (what) =>
      expectHeld(async (scene) => {
        const prepare = ofLimits[what] ?? (() => Promise.reject(new Error(what)));
        const {list, act, ...filled} = await prepare(scene);
        return {
          guard: lengthOf(list),
          act,
          meanwhile: () => fill(scene, list, filled),
          end: 'limit_reached',
        };
      }),
  );
});

describe('a race between an installation in Slack and another request', () => {
  const grant = (botToken: string) => ({
    slackId: `T0${installations}`,
    name: 'Acme',
    botToken,
    installer: {slackUser: 'U0INES', name: 'Ines', timezone: null},
  });
  let installations = 0;

  /** Creates a workspace by an installation in Slack. */
  async function install(scene: RaceScene): Promise<RaceScene> {
    installations += 1;
    const {id} = await scene.services.slackConnections.connect(grant('xoxb-first'), newDeadline());
    const workspace = {...scene.workspace, id};
    const operator = () => ({...scene.operator(), workspace: id});
    return {...scene, workspace, operator};
  }

  const rows: Readonly<Record<string, (scene: RaceScene) => Omit<GuardCase, 'guard'> & Partial<GuardCase>>> =
    {
      'the event of an installation has the present revision of the workspace': (scene) => ({
        guard: at(scene.workspace.id),
        act: () => scene.services.slackConnections.connect(grant('xoxb-second'), newDeadline()),
        meanwhile: () => scene.services.workspaces.changeWorkspace(scene.operator(), {name: 'Other'}),
        end: 'made',
        after: () => expectRevisions(scene, [1, 2]),
      }),
      'the event of a disconnection has the present revision of the workspace': (scene) => ({
        guard: at(scene.workspace.id),
        act: () => scene.services.slackConnections.disconnectFor(scene.operator()),
        meanwhile: () => scene.services.workspaces.changeWorkspace(scene.operator(), {name: 'Other'}),
        end: 'made',
        after: () => expectRevisions(scene, [1, 2]),
      }),
      'a disconnection does not end an installation that was made since': (scene) => ({
        act: () =>
          scene.services.slackConnections.disconnect(
            {slackId: `T0${installations}`, installedAt: start},
            newDeadline(),
          ),
        meanwhile: async () => {
          await clock.advance(minuteMs);
          await scene.services.slackConnections.connect(grant('xoxb-second'), newDeadline());
        },
        end: 'made',
        after: async () =>
          expect(await typesOf(scene, 'slack.')).toEqual(['slack.connected', 'slack.connected']),
      }),
      'a disconnection by an admin erases the token that was given since': (scene) => ({
        act: () => scene.services.slackConnections.disconnectFor(scene.operator()),
        meanwhile: async () => {
          await clock.advance(minuteMs);
          await scene.services.slackConnections.connect(grant('xoxb-second'), newDeadline());
        },
        end: 'made',
        after: async () => expect((await typesOf(scene, 'slack.')).at(-1)).toBe('slack.disconnected'),
      }),
      'the event of an installation made since comes before the next one': (scene) => ({
        act: () => scene.services.slackConnections.connect(grant('xoxb-second'), newDeadline()),
        meanwhile: async () => {
          await clock.advance(minuteMs);
          await scene.services.slackConnections.connect(grant('xoxb-third'), newDeadline());
        },
        end: 'made',
      }),
    };

  it.each(Object.keys(rows))('%s', (title) =>
    expectSlack(rows[title] ?? (() => Promise.reject(new Error(title)) as never)),
  );

  async function expectRevisions({workspace}: RaceScene, revisions: readonly number[]): Promise<void> {
    const all = await service.core.store.events.listAfter(workspace.id, 0, 1_000, newDeadline());
    const events = all.filter(({type}) => type.startsWith('slack.'));
    expect(events.map(({revision}) => revision)).toEqual(revisions);
  }

  async function expectSlack(prepare: (typeof rows)[string]): Promise<void> {
    for (const unguarded of deep ? [false, true] : [false]) {
      await clock.set(start);
      const scene = await install(await setScene(service));
      const row = prepare(scene);
      const guard = {check: 'slack', connected: true} as const;
      const raced = await race(scene, {guard, ...row}, unguarded);
      expect(raced).toMatchObject(unguarded ? {outcome: 'committed'} : {outcome: 'stale', end: row.end});
      if (!unguarded) await row.after?.();
    }
  }
});

describe('a reminder', () => {
  it('is not sent to a member who posts between the check for standups and the commit', async () => {
    await clock.set(start);
    const scene = await setScene(service);
    const [ada, bob] = [await scene.addMember({as: 'member'}), await scene.addMember({as: 'member'})];
    await openRun(scene);
    const {records} = service.core.store;
    const {list} = records;
    const whenRead: typeof list = async (...asked) => {
      const found = await list(...asked);
      if (asked[1].list === lists.standupsOfTeam(scene.workspace.team)) {
        Object.assign(records, {list});
        await post(scene, ada);
      }
      return found;
    };
    Object.assign(records, {list: whenRead});
    await advance(scene);
    expect(records.list).toBe(list);
    const all = await service.core.store.events.listAfter(scene.workspace.id, 0, 1_000, newDeadline());
    expect(all.flatMap(({reminded}) => reminded?.members ?? [])).toEqual([bob]);
  });
});
