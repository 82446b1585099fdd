import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {botToken, sendSigned, signingSecret} from '../support/slack-harness.js';
import {startService} from '../support/service.js';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {askedTypist, labelsOf, postedBy, type Typist} from './typing-scene.js';
import {asId} from '../support/ids.js';

let scene: PromptScene;
const lines: string[] = [];

beforeAll(async () => {
  scene = await startPromptScene();
});
afterAll(async () => {
  if (process.env['PRINT_TRANSCRIPT'] === '1') process.stderr.write(`\n${lines.join('\n')}\n`);
  await scene.close();
});

/** Records a person's actions and the bot's messages to them. */
function noting(name: string, typist: Typist) {
  let seen = 0;
  const see = async () => {
    const all = await scene.messagesOf(typist.person);
    for (const message of all.slice(seen)) {
      const text = message.text
        .replaceAll(/<!date\^\d+\^[^|]*\|([^>]*)>/g, '$1')
        .replaceAll('\n', '\n      ');
      const buttons = labelsOf(message).filter((label) => label !== undefined);
      lines.push(`  bot: ${text}${buttons.length > 0 ? `\n      [${buttons.join('] [')}]` : ''}`);
    }
    seen = all.length;
  };
  return {
    see,
    async types(text: string): Promise<string> {
      lines.push(`${name} types: ${text}`);
      const {ts} = await typist.type(text);
      await see();
      return ts;
    },
    async edits(ts: string, before: string, text: string): Promise<void> {
      lines.push(`${name} edits “${before}” to: ${text}`);
      await typist.edit(ts, text, before);
      lines.push(`  the message above now says: ${(await typist.last()).text.replaceAll('\n', '\n      ')}`);
    },
    async presses(label: string): Promise<void> {
      lines.push(`${name} presses: ${label}`);
      await typist.press(label);
      lines.push(`  the message now says: ${(await typist.last()).text.replaceAll('\n', '\n      ')}`);
    },
  };
}

test('a member answers question by question, with a meeting and a restart in between, edits one message, and posts', async () => {
  lines.push('', '— One team, with an interruption —', '');
  const ada = await askedTypist(scene);
  const noted = noting('Ada', ada);
  await noted.see();
  const first = await noted.types('Fix the importr');
  await noted.types('later');
  lines.push('(a meeting of 20 minutes; the service is restarted)');
  await scene.clock.advance(20 * minute);
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${scene.slack.slack.url}/api/`,
    ROLES: 'web',
  };
  const restarted = await startService({redisUrl: scene.redisUrl, time: scene.clock.time, env});
  try {
    lines.push('Ada types: Wrote the tests of <PR 7>, https://example.com/pr/7 :tada:');
    const event = {
      type: 'message',
      channel_type: 'im',
      channel: ada.channel,
      user: ada.person.user,
      text: 'Wrote the tests of &lt;PR 7&gt;, <https://example.com/pr/7> :tada:',
      ts: ada.nextTs(),
    };
    const body = {type: 'event_callback', team_id: 'T000000001', event_id: 'Ev1', event};
    const reply = await sendSigned(restarted.url, JSON.stringify(body), {contentType: 'application/json'});
    expect(reply.status).toBe(200);
    await noted.see();
  } finally {
    await restarted.close();
  }
  await noted.types('skip');
  await noted.edits(first, 'Fix the importr', 'Fix the importer');
  await noted.presses('Post');
  const [standup, ...others] = await postedBy(scene, ada);
  expect(others).toEqual([]);
  expect(standup?.update).toBe(
    'Yesterday\nWrote the tests of <PR 7>, https://example.com/pr/7 :tada:\n\nToday\nFix the importer',
  );
  expect((await ada.last()).text).toMatch(/^✅ Posted in <#C000000001>/);
  expect(scene.slack.slack.limitViolations).toEqual([]);
});

test('a member answers for two teams, one of which has its own questions', async () => {
  lines.push('', '— Two teams —', '');
  const {core, operator} = scene.slack;
  const {id = asId('')} = await core.services.teams.createTeam(operator(), {
    name: 'Lab',
    slug: 'lab',
    questions: [
      {key: 'mood', label: 'How do you feel?', type: 'mood', required: true},
      {key: 'where', label: 'Where are you today?', type: 'choice', options: ['Office', 'Home', 'Train']},
      {key: 'today', label: 'What comes next?', type: 'text', required: true},
    ],
  });
  const grace = await askedTypist(scene, {teams: [id, scene.slack.team]});
  const noted = noting('Grace', grace);
  await noted.see();
  await noted.types('good');
  await noted.types('on the moon');
  await noted.types('train');
  await noted.types('Measure the queue');
  await noted.types('post');
  await noted.types('Review the importer');
  await noted.types('skip');
  await noted.types('The printer is out of paper');
  await noted.types('post');
  expect((await postedBy(scene, grace)).map(({team_id, update}) => [team_id, update])).toEqual([
    [scene.slack.team, 'Today\nReview the importer\n\nBlockers\nThe printer is out of paper'],
    [id, 'How do you feel? good (4 of 5)\nWhere are you today? Train\nWhat comes next? Measure the queue'],
  ]);
  expect(scene.slack.slack.limitViolations).toEqual([]);
});
