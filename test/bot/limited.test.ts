import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {buildFormMetadata} from '../support/slack-form.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
let broken = false;
beforeEach(async () => {
  broken = false;
  slack = await startSlack({
    services: (services) => ({
      ...services,
      workspaces: {
        ...services.workspaces,
        chooseWorkspace: (...args) => {
          // This listener throws instead of returning a rejected promise.
          if (broken) throw new Error('a listener that throws');
          return services.workspaces.chooseWorkspace(...args);
        },
      },
    }),
  });
});
afterEach(() => slack.close());

test('a form opens and an update is answered at the usual speed while Slack limits posting for half a minute', async () => {
  slack.slack.failAlways('chat.postMessage', {kind: 'limited', seconds: 30});
  const [reply, answeredMs] = await measureTime(() => slack.command('posted while Slack limits us'));
  await slack.work();
  expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  expect(reply.body.text).toMatch(/^✅ Posted in <#C000000001>/);
  expect(answeredMs).toBeLessThan(1_500);

  const [, openedMs] = await measureTime(async () => {
    await slack.command('', {trigger: await slack.trigger()});
    await until(() => slack.slack.of('views.open')[0]?.reply !== undefined, {everyMs: 5});
  });
  expect(openedMs).toBeLessThan(1_500);
  const [again, againMs] = await measureTime(() => slack.command('and another one'));
  expect(again.body.text).toMatch(/^✅ Posted in <#C000000001>/);
  expect(againMs).toBeLessThan(1_500);
  await slack.work();
  expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  expect(await slack.standups()).toHaveLength(2);
});

test.each([
  ['a command', () => slack.command('post: keep me')],
  ['a command word', () => slack.command('today')],
  ['a button', () => slack.action({action_id: 'undo-standup', value: 'x'})],
  [
    'a form',
    () =>
      slack.submit({
        id: 'V1',
        callback_id: 'standup-form',
        private_metadata: buildFormMetadata({form: 'choose', dates: {}}),
        blocks: [],
        state: {values: {}},
      }),
  ],
])(
  'when a listener of %s throws, Slack gets an answer at once, without the message of the error',
  async (_, send) => {
    broken = true;
    const [{status, text}, ms] = await measureTime(send);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(1_500);
    expect(text).not.toContain('a listener that throws');
  },
);

test('the answer to an unforeseen error shows the same reference as the log', async () => {
  broken = true;
  const {body} = await slack.command('post: keep me');
  const [, reference] = /Reference: ([0-9a-f]{8})/.exec(body.text) ?? [];
  expect(body.text).toContain('keep me');
  expect(
    slack.lines.filter(({level, fields}) => level === 'error' && fields['reference'] === reference),
  ).toHaveLength(1);
  expect(JSON.stringify(slack.lines)).not.toContain('keep me');
});
