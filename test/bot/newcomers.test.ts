import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {WebClient} from '@slack/web-api';
import {createNewcomers, createSlackAdmins} from '../../src/bot/slack/core/newcomers.js';
import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {buildFormMetadata} from '../support/slack-form.js';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

let people = 0;
const newPerson = () => ({id: `U0NEW${++people}`, name: `new${people}`});
const home = 'T000000001';
const away = /Slack is not responding\. Try again in a minute\. \(Reference: [0-9a-f]{8}\)/;

const userReply = (id: string, more: object): SlackFailure => ({
  kind: 'replied',
  reply: {ok: true, user: {id, team_id: home, name: 'somebody', ...more}},
});

const memberOf = (user: {id: string}, harness = slack) =>
  harness.core.services.people.findSlackMember(harness.operator(), user.id);

/** The text of a person's Home after it has been opened. */
async function openHome(user: {id: string}, harness = slack): Promise<string> {
  const shown = () => harness.slack.of('views.publish').filter(({body}) => body['user_id'] === user.id);
  const before = shown().length;
  await harness.event({type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home', event_ts: '1'});
  return JSON.stringify((await until(() => shown()[before], {what: 'a Home'})).body['view']);
}

const outsiders: [string, object, RegExp][] = [
  ['a guest', {is_restricted: true}, /Guests can’t post/],
  ['an app', {is_bot: true}, /Apps can’t post/],
  [
    'a person of another workspace, in a shared channel',
    {team_id: 'T0OTHER'},
    /You belong to another Slack workspace/,
  ],
  [
    'a person without a workspace in Slack’s answer',
    {team_id: undefined},
    /You belong to another Slack workspace/,
  ],
];

describe('a new person whose profile Slack does not return', () => {
  let usual: SlackHarness;
  beforeAll(async () => {
    usual = slack;
    slack = await startSlack({timeouts: standardTimeouts});
  });
  afterAll(async () => {
    await slack.close();
    slack = usual;
  });

  test.each<[string, SlackFailure]>([
    ['while Slack does not answer', {kind: 'hang'}],
    ['while Slack refuses', {kind: 'refused', code: 'user_not_visible'}],
    ['after too many requests to Slack', {kind: 'limited', seconds: 30}],
  ])('gets their text back within 3 s %s, and becomes a member only at the next try', async (_, failure) => {
    const user = newPerson();
    // A failed request for their language is repeated; a hanging one is shared.
    slack.slack.fail('users.info', ...(failure.kind === 'hang' ? [failure] : [failure, failure]));
    const [{body}, ms] = await measureTime(() => slack.command('post: my words', {user}));
    expect(ms).toBeLessThan(2_500);
    expect(body.text).toMatch(away);
    expect(body.text).toContain('Your text: my words');
    expect(await memberOf(user)).toBeUndefined();
    expect((await slack.command('post: again', {user})).body.text).toContain('✅ Posted in <#C000000001>');
  });

  test('is admitted at the second try if Slack answers between the two tries', async () => {
    const user = newPerson();
    let answer = (): void => undefined;
    slack.slack.fail('users.info', {kind: 'slow', until: new Promise((resolve) => (answer = resolve))});
    expect((await slack.command('post: too early', {user})).body.text).toMatch(away);
    answer();
    await until(() => slack.slack.of('users.info')[0]?.reply !== undefined);
    slack.slack.failAlways('users.info', {kind: 'hang'});
    await until(async () => /Posted/.test((await slack.command('post: now', {user})).body.text));
  });

  test('can still post if they are already a member', async () => {
    const user = newPerson();
    await slack.command('post: first', {user});
    slack.slack.failAlways('users.info', {kind: 'refused', code: 'ratelimited'});
    slack.slack.failAlways('auth.test', {kind: 'hang'});
    expect((await slack.command('post: second', {user})).body.text).toContain('✅ Posted in <#C000000001>');
    expect((await slack.command('today', {user})).body.text).toContain('Platform');
    expect(await openHome(user)).toContain('Platform');
  });
});

describe('a person who is not of the workspace', () => {
  test.each(outsiders)(
    '%s cannot post a text, and many attempts cost one request to Slack',
    async (_, more, sentence) => {
      const user = newPerson();
      slack.slack.failAlways('users.info', userReply(user.id, more));
      for (const text of ['post: one', 'post: two', 'post: three'])
        expect((await slack.command(text, {user})).body.text).toMatch(sentence);
      expect(slack.slack.of('users.info')).toHaveLength(1);
      expect(await memberOf(user)).toBeUndefined();
    },
  );

  test.each(outsiders)(
    '%s sees neither a standup nor a team, on today or on the Home',
    async (_, more, sentence) => {
      await slack.command('a secret of ours');
      const user = newPerson();
      slack.slack.failAlways('users.info', userReply(user.id, more));
      const shown = [
        JSON.stringify((await slack.command('today', {user})).body),
        JSON.stringify((await slack.command('today', {user, channel: otherChannel})).body),
        await openHome(user),
      ];
      for (const text of shown) {
        expect(text).toMatch(sentence);
        expect(text).not.toMatch(/Platform|a secret of ours|home-again/);
      }
    },
  );

  test('sees nothing while Slack returns no profile, and sees standups once Slack says they are of the workspace', async () => {
    const user = newPerson();
    slack.slack.failAlways('users.info', {kind: 'refused', code: 'ratelimited'});
    expect((await slack.command('today', {user})).body.text).toMatch(away);
    const shown = await openHome(user);
    expect(shown).toMatch(away);
    expect(shown).toContain('Try again');
    expect(shown).not.toContain('Platform');
    slack.slack.failAlways('users.info', userReply(user.id, {}));
    expect((await slack.command('today', {user})).body.text).toContain('Platform');
    expect(await openHome(user)).toContain('Platform');
  });

  test('is refused when the request comes from another workspace, whatever the profile says', async () => {
    const user = newPerson();
    const body = {team: {id: 'T0OTHER', domain: 'other'}, user, type: 'view_submission'};
    const values = {today: {value: {type: 'plain_text_input', value: 'x'}}};
    const view = {
      id: 'V1',
      callback_id: 'standup-form',
      private_metadata: buildFormMetadata({form: 'new', team: slack.team, by: 'channel', dates: {}}),
      blocks: [{block_id: 'today'}],
      state: {values},
      hash: 'h',
    };
    const reply = await slack.send({payload: JSON.stringify({...body, view})});
    expect(reply.text).toContain('You belong to another Slack workspace');
    expect(await memberOf(user)).toBeUndefined();
  });
});

describe('the workspace of a token from the environment', () => {
  test('is asked for once, and no new person is admitted while it is unknown', async () => {
    const other = await startSlack();
    try {
      const unserved = {kind: 'status', status: 503} as const;
      other.slack.fail('auth.test', unserved, unserved);
      const user = newPerson();
      expect((await other.command('post: x', {user})).body.text).toMatch(away);
      expect(await memberOf(user, other)).toBeUndefined();
      expect((await other.command('post: x', {user})).body.text).toContain('✅ Posted in <#C000000001>');
      expect((await other.command('post: x', {user: newPerson()})).body.text).toContain(
        '✅ Posted in <#C000000001>',
      );
      expect(other.slack.of('auth.test')).toHaveLength(3);
    } finally {
      await other.close();
    }
  });

  test('gives a person of another workspace no membership by their e-mail address', async () => {
    const {members} = slack.core.services;
    const email = 'boss@acme.example';
    const boss = await members.createMember(slack.operator(), {name: 'Boss', email});
    const mine = {profile: {email}, is_email_confirmed: true};
    const [stranger, own] = [newPerson(), newPerson()];
    slack.slack.fail(
      'users.info',
      userReply(stranger.id, {...mine, team_id: 'T0OTHER'}),
      userReply(own.id, mine),
    );
    await slack.command('post: x', {user: stranger});
    expect(await memberOf(stranger)).toBeUndefined();
    await slack.command('post: x', {user: own});
    expect((await memberOf(own))?.id).toBe(boss.id);
  });

  test.each<[string, object | string]>([
    ['a person Slack does not show', 'user_not_visible'],
    ['a stranger', {team_id: 'T0OTHER'}],
    ['a guest', {is_restricted: true}],
    ['a bot', {is_bot: true}],
  ])('lets no lead add %s', async (_, more) => {
    await slack.command('to be a member');
    const other = newPerson();
    const known = typeof more === 'object';
    slack.slack.fail('users.info', known ? userReply(other.id, more) : {kind: 'refused', code: more});
    const {people, teams} = slack.core.services;
    const lead = (await people.findSlackMember(slack.operator(), admin.id))!;
    const {id: team} = await teams.createTeam(
      {...slack.operator(), principal: {type: 'member', id: lead.id, name: lead.name}},
      {slug: `team-${other.id.toLowerCase()}`, name: 'Team'},
      'shown',
    );
    const values = {people: {value: {type: 'multi_users_select', selected_users: [admin.id, other.id]}}};
    await slack.submit({
      id: `V_${other.id}`,
      callback_id: 'add-people',
      private_metadata: JSON.stringify({team}),
      blocks: [],
      state: {values},
      hash: 'h',
    });
    const outcome = () => JSON.stringify(slack.slack.of('views.update').at(-1)?.body ?? '');
    await until(() => outcome().includes('Not added because they are bots, guests'), {what: outcome});
    expect(outcome()).toContain(`"user_id":"${other.id}"`);
    expect(await memberOf(other)).toBeUndefined();
  });
});

describe('a profile that Slack has returned', () => {
  const minute = 60_000;
  const origin = {team: home, orgWide: false};
  const inHour = {knownMs: 60 * minute};

  /** A process with its own clock, and the number of profiles that it has requested from Slack. */
  function startProcess(said: {is_restricted?: boolean} | undefined) {
    const scene = {said, asked: 0, now: 0};
    const client = {
      auth: {test: async () => ({team_id: home})},
      users: {
        info: async () => {
          scene.asked += 1;
          if (scene.said === undefined) throw new Error('no answer');
          return {user: {id: 'U1', team_id: home, ...scene.said}};
        },
      },
    } as unknown as WebClient;
    const newcomers = createNewcomers({slackAdmins: createSlackAdmins(false), now: () => scene.now});
    const bot = {installation: {id: 'token'}, client, origin};
    return {
      scene,
      find: (options?: {knownMs?: number}) => newcomers.find(bot, {id: 'U1', name: 'ada'}, options),
    };
  }

  test('is reused for an hour for what a member changes, and for five minutes to admit a new person', async () => {
    const {scene, find} = startProcess({});
    await Promise.all([find(inHour), find(inHour), find()]);
    expect(scene.asked).toBe(1);
    scene.now = 6 * minute;
    await find(inHour);
    expect(scene.asked).toBe(1);
    await find();
    expect(scene.asked).toBe(2);
    scene.now = 67 * minute;
    await find(inHour);
    expect(scene.asked).toBe(3);
  });

  test('is reused for five minutes for a guest, so that a guest who becomes a member is not delayed', async () => {
    const {scene, find} = startProcess({is_restricted: true});
    expect(await find(inHour)).toEqual({outsider: 'guest'});
    scene.said = {};
    scene.now = 4 * minute;
    expect(await find(inHour)).toEqual({outsider: 'guest'});
    scene.now = 6 * minute;
    expect(await find(inHour)).toMatchObject({outsider: undefined});
  });

  test('is requested again when Slack did not answer', async () => {
    const {scene, find} = startProcess(undefined);
    expect(await find(inHour)).toBeUndefined();
    scene.said = {is_restricted: true};
    expect(await find(inHour)).toEqual({outsider: 'guest'});
  });
});

describe('a member who comes from another Slack workspace', () => {
  let usual: SlackHarness;
  beforeEach(async () => {
    usual = slack;
    slack = await startSlack();
  });
  afterEach(async () => {
    await slack.close();
    slack = usual;
  });

  test.each(['post: from elsewhere', 'today'])(
    'is refused from the first request to a process: /standup %s',
    async (text) => {
      const user = newPerson();
      const {members} = slack.core.services;
      await members.createMember(slack.operator(), {name: 'Grace', slack_user_id: user.id});
      // Slack returns no profile, so only the origin of the request is known.
      slack.slack.failAlways('users.info', {kind: 'refused', code: 'user_not_visible'});
      const {body} = await slack.command(text, {user, slackTeam: 'T0OTHER'});
      expect(body.text).toMatch(away);
      expect(await slack.standups()).toEqual([]);
    },
  );
});
