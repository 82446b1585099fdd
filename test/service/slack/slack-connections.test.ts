import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createHash} from 'node:crypto';
import {parseWire} from '../../../src/domain/core/resource.js';
import {createIdSource} from '../../../src/api/http/request-id.js';
import type {SlackGrant} from '../../../src/domain/slack/slack-installation.js';
import {createOauthInstallations} from '../../../src/service/slack/oauth-installations.js';
import {createSlackConnections} from '../../../src/service/slack/slack-connections.js';
import {operatorCall} from '../../../src/service/workspaces/workspaces.js';
import {dumpRedis} from '../../store/dump.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService} from '../../support/service.js';
import {copyDatabase} from '../../support/set-back.js';
import {until} from '../../support/until.js';
import type {Id} from '../../../src/domain/core/ids.js';
import {asId} from '../../support/ids.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const newDeadline = () => performance.now() + 5_000;
const grantOf = (slackId: string, more: Partial<SlackGrant> = {}): SlackGrant => ({
  slackId,
  name: slackId,
  botToken: `xoxb-of-${slackId}`,
  installer: {slackUser: 'U0INSTALLER', name: 'Ines', timezone: 'Europe/Berlin', email: 'ines@acme.example'},
  ...more,
});

const connections = () => service.core.services.slackConnections;
const records = () => service.core.store.slackInstallations;
const installationParts = () => ({
  slackInstallations: records(),
  slackConnections: connections(),
  cipher: service.core.store.cipher,
  monotonic: () => performance.now(),
  installUrl: 'https://standup.example.com/slack/install',
});
const installations = () => createOauthInstallations(installationParts());

async function eventsOf(workspace: Id<'workspace'>): Promise<string[]> {
  const {rows} = await service.core.services.events.listEvents(operatorCall(workspace, newDeadline()), {
    limit: 100,
  });
  return rows.map((row) => (JSON.parse(row) as {type: string}).type);
}

async function membersOf(workspace: Id<'workspace'>) {
  const {members} = service.core.services;
  const {rows} = await members.listMembers(operatorCall(workspace, newDeadline()), {limit: 100});
  return rows.map(
    (row) => JSON.parse(row) as {name: string; role: string; email: string | null; slack_user_id: string},
  );
}

/** Returns the ids of the service's workspaces with this name. */
async function idsOf(named: string): Promise<string[]> {
  const all = await service.core.services.workspaces.listWorkspaces(newDeadline());
  return all.filter(({name}) => name === named).map(({id}) => id);
}

/** Creates Slack's event of an uninstallation. `happenedAt`: its `event_time` (s). */
const eventOf = (id: string, happenedAt: number) => ({
  happenedAt,
  idempotency: {
    hash: createHash('sha256').update(id).digest('base64url'),
    fingerprint: createHash('sha256').update('').digest('base64url'),
  },
});
const nowInSeconds = () => Math.floor(service.core.store.clock.now() / 1_000);

it('regression: a Slack installation that a restored store has lost is not served for longer than two minutes', async () => {
  let now = performance.now();
  const found = createOauthInstallations({...installationParts(), monotonic: () => now});
  const origin = {team: 'T0LOST', enterprise: undefined, orgWide: false};
  const setBack = await copyDatabase(service.redisUrl);
  await found.install(grantOf('T0LOST'), newDeadline());
  expect(await found.find(origin, newDeadline())).toMatchObject({id: 'T0LOST'});
  await setBack();
  now += 121_000;
  // The call that notices that the cached value is too old still returns it, because a view in Slack cannot
  // wait.
  await found.find(origin, newDeadline());
  await until(() =>
    found.find(origin, newDeadline()).then(
      () => false,
      ({code}) => code === 'not_found',
    ),
  );
});

describe('the first installation in a Slack workspace', () => {
  it('creates a workspace, with the installer as its owner, and an event', async () => {
    const {id, slug, name} = await connections().connect(grantOf('T0ACME', {name: 'Acme'}), newDeadline());
    expect({slug, name}).toEqual({slug: 'acme', name: 'Acme'});
    expect(await membersOf(id)).toEqual([
      expect.objectContaining({
        name: 'Ines',
        role: 'owner',
        email: 'ines@acme.example',
        timezone: 'Europe/Berlin',
        slack_user_id: 'U0INSTALLER',
      }),
    ]);
    expect((await eventsOf(id)).toSorted()).toEqual(['member.joined', 'slack.connected']);
    expect(await installations().find({team: 'T0ACME', orgWide: false}, newDeadline())).toEqual({
      id: 'T0ACME',
      workspace: id,
      botToken: 'xoxb-of-T0ACME',
    });
  });

  it('creates two workspaces for two Slack workspaces with one name', async () => {
    const first = await connections().connect(grantOf('T0ONE', {name: 'Same'}), newDeadline());
    const second = await connections().connect(grantOf('T0TWO', {name: 'Same'}), newDeadline());
    expect([first.slug, second.slug]).toEqual(['same', 'same-2']);
    expect(first.id).not.toBe(second.id);
  });

  it('makes a slug even for a name without Latin letters, and for a very long name', async () => {
    const none = await connections().connect(grantOf('T0NONE', {name: '日本'}), newDeadline());
    const long = await connections().connect(grantOf('T0LONG', {name: 'long '.repeat(40)}), newDeadline());
    const again = await connections().connect(grantOf('T0LONG2', {name: 'long '.repeat(40)}), newDeadline());
    expect(none.slug).toBe('slack');
    expect([...long.name]).toHaveLength(80);
    expect(again.slug).toBe(`${long.slug}-2`);
  });

  it.each(Array.from({length: 8}, (_, i) => i))(
    'is completed by a repeat, with nothing created twice, if the process was killed after step %i',
    async (last) => {
      let step = -1;
      const dying = <A extends unknown[], R>(run: (...args: A) => Promise<R>) => {
        return async (...args: A): Promise<R> => {
          step += 1;
          if (step > last) throw new Error('killed');
          return run(...args);
        };
      };
      const {store, services} = service.core;
      const context = createTestContext(service.core, {
        commits: {...store.commits, run: dying(store.commits.run)},
        slackInstallations: {
          ...store.slackInstallations,
          findWorkspace: dying(store.slackInstallations.findWorkspace),
          claim: dying(store.slackInstallations.claim),
          find: dying(store.slackInstallations.find),
        },
        workspaces: {
          ...store.workspaces,
          find: dying(store.workspaces.find),
          create: dying(store.workspaces.create),
        },
        slack: {mode: 'oauth', transport: 'http'},
        generateSuffix: createIdSource(),
      });
      const people = {
        ...services.people,
        ensureSlackMember: dying(services.people.ensureSlackMember),
        findSlackMember: dying(services.people.findSlackMember),
      };
      const dead = createSlackConnections(context, {people});
      const slackId = `T0KILLED${last}`;
      const grant = grantOf(slackId);
      await dead.connect(grant, newDeadline()).catch((error: Error) => expect(error.message).toBe('killed'));
      expect(step).toBeGreaterThan(last);
      const {id} = await connections().connect(grant, newDeadline());
      expect(await idsOf(slackId)).toEqual([id]);
      expect(await membersOf(id)).toEqual([expect.objectContaining({role: 'owner'})]);
      expect(await records().findWorkspace(slackId, newDeadline())).toBe(id);
      expect((await records().find(id, newDeadline()))?.encrypted).toBeDefined();
    },
  );

  it('creates one workspace if it happens twice at once', async () => {
    const both = await Promise.all(
      [1, 2].map(() => connections().connect(grantOf('T0TWICE'), newDeadline())),
    );
    expect(both[0]?.id).toBe(both[1]?.id);
    expect(await idsOf('T0TWICE')).toHaveLength(1);
    expect(await membersOf(both[0]?.id ?? asId(''))).toHaveLength(1);
  });
});

describe('SLACK_WORKSPACE', () => {
  const env = {
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'client',
    SLACK_SIGNING_SECRET: 'shh',
    SLACK_WORKSPACE: 'Main',
    SLACK_WORKSPACE_TEAM: 'T0FIRST',
    SLACK_API_URL: 'http://127.0.0.1:1/api/',
  };

  it('regression: applies only to the Slack workspace in SLACK_WORKSPACE_TEAM, even if another installs the bot first', async () => {
    const oauth = await startService({env});
    try {
      const main = await oauth.addWorkspace('main');
      const {slackConnections} = oauth.core.services;
      const stranger = await slackConnections.connect(grantOf('T0STRANGER'), newDeadline());
      expect(stranger.id).not.toBe(main.id);
      const first = await slackConnections.connect(grantOf('T0FIRST'), newDeadline());
      const again = await slackConnections.connect(grantOf('T0FIRST'), newDeadline());
      expect([first.id, again.id]).toEqual([main.id, main.id]);
      const shown = await main.request('GET', '/v1/workspace');
      expect(shown.body.slack).toEqual({connected: true});
      await slackConnections.disconnect({slackId: 'T0FIRST', ...eventOf('Ev1', Date.now())}, newDeadline());
      expect((await main.request('GET', '/v1/workspace')).body.slack).toEqual({connected: false});
    } finally {
      await oauth.close();
    }
  });
});

describe('a Slack user with a confirmed e-mail address', () => {
  it('is linked to the member with that address, unless another Slack user is linked already', async () => {
    const {id} = await connections().connect(grantOf('T0LINK'), newDeadline());
    const {members, people} = service.core.services;
    const call = () => operatorCall(id, newDeadline());
    const invited = JSON.parse(
      (await members.createMember(call(), {name: 'Ada', email: 'ada@acme.example'})).body ?? '',
    ) as {id: string};
    const linked = await people.ensureSlackMember(call(), 'U0ADA', {
      name: 'ada in Slack',
      email: 'Ada@acme.example',
    });
    expect(linked).toEqual({type: 'member', id: invited.id, name: 'Ada'});
    const other = await people.ensureSlackMember(call(), 'U0OTHER', {
      name: 'Other',
      email: 'ada@acme.example',
    });
    expect(other.id).not.toBe(invited.id);
    const all = await membersOf(id);
    expect(all.find(({slack_user_id: user}) => user === 'U0ADA')).toMatchObject({email: 'ada@acme.example'});
    expect(all.find(({slack_user_id: user}) => user === 'U0OTHER')).toMatchObject({email: null});
    expect(await eventsOf(id)).toContain('member.updated');
  });
});

describe('regression: a confirmed e-mail address in Slack', () => {
  it.each(['owner', 'admin'] as const)(
    'does not link a Slack user to a member with the role %s',
    async (role) => {
      const {id} = await connections().connect(grantOf(`T0RUN${role.toUpperCase()}`), newDeadline());
      const {members, people} = service.core.services;
      const call = () => operatorCall(id, newDeadline());
      const created = await members.createMember(call(), {name: 'Boss', role, email: 'boss@acme.example'});
      const boss = parseWire(created.body);
      const link = () => people.ensureSlackMember(call(), 'U0BOSS', {name: 'x', email: 'boss@acme.example'});
      await expect(link()).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(`PATCH /v1/members/${boss.id} with {"slack_user_id": "U0BOSS"}`),
      });
      await members.changeMember(call(), boss.id, {slack_user_id: 'U0BOSS'});
      expect(await link()).toEqual({type: 'member', id: boss.id, name: 'Boss'});
    },
  );
});

describe('the end of an installation', () => {
  it('erases the token, keeps all other data, and causes one event, however often Slack reports the end', async () => {
    const origin = {team: 'T0END0', orgWide: false};
    const slack = installations();
    const {id} = await slack.install(grantOf('T0END0'), newDeadline());
    await slack.uninstall(origin, eventOf('Ev0A', nowInSeconds()), newDeadline());
    await slack.uninstall(origin, eventOf('Ev0B', nowInSeconds()), newDeadline());
    await slack.uninstall(origin, eventOf('Ev0A', nowInSeconds()), newDeadline());
    expect((await eventsOf(id)).filter((type) => type === 'slack.disconnected')).toHaveLength(1);
    await expect(slack.find(origin, newDeadline())).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('https://standup.example.com/slack/install'),
    });
    expect(await slack.findOf(id, newDeadline())).toBeUndefined();
    expect(await membersOf(id)).toHaveLength(1);
    expect(await records().find(id, newDeadline())).toMatchObject({slackId: 'T0END0', encrypted: undefined});
  });

  it('has no effect if Slack reports it after the next installation', async () => {
    const origin = {team: 'T0END1', orgWide: false};
    const slack = installations();
    await slack.install(grantOf('T0END1'), newDeadline());
    const earlier = nowInSeconds() - 60;
    const again = await slack.install(grantOf('T0END1', {botToken: 'xoxb-next'}), newDeadline());
    await slack.uninstall(origin, eventOf('Ev1Late', earlier), newDeadline());
    expect(await slack.findToken(origin, newDeadline())).toBe('xoxb-next');
    expect(await eventsOf(again.id)).not.toContain('slack.disconnected');
    // A repeat of an event that had no effect has no effect either, whatever its time.
    await slack.uninstall(origin, eventOf('Ev1Late', nowInSeconds()), newDeadline());
    expect(await slack.findToken(origin, newDeadline())).toBe('xoxb-next');
  });

  it('keeps the workspace, with its name and members, for the next installation', async () => {
    const origin = {team: 'T0END2', orgWide: false};
    const slack = installations();
    const first = await slack.install(grantOf('T0END2'), newDeadline());
    await slack.uninstall(origin, eventOf('Ev2C', nowInSeconds()), newDeadline());
    const installer = {slackUser: 'U0SOMEBODY', name: 'Somebody else', timezone: null};
    const again = await slack.install(
      grantOf('T0END2', {name: 'Renamed', botToken: 'xoxb-2', installer}),
      newDeadline(),
    );
    expect(again.id).toBe(first.id);
    expect((await membersOf(first.id)).map(({slack_user_id: user}) => user)).toEqual(['U0INSTALLER']);
    expect((await slack.find(origin, newDeadline())).botToken).toBe('xoxb-2');
    expect((await eventsOf(first.id)).filter((type) => type.startsWith('slack.'))).toEqual([
      'slack.connected',
      'slack.disconnected',
      'slack.connected',
    ]);
  });

  it('is noticed when Slack refuses a call, unless the call had a token that was replaced', async () => {
    const origin = {team: 'T0END3', orgWide: false};
    const [ours, theirs] = [installations(), installations()];
    const {id} = await ours.install(grantOf('T0END3'), newDeadline());
    await theirs.find(origin, newDeadline());
    await ours.install(grantOf('T0END3', {botToken: 'xoxb-next'}), newDeadline());
    // The other process knows only the earlier token.
    await theirs.noteRefused('xoxb-of-T0END3');
    expect((await theirs.find(origin, newDeadline())).botToken).toBe('xoxb-next');
    await theirs.noteRefused('xoxb-next');
    expect(await eventsOf(id)).toContain('slack.disconnected');
    expect(await theirs.findOf(id, newDeadline())).toBeUndefined();
  });

  it('postpones waiting messages until the next installation, which sends them at once', async () => {
    const origin = {team: 'T0END4', orgWide: false};
    const slack = installations();
    const {id} = await slack.install(grantOf('T0END4'), newDeadline());
    const {ready} = service.core.store;
    const work = {kind: 'post-slack', channel: 'C1'} as const;
    await ready.reschedule(id, work, 1, newDeadline());
    const due = async () => {
      const look = {side: 'slack', from: 0, perWorkspace: 10, mostOfOne: 10, atMost: 1_000} as const;
      return (await ready.listDue(look, newDeadline())).due.filter(
        ({work}) => work.kind === 'post-slack' && work.channel === 'C1',
      ).length;
    };
    await records().park(id, work, newDeadline());
    expect(await due()).toBe(1);
    await slack.uninstall(origin, eventOf('Ev4D', nowInSeconds()), newDeadline());
    await records().park(id, work, newDeadline());
    expect(await due()).toBe(0);
    await slack.install(grantOf('T0END4'), newDeadline());
    expect(await due()).toBe(1);
    // With a token in the environment, an earlier installation does not decide which workspace the process
    // serves.
    await records().postpone(id, work, newDeadline());
    expect(await due()).toBe(0);
  });
});

describe('an installation for a whole organisation', () => {
  it('gives all its Slack workspaces one of our workspaces, except those with an installation of their own', async () => {
    const slack = installations();
    const wide = await slack.install(grantOf('E0ORG', {name: 'Big Org'}), newDeadline());
    const own = await slack.install(grantOf('T0OWN'), newDeadline());
    const find = async (team: string | undefined, orgWide: boolean) =>
      (await slack.find({team, enterprise: 'E0ORG', orgWide}, newDeadline())).workspace;
    expect(await find('T0ANY', true)).toBe(wide.id);
    expect(await find(undefined, true)).toBe(wide.id);
    expect(await find('T0OWN', false)).toBe(own.id);
    await slack.uninstall(
      {team: 'T0OWN', enterprise: 'E0ORG', orgWide: false},
      eventOf('EvE', nowInSeconds()),
      newDeadline(),
    );
    expect(await find('T0ANY', true)).toBe(wide.id);
  });
});

it('the store contains no Slack token in plain text, and a token can be decrypted only for its own workspace', async () => {
  const slack = installations();
  const {id} = await slack.install(grantOf('T0SEALED', {botToken: 'xoxb-very-secret'}), newDeadline());
  expect((await dumpRedis(service.redisUrl)).text).not.toContain('very-secret');
  const encrypted = (await records().find(id, newDeadline()))?.encrypted ?? '';
  const {cipher} = service.core.store;
  expect(cipher.decrypt('slack-installation', id, encrypted)).toBe('xoxb-very-secret');
  expect(() => cipher.decrypt('slack-installation', 'ws_another', encrypted)).toThrow(/does not open/);
});
