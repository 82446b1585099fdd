import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {until} from '../support/until.js';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {askedTypist, createTypist, elementsOf, postedBy, type Typist} from './typing-scene.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitViolations).toEqual([]);
  scene.slack.slack.clear();
});

const texts = async (ada: Typist) => (await ada.said()).map(({text}) => text);
const updates = async (ada: Typist) => (await postedBy(scene, ada)).map(({update}) => update);

type CallSlack = (...given: unknown[]) => Promise<unknown>;

/** Runs `meanwhile` while a standup is being posted. */
async function whilePosting(act: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  const standups = scene.slack.core.services.standups as unknown as Record<
    'postStandup' | 'postFromChannel',
    CallSlack
  >;
  const {postStandup, postFromChannel} = standups;
  let begun = false;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const held =
    (post: CallSlack): CallSlack =>
    async (...given) => {
      begun = true;
      await gate;
      return post(...given);
    };
  Object.assign(standups, {postStandup: held(postStandup), postFromChannel: held(postFromChannel)});
  try {
    const acting = act();
    await until(() => begun, {what: 'a standup is being posted'});
    Object.assign(standups, {postStandup, postFromChannel});
    await meanwhile();
    release();
    await acting;
  } finally {
    Object.assign(standups, {postStandup, postFromChannel});
    release();
  }
}

async function answered(): Promise<Typist & {first: string; runs: Id[]}> {
  const ada = await askedTypist(scene);
  const {ts: first} = await ada.type('Fix t');
  await ada.type('Wrote tests');
  await ada.type('skip');
  return {...ada, first};
}

describe('while a standup is being posted', () => {
  test('regression: an edit of the typed text changes the posted standup', async () => {
    const ada = await answered();
    await whilePosting(
      () => ada.type('post'),
      () => ada.edit(ada.first, 'Fix it', 'Fix t'),
    );
    expect(await updates(ada)).toEqual(['Yesterday\nWrote tests\n\nToday\nFix it']);
  });

  test('regression: other typed text is offered, not dropped', async () => {
    const ada = await answered();
    await whilePosting(
      () => ada.type('post'),
      () => ada.type('And a demo at three'),
    );
    expect(await updates(ada)).toEqual(['Yesterday\nWrote tests\n\nToday\nFix t']);
    expect((await texts(ada)).join('\n')).toContain('And a demo at three');
  });

  test('regression: an author who deletes a typed message then reads that the posted standup remains', async () => {
    const ada = await answered();
    await whilePosting(
      () => ada.type('post'),
      () => ada.remove(ada.first),
    );
    expect((await ada.last()).text).toMatch(/^Your posted standup stays/);
  });

  test('regression: an edit of an offered text changes the posted standup', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    const {ts} = await grace.type('Shipped t');
    await whilePosting(
      () => grace.press('Post'),
      () => grace.edit(ts, 'Shipped it', 'Shipped t'),
    );
    await until(async () => (await updates(grace)).includes('Shipped it'), {what: 'the edit'});
    expect(await updates(grace)).toHaveLength(1);
  });
});

test('regression: text typed after “post” and before its answer is neither posted with it nor dropped', async () => {
  const ada = await askedTypist(scene);
  await ada.type('Fix it');
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  scene.slack.slack.fail('chat.postMessage', {kind: 'slow', until: gate});
  const before = scene.slack.slack.of('chat.postMessage').length;
  const first = ada.type('later');
  await until(() => scene.slack.slack.of('chat.postMessage').length > before);
  await ada.type('post');
  await ada.type('Lunch is at noon');
  release();
  await first;
  expect(await updates(ada)).toEqual(['Today\nFix it']);
  await until(async () => (await texts(ada)).join('\n').includes('Lunch is at noon'));
});

describe('typing events that arrive out of order', () => {
  test('regression: may be an edit before its message, and the edited text counts', async () => {
    const ada = await askedTypist(scene);
    const ts = ada.nextTs();
    await ada.edit(ts, 'Fix it', 'Fix t');
    await ada.send({type: 'message', user: ada.person.user, text: 'Fix t', ts});
    await ada.type('post');
    expect(await updates(ada)).toEqual(['Today\nFix it']);
  });

  test('regression: may be a deletion before its message, which then counts as no answer', async () => {
    const ada = await askedTypist(scene);
    const ts = ada.nextTs();
    await ada.remove(ts);
    await ada.send({type: 'message', user: ada.person.user, text: 'secret', ts});
    await ada.type('Fix it');
    await ada.type('post');
    expect(await updates(ada)).toEqual(['Today\nFix it']);
  });

  test.each(['posted', 'offered'])(
    'regression: may be two edits of a message that is %s, and the later edit counts',
    async (kind) => {
      const ada =
        kind === 'posted' ? await askedTypist(scene) : await createTypist(scene, await scene.addPerson());
      const {ts} = await ada.type('one');
      if (kind === 'posted') await ada.type('post');
      const [early, late] = [ada.nextTs(), ada.nextTs()];
      const edit = (text: string, at: string) =>
        ada.send({
          subtype: 'message_changed',
          hidden: true,
          ts: at,
          message: {
            type: 'message',
            user: ada.person.user,
            text,
            ts,
            edited: {user: ada.person.user, ts: at},
          },
          previous_message: {type: 'message', user: ada.person.user, text: '', ts},
        });
      await edit('three', late);
      await edit('two', early);
      if (kind !== 'posted') await ada.press('Post');
      expect(await updates(ada)).toEqual([kind === 'posted' ? 'Today\nthree' : 'three']);
    },
  );
});

test('regression: the author of a deleted message sees the standup that it was posted in', async () => {
  const ada = await askedTypist(scene);
  const {ts} = await ada.type('Fix it');
  await ada.type('post');
  await ada.type('Another one');
  await ada.press('Post');
  await ada.remove(ts);
  const [first] = (await postedBy(scene, ada)).filter(({update}) => update.includes('Fix it'));
  expect(JSON.stringify((await ada.last()).blocks)).toContain(first!.id);
});

test('regression: a message typed after the run has closed is offered as an update, and the draft is returned unposted', async () => {
  const ada = await answered();
  const {teams} = scene.slack.core.services;
  const late = (accept: 'never' | 'always') =>
    teams.changeTeam(scene.slack.operator(), scene.slack.team, {late_policy: {accept}});
  await late('never');
  await scene.clock.advance(61 * minute);
  await scene.endRun(asId(ada.runs[0] ?? ''), 'closed');
  await ada.type('Only now I am back');
  await late('always');
  const all = (await texts(ada)).join('\n');
  expect(all).toContain('has closed, so this was not posted');
  expect(all).toContain('Only now I am back');
  expect(await updates(ada)).toEqual([]);
});

test('a draft of two teams, one of which is deleted before Post, says so and is posted for the other', async () => {
  const other = await scene.addTeam('Data');
  const ada = await askedTypist(scene, {teams: [scene.slack.team, other]});
  await ada.type('Fix it');
  await scene.slack.core.services.teams.deleteTeam(scene.slack.operator(), other, {force: true});
  await ada.type('post');
  expect((await postedBy(scene, ada)).map(({team_id}) => team_id)).toEqual([scene.slack.team]);
  expect((await ada.last()).text).toMatch(/was deleted.*\n✅ Posted in <#C000000001>/s);
});

test('regression: a member who presses Post while Slack accepts no message is notified, and a second press posts nothing more', async () => {
  const ada = await answered();
  const {slack} = scene.slack;
  slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
  slack.fail('chat.update', {kind: 'limited', seconds: 1});
  const summary = await ada.last();
  const button = elementsOf(summary.blocks).find(({text}) => text?.text === 'Post');
  const press = () =>
    scene.slack.action(
      {action_id: button.action_id, value: button.value, action_ts: ada.nextTs()} as {action_id: string},
      {message: {ts: summary.ts}},
      {user: {id: ada.person.user, name: 'ada'}, channel: ada.channel},
    );
  expect((await press()).status).toBe(200);
  await until(() => slack.calls.some(({body}) => String(body['text']).startsWith('I got your click')), {
    what: 'a private answer',
  });
  slack.clear();
  await press();
  await until(async () => JSON.stringify((await ada.last()).text).includes('✅ Posted in <#C000000001>'));
  expect(await postedBy(scene, ada)).toHaveLength(1);
});

test('regression: a member whose message is stored, but not answered on its last delivery, is not asked to type it again', async () => {
  const ada = await askedTypist(scene);
  const ts = ada.nextTs();
  const {channel, person} = ada;
  const event = {type: 'message', channel, channel_type: 'im', user: person.user, text: 'Fix it', ts};
  scene.slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
  const reply = await scene.slack.event(event, {}, {retry: 3});
  expect(reply.status).toBe(200);
  expect((await ada.last()).text).toMatch(/^Your message is saved/);
  await ada.type('help');
  expect((await ada.last()).text).toContain('What did you do yesterday?');
});
