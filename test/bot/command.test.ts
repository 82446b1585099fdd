// test/bot/: the Slack entry point and its jobs, on a real Redis and an independent emulator of Slack.
// Not here: decisions of the services.
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import {channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('to be a member');
  slack.slack.clear();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const latest = async () => (await slack.standups())[0];

describe('/standup with a text', () => {
  test('posts the text for the team of the channel, in the name of the Slack user, and confirms it to that user alone', async () => {
    const fresh = await startSlack();
    const reply = await fresh.command('Fixed the login');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringMatching(
        /^✅ Posted in <#C000000001>, \w+ \d+ \w+\. Fixed the login\nYou joined Platform\./,
      ),
    });
    expect((await fresh.standups())[0]).toMatchObject({
      update: 'Fixed the login',
      team: 'platform',
      source: 'slack',
      author: {type: 'member', name: 'admin'},
    });
    expect(await fresh.events()).toEqual(
      expect.arrayContaining(['member.joined', 'team.member_added', 'standup.created']),
    );
    await fresh.close();
  });

  test('makes one member per Slack user, however often they post', async () => {
    const before = (await slack.events()).filter((type) => type === 'member.joined').length;
    await slack.command('post: one');
    await slack.command('post: two');
    expect((await slack.events()).filter((type) => type === 'member.joined')).toHaveLength(before);
    expect(slack.slack.of('users.info')).toHaveLength(0);
  });

  test('decodes the three characters that Slack encodes, once, and stores the rest as typed, with pings as text', async () => {
    await slack.command('a &lt;b&gt; &amp;lt; &quot; *bold* <!channel>');
    expect((await latest())?.update).toBe('a <b> &lt; &quot; *bold* @channel');
  });

  test('answers a text with mentions without mentioning anyone', async () => {
    const {body} = await slack.command('ping &lt;!channel&gt; and &lt;@U1&gt;');
    expect(body.text).toMatch(/^✅ Posted in <#C000000001>, [^<]*\. ping &lt;!channel&gt; and &lt;@U1&gt;$/);
    // The first block names the channel.
    expect(JSON.stringify(body.blocks.slice(1))).not.toMatch(
      /"type":"(user|broadcast|channel|usergroup|link|mrkdwn)"/,
    );
  });

  test('makes one standup when Slack sends the command twice with one trigger', async () => {
    const before = (await slack.standups()).length;
    const replies = [];
    const now = Math.floor(Date.now() / 1_000);
    for (const timestamp of [now, now - 1])
      replies.push(await slack.command('post: only once', {trigger: 'same.trigger', timestamp}));
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect(await slack.standups()).toHaveLength(before + 1);
  });

  test.each([
    ['a channel of no team', otherChannel],
    ['a private channel', 'G000000009'],
    ['a direct message', 'D000000009'],
  ])(
    'asks in %s whether to post to the only team’s channel, and posts there after the answer',
    async (_, from) => {
      const before = (await slack.standups()).length;
      const said = `from elsewhere, ${from}`;
      const {body} = await slack.command(said, {channel: from});
      expect(body.text).toBe(`Not posted yet. Post this to <#${channel}>? ${said}`);
      expect(await slack.standups()).toHaveLength(before);
      const {elements} = body.blocks.find(({type}: {type: string}) => type === 'actions');
      expect(elements[0]).toMatchObject({text: {text: 'Post to Platform'}});
      await slack.action(elements[0], {}, {channel: from});
      const answer = await until(() => slack.slack.of('respond')[0], {what: 'an answer'});
      expect(answer.body['text']).toMatch(/^✅ Posted in <#C000000001>, /);
      expect((await latest())?.update).toBe(said);
    },
  );

  test('asks which of several teams is meant, with the channel of each', async () => {
    const user = {id: 'U_SEVERAL', name: 'grace'};
    await slack.command('to be a member', {user});
    const {teams, people} = slack.core.services;
    const {id} = await teams.createTeam(slack.operator(), {slug: 'quiet', name: 'Quiet'});
    const member = await people.findSlackMember(slack.operator(), user.id);
    await people.joinTeam(slack.operator(), {id: id!, slug: 'quiet'}, member!.id);
    const {body} = await slack.command('post: from elsewhere', {channel: otherChannel, user});
    expect(body.text).toBe(
      'Not posted yet. Which team is this for: Platform in <#C000000001>, Quiet? from elsewhere',
    );
  });

  test('regression: distinguishes two teams with the same name when the person chooses one', async () => {
    const user = {id: 'U_TWINS', name: 'twins'};
    await slack.command('to be a member', {user});
    const {teams, people} = slack.core.services;
    const {id} = await teams.createTeam(slack.operator(), {slug: 'other-platform', name: 'Platform'});
    const member = await people.findSlackMember(slack.operator(), user.id);
    await people.joinTeam(slack.operator(), {id: id!, slug: 'other-platform'}, member!.id);
    const {body} = await slack.command('for one of them', {channel: otherChannel, user});
    const {elements} = body.blocks.find(({type}: {type: string}) => type === 'actions');
    expect(elements.map((one: {text: {text: string}}) => one.text.text)).toEqual([
      'Platform (platform)',
      'Platform (other-platform)',
      'Set up a standup here',
    ]);
  });

  test('is refused for a new person in a channel without a team; the answer says how to begin, and repeats the text', async () => {
    const {body} = await slack.command('post: my words', {
      channel: otherChannel,
      user: {id: 'U9', name: 'nora'},
    });
    expect(body.text).toMatch(/^Not posted\. There’s no standup in this channel yet.*Your text: my words$/);
  });

  test('returns a text that is too long, with the reason', async () => {
    const {body} = await slack.command('x'.repeat(4_001));
    expect(body.text).toMatch(/^Not posted\. Your update is 4001 characters long\. The limit is 4000\./);
    expect(body.text).toContain('xxxx');
  });

  test('accepts a text of four thousand emoji and answers within the limits', async () => {
    const {body} = await slack.command('😀'.repeat(4_000));
    expect(body.text).toContain('✅ Posted in <#C000000001>');
    expect((await latest())?.update).toBe('😀'.repeat(4_000));
  });
});

describe('the commands of /standup', () => {
  test('include help, which explains the command and posts nothing', async () => {
    const before = (await slack.standups()).length;
    const {body} = await slack.command(' Help ');
    expect(body).toMatchObject({response_type: 'ephemeral', text: expect.stringContaining('/standup')});
    expect(await slack.standups()).toHaveLength(before);
  });

  test('explain in six lines what people do, and all commands behind a button', async () => {
    const {body} = await slack.command('help');
    expect(body.text.split('\n')).toHaveLength(6);
    expect(body.blocks[0].text.text).toBe(body.text);
    const [more] = body.blocks[1].elements;
    expect(more.text.text).toBe('All commands');
    await slack.action({action_id: more.action_id, value: more.value});
    const all = await until(() => slack.slack.of('respond')[0], {what: 'all commands'});
    expect(all.body).toMatchObject({
      replace_original: true,
      text: expect.stringMatching(/^\*What you can do here\*\n[^]*`\/standup history`/),
    });
  });

  test.each(['skip', 'ooo', 'back', 'OOO until Friday', 'skip dentist'])(
    'include “%s”, which is not posted',
    async (command) => {
      const before = (await slack.standups()).length;
      const {body} = await slack.command(command);
      expect(body.text).toMatch(/^(?:You’re away|Skipping|Welcome back)/);
      expect(await slack.standups()).toHaveLength(before);
    },
  );

  test('include settings, which opens the member’s own settings and posts nothing', async () => {
    const before = (await slack.standups()).length;
    await slack.command('settings', {trigger: await slack.trigger()});
    await until(() => slack.slack.of('views.open').length > 0, {what: 'a modal'});
    expect(await slack.standups()).toHaveLength(before);
  });

  test('do not include a sentence that begins with a command word: it is posted', async () => {
    await slack.command('today I write tests');
    expect((await latest())?.update).toBe('today I write tests');
  });

  test('are answered at once when the service does not know the slash command', async () => {
    const {status, body} = await slack.command('post: x', {command: '/standap'});
    expect(status).toBe(200);
    expect(body.text).toContain('/standap');
  });
});

describe('a failure of the service', () => {
  const failAs = (error: Error) => async () => {
    throw error;
  };
  const failing = (error: Error) =>
    startSlack({
      services: (services) => ({
        ...services,
        standups: {...services.standups, postFromChannel: failAs(error)},
      }),
    });

  test('to save gives the person the reason, a reference and the text, and none of the text reaches the log', async () => {
    const broken = await failing(new AppError('service_unavailable', 'The store did not answer in time.'));
    const {status, body} = await broken.command('post: precious words');
    expect(status).toBe(200);
    expect(body.text).toMatch(
      /^Not posted\. .*Try again in a minute\. \(Reference: [0-9a-f]{8}\) Your text: precious words$/,
    );
    const reference = /Reference: ([0-9a-f]{8})/.exec(body.text)?.[1];
    expect(broken.lines.some(({fields}) => fields['reference'] === reference)).toBe(true);
    expect(JSON.stringify(broken.lines)).not.toContain('precious');
    await broken.close();
  });

  test('caused by a bug still gives the person a readable answer', async () => {
    const broken = await failing(new TypeError('undefined is not a function'));
    const {body} = await broken.command('post: precious words');
    expect(body.text).toMatch(
      /^Not posted\. Something went wrong on our side\. \(Reference: [0-9a-f]{8}\) Your text: precious words$/,
    );
    expect(broken.lines.filter(({level}) => level === 'error')).toHaveLength(1);
    await broken.close();
  });

  test('to find its workspace is named in the answer', async () => {
    const empty = await startSlack({workspaces: []});
    expect((await empty.command('post: words')).body.text).toMatch(/^Not posted\. There is no workspace yet/);
    await empty.close();
    const several = await startSlack({workspaces: ['one', 'two']});
    expect((await several.command('post: words')).body.text).toContain('SLACK_WORKSPACE');
    await several.close();
  });
});
