import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import type {Absence} from '../../src/domain/absences/absence.js';
import {addDays} from '../../src/domain/core/dates.js';
import {calls} from '../support/slack-form.js';
import {otherChannel, type BotReply, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  // Slack returns a profile once, perhaps too late for the first answer. The next command then uses it.
  await until(async () => said(await slack.command('back')).text.startsWith('You’re not away'), {
    what: 'Slack has said who the person is',
  });
});
afterAll(() => slack.close());
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
  for (const {id} of await absences()) await slack.core.services.absences.deleteAbsence(slack.operator(), id);
});

interface AwayMessage {
  readonly text: string;
  readonly blocks: {readonly elements?: {readonly action_id?: string; readonly value?: string}[]}[];
}

async function absences(): Promise<Absence[]> {
  const {rows} = await slack.core.services.absences.listAbsences(slack.operator(), {limit: 100});
  return rows.map((row) => JSON.parse(row) as Absence);
}

const said = ({body}: BotReply) => body as AwayMessage;
const today = () => new Date().toISOString().slice(0, 10);

async function undo(message: AwayMessage): Promise<Record<string, unknown>> {
  const [button] = message.blocks.flatMap(({elements = []}) => elements).filter(({value}) => value);
  const before = slack.slack.of('respond').length;
  await slack.action({action_id: button!.action_id!, value: button!.value!});
  return (await calls(slack, 'respond', before + 1))[before]!.body;
}

test('“ooo until” a day enters an absence, shows the days as they were understood, and can be undone', async () => {
  const last = addDays(today(), 9);
  const message = said(await slack.command(`ooo until ${last} <!channel> &amp; sea`));
  expect(message).toMatchObject({response_type: 'ephemeral'});
  expect(message.text).toMatch(/^You’re away today until .*day /);
  expect(message.text).toContain('@channel &amp; sea');
  const [absence] = await absences();
  expect(absence).toMatchObject({kind: 'away', from: today(), until: last, reason: '@channel & sea'});
  expect(await undo(message)).toMatchObject({replace_original: true, text: expect.stringMatching(/^Undone/)});
  expect(await absences()).toEqual([]);
  // The second press finds the absence gone, and gets the same answer.
  expect(await undo(message)).toMatchObject({text: expect.stringMatching(/^Undone/)});
});

test('regression: “until” and a weekday, typed on that weekday, means a week, and the answer shows the last date', async () => {
  const name = new Date().toLocaleDateString('en', {weekday: 'long', timeZone: 'UTC'});
  const last = addDays(today(), 7);
  const message = said(await slack.command(`ooo until ${name}`));
  const date = new RegExp(`^You’re away today until ${name},? .*\\b${Number(last.slice(8))}\\b`);
  expect(message.text.replaceAll(/[\u2068\u2069]/g, '')).toMatch(date);
  expect(await absences()).toMatchObject([{from: today(), until: last}]);
});

test('“ooo” alone means today, and days that the bot does not understand are answered with examples and the typed text', async () => {
  await slack.command('ooo');
  expect(await absences()).toMatchObject([{from: today(), until: today(), reason: null}]);
  const message = said(await slack.command('ooo until whenever'));
  expect(message.text).toMatch(/^Not saved.*ooo until Friday.*until whenever/s);
  const before = said(await slack.command('ooo until 2020-01-01'));
  expect(before.text).toContain('before the first');
  const long = said(await slack.command(`ooo dentist ${'x'.repeat(201)}`));
  expect(long.text).toContain('The reason');
  expect(await absences()).toHaveLength(1);
});

test('a command that Slack sends twice enters one absence', async () => {
  const trigger = await slack.trigger();
  await slack.command('ooo flu', {trigger});
  await slack.command('ooo flu', {trigger});
  expect(await absences()).toMatchObject([{reason: 'flu'}]);
});

test('“skip” enters an absence for today, shows the reason, and enters it only once', async () => {
  const message = said(await slack.command('skip dentist'));
  expect(message.text).toMatch(/^Skipping today\..*dentist/);
  await slack.command('skip', {channel: otherChannel});
  expect(await absences()).toMatchObject([
    {kind: 'skip', from: today(), until: today(), reason: 'dentist', team: null},
  ]);
  await undo(message);
  expect(await absences()).toEqual([]);
});

test('“back” ends the absences of today and no others', async () => {
  const first = addDays(today(), -3);
  await slack.command(`ooo ${first} to ${addDays(today(), 5)}`);
  await slack.command('ooo');
  await slack.command('ooo tomorrow');
  expect(said(await slack.command('back')).text).toMatch(/^Welcome back/);
  expect(await absences()).toMatchObject([
    {from: addDays(today(), 1)},
    {from: first, until: addDays(today(), -1)},
  ]);
  expect(said(await slack.command('back')).text).toBe('You’re not away today.');
});
