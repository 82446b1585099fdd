import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {type SlackStory, startStory} from '../support/slack-story.js';

let story: SlackStory;
beforeAll(async () => {
  // A Monday, before work.
  story = await startStory('.cache/pictures/first-week', Date.parse('2026-11-23T07:30:00Z'));
}, 30_000);
afterAll(async () => {
  if (process.env['PRINT_TRANSCRIPT'] === '1') process.stderr.write(`\n${story.transcript()}\n`);
  await story.close();
}, 60_000);

test('a team has its first week in Slack', async () => {
  const {services} = story.service.core;
  await services.workspaces.createWorkspace('acme', performance.now() + 5_000);
  const ada = story.person('ada', 'Ada Lovelace');
  const grace = story.person('grace', 'Grace Hopper');
  void grace;

  story.page('1-set-up', 'Monday: Ada sets up the team');
  const first = await story.told(() => story.command(ada, ''));
  const form = await story.view(() => story.press(ada, 'Set up a standup here', first.blocks));
  const made = await story.handIn(ada, form, {'Name of the team': 'Platform', 'Time zone': 'Europe/Berlin'});
  expect(made.status).toBe(200);

  story.page('2-day', 'Monday: the first update');
  await story.command(ada, 'Importer: see https://example.com/pr/1 :rocket:');
  await story.wait('the channel shows it', async () => (await story.channelMessages()).length >= 2);
  await story.showChannel();
  expect(story.slack.limitFaults).toEqual([]);
}, 120_000);
