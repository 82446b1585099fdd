import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {deep} from '../../support/deep.js';
import {asId} from '../../support/ids.js';
import {startService, type TestService} from '../../support/service.js';
import {type GuardPattern, race, type RaceScene, setScene} from './race.js';

/** The service under test, without background work. */
let service: TestService;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
});

afterAll(() => service.close());

const newDeadline = () => performance.now() + 5_000;
const ics =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260901\r\nSUMMARY:Day\r\nEND:VEVENT\r\nEND:VCALENDAR';
const url = 'https://example.com/hook';

interface ActorScene extends RaceScene {
  /** The person whose right is tested. */
  readonly me: Id<'member'>;
  /** Another member of the team `platform`. */
  readonly bob: Id<'member'>;
}

/** Prepares a request and returns a function that makes it. */
type Prepare = (actor: ActorScene) => Promise<() => Promise<unknown>>;

async function addStandup({services, by, bob}: ActorScene): Promise<Id<'standup'>> {
  const input = {team: 'platform', update: 'Of Bob', source: 'api'} as const;
  return asId((await services.standups.postStandup(by(bob), input)).id ?? '');
}

async function addBlocker({services, by, bob}: ActorScene): Promise<string> {
  return (await services.blockers.raiseBlocker(by(bob), {team: 'platform', text: 'CI is red'})).id ?? '';
}

async function addAbsence({services, by, bob}: ActorScene): Promise<string> {
  return (await services.absences.enterAbsence(by(bob), {team: 'platform'})).id ?? '';
}

async function addWebhook({services, operator}: RaceScene): Promise<string> {
  return (await services.webhooks.createWebhook(operator(), {url, events: ['*']})).id ?? '';
}

async function addTrouble({service: {core}, workspace}: RaceScene, team: Id<'team'>): Promise<void> {
  const details = {team: suffixOf(team), code: 'not_in_channel'};
  await core.store.slackTroubles.note(workspace.id, 'C0TROUBLE', details, newDeadline());
}

const toPlatform = {teams: [{team_id: 'platform'}]};

/** Requests that need a lead of the team or an admin. */
const ofLeads: Record<string, Prepare> = {
  'an invite into the team':
    async ({services, by, me}) =>
    () =>
      services.invites.createInvites(by(me), toPlatform),
  "another member's acceptance of their invite": async ({services, by, me, addMember}) => {
    const eve = await addMember({name: 'Eve'});
    const {body} = await services.invites.createInvites(by(me), toPlatform);
    const {data} = JSON.parse(body) as {readonly data: readonly {readonly url: string}[]};
    return () => services.invites.acceptInvite(by(eve), data[0]?.url.split('#')[1] ?? '');
  },
  'a change of the team':
    async ({services, by, me}) =>
    () =>
      services.teams.changeTeam(by(me), 'platform', {name: 'Other'}),
  'a deletion of the team':
    async ({services, by, me}) =>
    () =>
      services.teams.deleteTeam(by(me), 'platform', {force: true}),
  'an addition to the team': async ({services, by, me, addMember}) => {
    const eve = await addMember({name: 'Eve'});
    return () => services.teamMembers.setTeamMember(by(me), 'platform', eve, 'member');
  },
  'another role in the team':
    async ({services, by, me, bob}) =>
    () =>
      services.teamMembers.setTeamMember(by(me), 'platform', bob, 'observer'),
  'a removal from the team':
    async ({services, by, me, bob}) =>
    () =>
      services.teamMembers.removeTeamMember(by(me), 'platform', bob),
  'an opening of a run':
    async ({services, by, me}) =>
    () =>
      services.runs.openRun(by(me), 'platform', {}),
  'a reminder of a run': async ({services, by, me, operator}) => {
    await services.runs.openRun(operator(), 'platform', {});
    return () => services.runs.remind(by(me), 'platform');
  },
  'a standup of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.standups.postStandup(by(me), {team: 'platform', update: 'X', source: 'api', author: bob}),
  'a draft of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.drafts.setDraftPart(by(me), bob, {team: 'platform', source: 'git', update: 'X'}),
  "an edit of another member's standup": async (actor) => {
    const id = await addStandup(actor);
    return () => actor.services.standups.editStandup(actor.by(actor.me), id, {update: 'Y'});
  },
  "a deletion of another member's standup": async (actor) => {
    const id = await addStandup(actor);
    return () => actor.services.standups.deleteStandup(actor.by(actor.me), id);
  },
  'a blocker of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.blockers.raiseBlocker(by(me), {team: 'platform', text: 'CI is red', author: bob}),
  "a change of another member's blocker": async (actor) => {
    const id = await addBlocker(actor);
    return () => actor.services.blockers.changeBlocker(actor.by(actor.me), id, {text: 'CI was red'});
  },
  "a resolution of another member's blocker": async (actor) => {
    const id = await addBlocker(actor);
    return () => actor.services.blockers.changeBlocker(actor.by(actor.me), id, {state: 'resolved'});
  },
  'an absence of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.absences.enterAbsence(by(me), {member: bob, team: 'platform'}),
  "a change of somebody else's absence": async (actor) => {
    const id = await addAbsence(actor);
    return () => actor.services.absences.changeAbsence(actor.by(actor.me), id, {reason: 'Dentist'});
  },
  "a deletion of somebody else's absence": async (actor) => {
    const id = await addAbsence(actor);
    return () => actor.services.absences.deleteAbsence(actor.by(actor.me), id);
  },
  'another try in a channel of the team': async (actor) => {
    await addTrouble(actor, actor.workspace.team);
    return () => actor.services.slackTroubles.retry(actor.by(actor.me), 'C0TROUBLE');
  },
};

/** Requests that need an admin. */
const ofAdmins: Record<string, Prepare> = {
  'a change of the workspace':
    async ({services, by, me}) =>
    () =>
      services.workspaces.changeWorkspace(by(me), {name: 'Other'}),
  'a holiday calendar':
    async ({services, by, me}) =>
    () =>
      services.holidayCalendars.createCalendar(by(me), {name: 'Own', ics}),
  'a deletion of a holiday calendar': async ({services, by, me, operator}) => {
    const {id = ''} = await services.holidayCalendars.createCalendar(operator(), {name: 'Own', ics});
    return () => services.holidayCalendars.deleteCalendar(by(me), id);
  },
  'a new member':
    async ({services, by, me}) =>
    () =>
      services.members.createMember(by(me), {name: 'Eve'}),
  'a change of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.members.changeMember(by(me), bob, {name: 'Robert'}),
  'a removal of a member':
    async ({services, by, me, bob}) =>
    () =>
      services.members.deleteMember(by(me), bob, {erase: false}),
  'an erasure of what a removed member has left': async (actor) => {
    await addStandup(actor);
    await actor.services.members.deleteMember(actor.operator(), actor.bob, {erase: false});
    return () => actor.services.members.deleteMember(actor.by(actor.me), actor.bob, {erase: true});
  },
  'a token of a service account':
    async ({services, by, me}) =>
    () =>
      services.tokens.createToken(by(me), {name: 'own', service_account: 'ci'}),
  'a token of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.tokens.createToken(by(me), {name: 'own', member: bob}),
  "a revocation of another member's token": async ({services, by, me, bob, operator}) => {
    const holder = {type: 'member', id: bob, name: 'Bob'} as const;
    const {token} = await services.tokens.issueToken(operator(), {name: 'own', holder, scopes: []});
    return () => services.tokens.revokeToken(by(me), token.id);
  },
  'a sign-in link of another member':
    async ({services, by, me, bob}) =>
    () =>
      services.sessions.createSignInLink(by(me), {member: bob}),
  'a deletion of a service account': async ({services, by, me, operator}) => {
    const {id} = await services.people.ensureServiceAccount(operator(), 'deploy');
    return () => services.accountList.deleteAccount(by(me), id);
  },
  'a disconnection of Slack':
    async ({services, by, me}) =>
    () =>
      services.slackConnections.disconnectFor(by(me)),
  'another try in a channel of no team': async (actor) => {
    await addTrouble(actor, asId('tem_0000000000zzzzzzzzzzzzzzzz'));
    return () => actor.services.slackTroubles.retry(actor.by(actor.me), 'C0TROUBLE');
  },
  'a webhook':
    async ({services, by, me}) =>
    () =>
      services.webhooks.createWebhook(by(me), {url, events: ['*']}),
  'a change of a webhook': async (actor) => {
    const id = await addWebhook(actor);
    return () => actor.services.webhooks.changeWebhook(actor.by(actor.me), id, {description: 'Own'});
  },
  'another secret of a webhook': async (actor) => {
    const id = await addWebhook(actor);
    return () => actor.services.webhooks.rotateSecret(actor.by(actor.me), id);
  },
  'a deletion of a webhook': async (actor) => {
    const id = await addWebhook(actor);
    return () => actor.services.webhooks.deleteWebhook(actor.by(actor.me), id);
  },
  'a test of a webhook': async (actor) => {
    const id = await addWebhook(actor);
    return () => actor.services.deliveries.testWebhook(actor.by(actor.me), id);
  },
  'another try of a webhook': async (actor) => {
    const id = await addWebhook(actor);
    return () => actor.services.webhookHealth.tryWebhook(actor.by(actor.me), id);
  },
  'a redelivery': async (actor) => {
    const id = await addWebhook(actor);
    const {body} = await actor.services.deliveries.testWebhook(actor.operator(), id);
    const {id: delivery} = JSON.parse(body) as {id: string};
    return () => actor.services.deliveries.redeliver(actor.by(actor.me), delivery);
  },
  'a replay': async (actor) => {
    const id = await addWebhook(actor);
    const since = new Date(Date.now() - 60_000).toISOString();
    return () => actor.services.replays.startReplay(actor.by(actor.me), id, {since});
  },
  'an import':
    async ({services, by, me}) =>
    () =>
      services.imports.createImport(by(me), {source: 'csv'}),
  'rows of an import': async ({services, operator, by, me}) => {
    const {id = ''} = await services.imports.createImport(operator(), {source: 'csv'});
    const row = {
      external_id: '1',
      team: 'platform',
      date: '2024-03-14',
      author: {name: 'Ada'},
      update: 'Old.',
    };
    return () => services.imports.addRows(by(me), id, [{row}], (row) => row);
  },
  'the end of an import': async ({services, operator, by, me}) => {
    const {id = ''} = await services.imports.createImport(operator(), {source: 'csv'});
    return () => services.imports.finishImport(by(me), id);
  },
  'taking back an import': async ({services, operator, by, me}) => {
    const {id = ''} = await services.imports.createImport(operator(), {source: 'csv'});
    return () => services.imports.cancelImport(by(me), id, true);
  },
  'a cancellation of a replay': async (actor) => {
    const id = await addWebhook(actor);
    const since = new Date(Date.now() - 60_000).toISOString();
    const {body} = await actor.services.replays.startReplay(actor.operator(), id, {since});
    const {id: replay} = JSON.parse(body) as {id: string};
    return () => actor.services.replays.cancelReplay(actor.by(actor.me), id, replay);
  },
};

/** A right, the check that enforces it, and the way in which a person loses it. */
interface Right {
  readonly join: (scene: RaceScene) => Promise<Id<'member'>>;
  readonly guard: (actor: ActorScene) => GuardPattern;
  readonly lose: (actor: ActorScene) => Promise<unknown>;
}

const adminRight: Right = {
  join: ({addMember}) => addMember({role: 'admin'}),
  guard: ({me}) => ({check: 'revision', id: me}),
  lose: ({services, operator, me}) => services.members.changeMember(operator(), me, {role: 'member'}),
};
const leadRight: Right = {
  join: ({addMember}) => addMember({as: 'lead'}),
  guard: ({me, workspace: {team}}) => ({check: 'membership', team, member: me, is: 'lead'}),
  lose: ({services, operator, me}) =>
    services.teamMembers.setTeamMember(operator(), 'platform', me, 'member'),
};

async function raceFor({join, guard, lose}: Right, prepare: Prepare, unguarded = false) {
  const scene = await setScene(service);
  const actor = {...scene, me: await join(scene), bob: await scene.addMember({name: 'Bob', as: 'member'})};
  const act = await prepare(actor);
  return race(scene, {guard: guard(actor), act, meanwhile: () => lose(actor)}, unguarded);
}

function testRaces(right: Right, acts: Readonly<Record<string, Prepare>>): void {
  it.each(Object.keys(acts))('is refused %s', async (act) => {
    const prepare = acts[act] ?? (() => Promise.reject(new Error(act)));
    expect(await raceFor(right, prepare)).toEqual({outcome: 'stale', end: 'forbidden'});
    // Without this check the request would have been committed, so no other check refuses it.
    if (deep) expect(await raceFor(right, prepare, true)).toEqual({outcome: 'committed', end: 'made'});
  });
}

describe('an admin who becomes a member between the check and the commit of a request', () => {
  testRaces(adminRight, {...ofLeads, ...ofAdmins});
});

describe('a lead who stops leading the team between the check and the commit of a request', () => {
  testRaces(leadRight, ofLeads);
});
