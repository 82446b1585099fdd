import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import type {AccessToken} from '../../src/domain/core/access.js';
import {de} from '../../src/bot/texts/compiled/de.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {startPromptScene} from './prompt-scene.js';
import {createTypist} from './typing-scene.js';

const publicUrl = 'https://standup.example.com';
const {web} = en;

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack({publicUrl});
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const newDeadline = () => performance.now() + 5_000;
let people = 0;
/** A new person of the emulated Slack for each test. */
async function newPerson(harness = slack) {
  const name = `person${++people}`;
  const {members} = (await harness.api('users.list', {limit: '100'})) as {
    members: {id: string; name: string}[];
  };
  return {id: members.find((member) => member.name === name)!.id, name};
}

/** The valid sign-in links, newest first. */
async function linksOf(harness = slack): Promise<AccessToken[]> {
  const page = {kind: 'sign_in_link', limit: 100} as const;
  const {rows} = await harness.core.services.tokens.listTokenPage(harness.operator(), page);
  return rows.map((row) => JSON.parse(row) as AccessToken);
}

const addressIn = (shown: unknown): string =>
  /https?:\/\/[^"\\\s]+#[\w.-]+/.exec(JSON.stringify(shown))?.[0] ?? '';

/** Signs in with the link, as the page of the dashboard does. */
async function signIn(address: string, harness = slack) {
  const {sessions} = harness.core.services;
  const signInRequest = {deadline: newDeadline()};
  const link = await sessions.requireLink(address.slice(address.indexOf('#') + 1), signInRequest);
  const {session} = await sessions.signIn(link, {name: 'Firefox', instead: undefined}, signInRequest);
  return session;
}

describe('/standup web', () => {
  test('answers only the caller, with a link that signs them in once', async () => {
    const user = await newPerson();
    const {body} = await slack.command('web', {user});
    expect(body.response_type).toBe('ephemeral');
    expect(body.text).toContain(web.once);
    const address = addressIn(body.blocks);
    expect(new URL(address)).toMatchObject({origin: publicUrl, pathname: '/app/sign-in'});

    const session = await signIn(address);
    const member = await slack.core.services.people.findSlackMember(slack.operator(), user.id);
    expect(session).toMatchObject({kind: 'session', holder: {id: member?.id}, parent: null});
    await expect(signIn(address)).rejects.toMatchObject({code: 'invalid_token'});
  });

  test('posts nothing', async () => {
    const before = (await slack.standups()).length;
    await slack.command(' Web ', {user: await newPerson()});
    expect(await slack.standups()).toHaveLength(before);
  });

  test('makes no second link when Slack repeats the command', async () => {
    const user = await newPerson();
    const before = (await linksOf()).length;
    const answers = [];
    for (const timestamp of [0, 1].map((late) => Math.floor(Date.now() / 1_000) - late))
      answers.push(await slack.command('web', {user, trigger: 'again.1', timestamp}));
    expect(new Set(answers.map(({body}) => addressIn(body.blocks))).size).toBe(1);
    expect(await linksOf()).toHaveLength(before + 1);
  });

  test('is refused to a guest with a sentence', async () => {
    const guest = {id: 'U0GUEST', name: 'guest'};
    slack.slack.fail('users.info', {
      kind: 'replied',
      reply: {ok: true, user: {id: guest.id, team_id: 'T000000001', name: 'guest', is_restricted: true}},
    });
    const {body} = await slack.command('web', {user: guest});
    expect(addressIn(body)).toBe('');
    expect(body.text).toContain('Guests can’t post');
  });

  test('says that the link opens only on the machine of the service if the service has no public address', async () => {
    const local = await startSlack();
    try {
      const {body} = await local.command('web', {user: await newPerson(local)});
      expect(body.text).toContain(web.here);
      expect(new URL(addressIn(body.blocks)).hostname).toBe('localhost');
    } finally {
      await local.close();
    }
  });

  test('answers with the plain address, in the language of the person, where links are off', async () => {
    const withoutLinks = await startSlack({
      publicUrl,
      env: {SIGN_IN: 'mail', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'standup@example.com'},
    });
    try {
      const user = await newPerson(withoutLinks);
      const {body} = await withoutLinks.command('web', {user});
      expect(body.text).toBe(`${web.open}: ${publicUrl}/app\n${web.signInThere}`);
      withoutLinks.slack.failAlways('users.info', {
        kind: 'replied',
        reply: {ok: true, user: {id: 'U0GERMAN', team_id: 'T000000001', name: 'gerda', locale: 'de-DE'}},
      });
      const german = {id: 'U0GERMAN', name: 'gerda'};
      const answer = await withoutLinks.command('web', {user: german});
      expect(answer.body.text).toBe(`${de.web.open}: ${publicUrl}/app\n${de.web.signInThere}`);
      await withoutLinks.action({action_id: 'more-settings', value: withoutLinks.team}, {}, {user});
      const settings = await until(() => withoutLinks.slack.of('respond')[0], {what: 'an answer'});
      expect(settings.body['text']).toContain(`${publicUrl}/app/t/platform/settings\n${web.signInThere}`);
      expect(await linksOf(withoutLinks)).toEqual([]);
    } finally {
      await withoutLinks.close();
    }
  });

  test('makes a link that opens a team’s settings, for a person who may read them; a guest reads what to do instead', async () => {
    const user = await newPerson();
    await slack.action({action_id: 'more-settings', value: slack.team}, {}, {user});
    const {body: answer} = await until(() => slack.slack.of('respond')[0], {what: 'an answer'});
    expect(answer['response_type']).toBe('ephemeral');
    const address = addressIn(answer['blocks']);
    expect(new URL(address).searchParams.get('to')).toBe('/t/platform/settings');
    expect((await signIn(address)).kind).toBe('session');
    slack.slack.clear();
    const guest = {id: 'U0GUEST2', name: 'guest'};
    const reply = {ok: true, user: {id: guest.id, team_id: 'T000000001', name: 'guest', is_restricted: true}};
    slack.slack.failAlways('users.info', {kind: 'replied', reply});
    await slack.action({action_id: 'more-settings', value: slack.team}, {}, {user: guest});
    const refused = await until(() => slack.slack.of('respond')[0], {what: 'a refusal'});
    expect(refused.body['text']).toMatch(
      /^Guests can’t post.* Ask a lead of the team to change its settings\.$/,
    );
  });

  test('regression: shows the name of a team as plain text in the answer with the link to its settings', async () => {
    const name = '<!channel> <https://evil.example|Payroll> & co';
    const input = {slug: 'marked', name, slack_channel_id: 'C0000MARK'};
    await slack.core.services.teams.createTeam(slack.operator(), input);
    await slack.action({action_id: 'more-settings', value: 'marked'}, {}, {user: await newPerson()});
    const {body: answer} = await until(() => slack.slack.of('respond')[0], {what: 'an answer'});
    expect(answer['text']).toContain('&lt;!channel&gt; &lt;https://evil.example|Payroll&gt; &amp; co');
    expect(answer['text']).not.toContain(name);
    expect(JSON.stringify(answer['blocks'])).toContain(name);
  });

  test('writes the link to no line of the log', async () => {
    const {body} = await slack.command('web', {user: await newPerson()});
    const secret = addressIn(body.blocks).split('.').at(-1) ?? '';
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(slack.lines)).not.toContain(secret);
  });
});

test('the command “web” typed to the bot is answered with the link in the direct messages', async () => {
  const scene = await startPromptScene();
  try {
    const typist = await createTypist(scene, await scene.addPerson());
    await typist.type('web');
    const [answer] = await until(
      async () => {
        const said = await typist.said();
        return said.length > 0 && said;
      },
      {what: 'an answer'},
    );
    expect((await signIn(addressIn(answer?.blocks), scene.slack)).kind).toBe('session');
  } finally {
    await scene.close();
  }
});

test('the Home tab has a button for the sign-in link, which is shown in a view', async () => {
  const user = await newPerson();
  await slack.event({
    type: 'app_home_opened',
    user: user.id,
    channel: 'D000000001',
    tab: 'home',
    event_ts: '1',
  });
  const [home] = await until(
    () => {
      const shown = slack.slack.of('views.publish').filter(({body}) => body['user_id'] === user.id);
      return shown.length > 0 && shown;
    },
    {what: 'a Home'},
  );
  expect(JSON.stringify(home)).toContain('"open-dashboard"');
  const trigger = await slack.trigger();
  await slack.action({action_id: 'open-dashboard'}, {trigger_id: trigger, view: {type: 'home'}}, {user});
  const [opened] = await until(
    () => slack.slack.of('views.open').length > 0 && slack.slack.of('views.open'),
    {
      what: 'a view',
    },
  );
  expect((await signIn(addressIn(opened?.body))).kind).toBe('session');
});
