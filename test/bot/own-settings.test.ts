import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {admin, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

// oxlint-disable-next-line typescript/no-explicit-any -- views of many shapes
type Shape = any;

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('I am here');
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

async function open(): Promise<Shape> {
  await slack.command('settings', {trigger: await slack.trigger()});
  const call = await until(() => slack.slack.of('views.open').find(({reply}) => reply !== undefined), {
    what: 'the form',
  });
  const {view} = call.body as {view: Shape};
  const shown =
    view.callback_id === undefined
      ? (await until(() => slack.slack.of('views.update')[0], {what: 'the form is filled'})).body['view']
      : view;
  return {...shown, id: (call.reply as Shape).view.id};
}

const elementOf = (view: Shape, id: string) =>
  view.blocks.find((block: Shape) => block.block_id === id)?.element;

interface SettingsFields {
  readonly reminded?: boolean;
  readonly at?: string;
  readonly quiet?: readonly [string | null, string | null];
  readonly zone?: string;
  readonly status?: string;
}

async function handIn(view: Shape, {reminded = true, quiet = [null, null], ...typed}: SettingsFields) {
  const time = (selected_time: string | null) => ({value: {type: 'timepicker', selected_time}});
  const values = {
    reminded: {value: {type: 'checkboxes', selected_options: reminded ? [{value: 'on'}] : []}},
    'prompt-at': {value: {type: 'static_select', selected_option: {value: typed.at ?? 'team'}}},
    'slack-status': {
      value: {type: 'static_select', selected_option: {value: typed.status ?? 'ask'}},
    },
    'quiet-from': time(quiet[0]),
    'quiet-until': time(quiet[1]),
    zone: {value: {type: 'external_select', selected_option: typed.zone ? {value: typed.zone} : null}},
  };
  return slack.submit({...view, state: {values}, hash: 'h'});
}

const self = async () => (await slack.core.services.people.findSlackMember(slack.operator(), admin.id))!;

describe('/standup settings', () => {
  test('opens the member’s own settings and saves them: reminders, quiet hours and time zone, and leaves their holidays alone', async () => {
    const holidays = {country: 'DE', region: 'BY'};
    await slack.core.services.members.changeMember(slack.operator(), (await self()).id, {holidays});
    const view = await open();
    expect(elementOf(view, 'reminded').initial_options).toHaveLength(1);
    expect(elementOf(view, 'quiet-from').initial_time).toBeUndefined();
    expect(view.blocks.find((block: Shape) => block.block_id === 'prompt-at').optional).toBe(false);
    const choice = {
      reminded: false,
      quiet: ['18:00', '08:30'],
      zone: 'Europe/Berlin',
    } as const;
    const {body} = await handIn(view, choice);
    expect(JSON.stringify(body.view.blocks)).toContain('Saved.');
    expect(await self()).toMatchObject({
      timezone: 'Europe/Berlin',
      reminders: {enabled: false, quiet_from: '18:00', quiet_until: '08:30'},
      holidays: {country: 'DE', region: 'BY', calendar: null},
    });
    slack.slack.clear();
    const again = await open();
    expect(elementOf(again, 'reminded').initial_options).toBeUndefined();
    expect(elementOf(again, 'quiet-until').initial_time).toBe('08:30');
    await handIn(again, {});
    expect(await self()).toMatchObject({
      timezone: 'Europe/Berlin',
      reminders: {enabled: true, quiet_from: null, quiet_until: null},
      holidays,
    });
  });

  test.each<[string, SettingsFields, string, RegExp]>([
    ['one quiet time without the other', {quiet: ['18:00', null]}, 'quiet-until', /both times/],
    [
      'quiet hours that end where they begin',
      {quiet: ['18:00', '18:00']},
      'quiet-until',
      /differs from the start/,
    ],
  ])('refuses %s under its field, and saves nothing', async (_, fields, field, sentence) => {
    const before = await self();
    const {body} = await handIn(await open(), fields);
    expect(body.errors).toEqual({[field]: expect.stringMatching(sentence)});
    expect(await self()).toEqual(before);
  });

  test('includes when the member is reminded, which each team decides until the member does', async () => {
    const chosen = (view: Shape) => elementOf(view, 'prompt-at').initial_option.value;
    const first = await open();
    expect(chosen(first)).toBe('team');
    await handIn(first, {at: 'both'});
    expect((await self()).reminders.prompt_at).toBe('both');
    slack.slack.clear();
    const second = await open();
    expect(chosen(second)).toBe('both');
    await handIn(second, {at: 'team'});
    expect((await self()).reminders.prompt_at).toBeNull();
  });
});
