// Texts after /standup that are no update: the bot acts or asks, and nothing reaches the team unasked.
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {calls} from '../support/slack-form.js';
import {admin, type BotReply, type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

type Message = Record<string, unknown>;

interface Button {
  readonly action_id: string;
  readonly value: string;
  readonly text: {readonly text: string};
}

const said = ({body}: BotReply) => body as Message;

const buttonsOf = (message: Message): Button[] =>
  ((message['blocks'] ?? []) as {elements?: Button[]; type: string}[]).flatMap(({type, elements = []}) =>
    type === 'actions' ? elements : [],
  );

const labels = (message: Message) => buttonsOf(message).map(({text}) => text.text);

function button(message: Message, label: string): Button {
  const found = buttonsOf(message).find(({text}) => text.text === label);
  if (found === undefined) throw new Error(`no button "${label}" in ${JSON.stringify(message)}`);
  return found;
}

async function press({action_id, value}: Button, user = admin): Promise<Message> {
  const before = slack.slack.of('respond').length;
  expect((await slack.action({action_id, value}, {}, {user})).status).toBe(200);
  return (await calls(slack, 'respond', before + 1))[before]!.body;
}

let people = 0;
const newPerson = () => ({id: `U0WORDS${++people}`, name: `words${people}`});
const all = () => slack.standups();
const texts = async () => (await all()).map(({update}) => update);

async function absences(): Promise<object[]> {
  const {rows} = await slack.core.services.absences.listAbsences(slack.operator(), {limit: 100});
  return rows.map((row) => JSON.parse(row) as object);
}

test('regression: a text that sounds like a command is not published', async () => {
  const words = 'undo delete list status report who team stats config reminders away pto vacation'.split(' ');
  const phrases = [...words, 'help me please', 'edit my update', 'out until friday', 'thanks', 'show today'];
  const before = await texts();
  for (const phrase of phrases) await slack.command(phrase, {trigger: await slack.trigger()});
  expect(await texts()).toEqual(before);
});

describe('a text that is asked about', () => {
  test('is shown as it was typed, and can be posted as it is, once', async () => {
    const user = newPerson();
    const answer = said(await slack.command('show <my> status', {user}));
    expect(answer['text']).toBe('Not posted yet. Did you mean /standup today? show &lt;my&gt; status');
    expect(labels(answer)).toEqual(['Run it', 'Post “show <my> status” as my update']);
    const post = button(answer, 'Post “show <my> status” as my update');
    await press(post, user);
    await press(post, user);
    expect((await texts()).filter((text) => text === 'show <my> status')).toHaveLength(1);
  });

  test('runs as the command with its arguments, only once however often the button is pressed', async () => {
    const user = newPerson();
    await slack.command('to be a member', {user});
    const before = (await absences()).length;
    const run = button(said(await slack.command("I'm off tomorrow", {user})), 'Run it');
    expect((await press(run, user))['text']).toMatch(/^You’re away tomorrow/);
    await press(run, user);
    expect(await absences()).toHaveLength(before + 1);
  });

  test('can be posted with or without its first word', async () => {
    const user = newPerson();
    const answer = said(await slack.command('post Fixed the importer', {user}));
    expect(labels(answer)).toEqual(['Post “Fixed the importer”', 'Post “post Fixed the importer”']);
    const [without, whole] = buttonsOf(answer);
    await press(without!, user);
    await press(whole!, user);
    expect(await texts()).toContain('Fixed the importer');
    expect(await texts()).not.toContain('post Fixed the importer');
  });

  test('regression: two words that describe no work are posted only after a question, and once', async () => {
    const user = newPerson();
    for (const text of ['dashboard', 'same', 'not now', 'export csv', 'krank'])
      expect(said(await slack.command(text, {user}))['text']).toBe(
        `Not posted yet. Did you mean to post “${text}”?`,
      );
    const answer = said(await slack.command('snooze 1h', {user}));
    expect(answer['text']).toBe('Not posted yet. Did you mean to post “snooze 1h”?');
    expect(labels(answer)).toEqual(['Post it', 'See what I can do']);
    expect(await texts()).not.toContain('snooze 1h');
    expect((await press(button(answer, 'See what I can do'), user))['text']).toContain('/standup today');
    const post = button(answer, 'Post it');
    await press(post, user);
    await press(post, user);
    expect((await texts()).filter((text) => text === 'snooze 1h')).toHaveLength(1);
  });

  test('regression: a longer first update, a ticket and a verb of work are posted at once', async () => {
    const user = newPerson();
    for (const text of ['hello world this is my first update', 'ABC-123', '#42', 'fixed login'])
      expect(said(await slack.command(text, {user}))['text']).toMatch(/^✅ Posted/);
  });

  test('opens the form if the person meant that', async () => {
    const run = button(said(await slack.command('new update')), 'Run it');
    await slack.action({action_id: run.action_id, value: run.value});
    expect(await calls(slack, 'views.open')).toHaveLength(1);
  });

  test('an update after “post:” is posted without that prefix', async () => {
    await slack.command('post: the release\nis out', {user: newPerson()});
    expect(await texts()).toContain('the release\nis out');
  });
});

describe('undo and delete', () => {
  test('undo right after posting removes the standup, and returns its text with a button to post it again', async () => {
    const user = newPerson();
    await slack.command('post: too early', {user});
    const answer = said(await slack.command('undo', {user}));
    expect(answer['text']).toBe('Undone. Your text: too early');
    expect(labels(answer)).toEqual(['Post it again']);
    expect(await texts()).not.toContain('too early');
  });

  test('undo that Slack repeats removes nothing more', async () => {
    const user = newPerson();
    await slack.command('the first of two', {user});
    await slack.command('the second of two', {user});
    const trigger = await slack.trigger();
    const now = Math.floor(Date.now() / 1_000);
    for (const timestamp of [now, now - 1]) await slack.command('undo', {user, trigger, timestamp});
    expect(await texts()).toContain('the first of two');
    expect(await texts()).not.toContain('the second of two');
  });

  test('delete shows the latest standup of today and asks, and cancelling changes nothing', async () => {
    const user = newPerson();
    await slack.command('post: perhaps not', {user});
    const answer = said(await slack.command('delete', {user}));
    expect(answer['text']).toMatch(/^This is your latest update for Platform, .*Delete it\? perhaps not$/);
    expect(labels(answer)).toEqual(['Delete it', 'Keep it']);
    expect(await press(button(answer, 'Keep it'), user)).toMatchObject({
      replace_original: true,
      text: 'Nothing was deleted.',
    });
    expect(await texts()).toContain('perhaps not');
    expect((await press(button(answer, 'Delete it'), user))['text']).toContain('Your text: perhaps not');
    expect(await texts()).not.toContain('perhaps not');
  });

  test('undo of a standup that has been edited since asks first', async () => {
    const user = newPerson();
    await slack.command('as it was', {user});
    const mine = (await all())[0]!;
    const call = {...slack.operator(), principal: mine.author};
    await slack.core.services.standups.editStandup(call, mine.id, {update: 'as it is'});
    expect(labels(said(await slack.command('undo', {user})))).toEqual(['Delete it', 'Keep it']);
  });

  test('undo and delete find nothing without a standup of today, and make no member of a new person', async () => {
    const user = newPerson();
    expect(said(await slack.command('undo', {user}))['text']).toContain('nothing to delete');
    const {people: service} = slack.core.services;
    expect(await service.findSlackMember(slack.operator(), user.id)).toBeUndefined();
  });
});

describe('history', () => {
  test('shows only the member’s own updates, newest first, ten at a time, with the buttons Edit and Earlier', async () => {
    const user = newPerson();
    await slack.command('post: somebody else’s', {user: newPerson()});
    for (let i = 1; i <= 12; i++) await slack.command(`update number ${i} <!channel>`, {user});
    const answer = said(await slack.command('history', {user}));
    const lines = String(answer['text']).split('\n');
    expect(answer['response_type']).toBe('ephemeral');
    expect(lines[0]).toBe('Your updates');
    expect(lines[1]).toMatch(/^\w+ \d+ \w+ · Platform: update number 12 @channel$/);
    expect(lines).toHaveLength(11);
    expect(answer['text']).not.toContain('else’s');
    const [edit] = buttonsOf(answer);
    expect(edit?.text.text).toBe('Edit');
    await slack.action({action_id: edit!.action_id, value: edit!.value}, {}, {user});
    const [open] = await calls(slack, 'views.open');
    expect(JSON.stringify(open?.body['view'])).toContain('update number 12');
    const earlier = await press(button(answer, 'Earlier'), user);
    expect(earlier).toMatchObject({
      replace_original: false,
      text: expect.stringContaining('update number 2 '),
    });
    expect(labels(earlier)).toEqual(['Edit', 'Edit']);
  });

  test('fits long updates in any script into one message', async () => {
    const user = newPerson();
    for (let i = 0; i < 10; i++) await slack.command(`${i}${'漢"\n'.repeat(1_000)}`, {user});
    const answer = said(await slack.command('history', {user}));
    expect(Buffer.byteLength(JSON.stringify(answer['blocks']))).toBeLessThan(12_000);
  });

  test('regression: shows formatted text with its formatting', async () => {
    const user = newPerson();
    await slack.command('the *importer* https://example.com/pr/7 :tada:', {user});
    const {blocks} = said(await slack.command('history', {user}));
    expect(JSON.stringify(blocks)).toContain(
      JSON.stringify({type: 'text', text: 'importer', style: {bold: true}}),
    );
    expect(JSON.stringify(blocks)).toContain(JSON.stringify({type: 'emoji', name: 'tada'}));
  });

  test('regression: fits updates with many emoji into one message', async () => {
    const user = newPerson();
    for (let i = 0; i < 10; i++) await slack.command(`${i} ${':a: *b* '.repeat(100)}`, {user});
    const answer = said(await slack.command('history', {user}));
    expect(Buffer.byteLength(JSON.stringify(answer['blocks']))).toBeLessThan(12_000);
  });

  test('links to each standup in Slack', async () => {
    const user = newPerson();
    await slack.command('to be linked', {user});
    await slack.work();
    const {blocks} = said(await slack.command('history', {user}));
    expect(JSON.stringify(blocks)).toMatch(/"type":"link","url":"https?:[^"]+","text":"Open in Slack"/);
  });

  test('says so when there is no update', async () => {
    expect(said(await slack.command('history', {user: newPerson()}))['text']).toBe('You haven’t posted yet.');
  });

  test('opens from the Home tab as well, and continues there', async () => {
    const user = newPerson();
    for (let i = 1; i <= 11; i++) await slack.command(`post: home ${i}`, {user});
    await slack.action({action_id: 'home-history'}, {channel: undefined, response_url: undefined}, {user});
    const [open] = await calls(slack, 'views.open');
    const view = open?.body['view'] as Message;
    expect(JSON.stringify(view)).toContain('home 11');
    const within = {...view, id: 'V_HISTORY', hash: 'h', type: 'modal'};
    await slack.action(
      button(view, 'Earlier'),
      {view: within, channel: undefined, response_url: undefined},
      {user},
    );
    const [update] = await calls(slack, 'views.update');
    expect(JSON.stringify(update?.body['view'])).toContain('home 1');
  });
});

describe('regression: a mistyped day', () => {
  test.each([
    ['ooo tomorow', 'Yes: tomorrow', /^You’re away tomorrow/],
    ['ooo untill firday', 'Yes: until friday', /^You’re away today/],
    ['ooo nxt week', 'Yes: next week', /^You’re away /],
    ['ooo 31 feb', 'Yes: 28 feb', /^You’re away /],
    ['vacation tomorow', 'Yes: vacation tomorrow', /^You’re away tomorrow.*vacation$/],
  ])('is asked about, with the likely meaning, when “%s” is typed', async (typed, label, outcome) => {
    const user = newPerson();
    await slack.command('to be a member', {user});
    const before = (await absences()).length;
    const answer = said(await slack.command(typed, {user}));
    expect(answer['text']).toMatch(/^Not saved\. Did you mean: [^?]+\? \S/);
    expect(answer['text']).not.toContain('I do not understand');
    expect(await absences()).toHaveLength(before);
    expect((await press(button(answer, label), user))['text']).toMatch(outcome);
    expect(await absences()).toHaveLength(before + 1);
  });

  test('a mistyped day can be confirmed as the reason of an absence after all', async () => {
    const user = newPerson();
    const answer = said(await slack.command('ooo tomorow', {user}));
    expect((await press(button(answer, 'Today, because: tomorow'), user))['text']).toMatch(
      /^You’re away today.*tomorow$/,
    );
  });

  test('“skip tomorrow” does not skip today', async () => {
    const user = newPerson();
    const answer = said(await slack.command('skip tomorrow', {user}));
    expect(answer['text']).toContain('/standup ooo tomorrow');
    expect((await press(button(answer, 'Run it'), user))['text']).toMatch(/^You’re away tomorrow/);
  });
});
