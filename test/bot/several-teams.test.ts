import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {NewQuestion} from '../../src/domain/question.js';
import {block, calls, filled, inputsOf, openedBy, type View, viewOf} from '../support/slack-form.js';
import {otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
const teams: Record<string, string> = {};
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('to be a member');
  const member = (await slack.standups())[0]?.author.id ?? '';
  teams['platform'] = slack.team;
  for (const [slug, name] of [
    ['mobile', 'Mobile'],
    ['research', 'Research'],
  ] as const) {
    const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {slug, name});
    await slack.core.services.people.joinTeam(slack.operator(), {id, slug}, member);
    teams[slug] = id;
  }
});
afterAll(() => slack.close());
beforeEach(async () => {
  await ask('mobile', [
    {key: 'today', label: 'What is next?', type: 'text', required: true},
    {key: 'mood', label: 'Mood', type: 'mood'},
  ]);
  await ask('research', []);
});
afterEach(() => {
  expect(slack.slack.limitFaults).toEqual([]);
  slack.slack.clear();
});

const ask = (team: string, questions: NewQuestion[]) =>
  slack.core.services.teams.changeTeam(slack.operator(), team, {questions});

const open = () => openedBy(slack, {mode: 'new'}, otherChannel);

/** What the form becomes when a team is picked in it; `texts`: typed before. */
async function pick(view: View, team: string, texts: Record<string, string> = {}): Promise<View> {
  const before = slack.slack.of('views.update').length;
  const whole = {...filled(view, 'V_PICK', texts, teams[team]), type: 'modal', hash: 'h1'};
  await slack.action(
    {action_id: 'choose-team', type: 'static_select'},
    {view: whole, channel: undefined, response_url: undefined},
  );
  const update = (await calls(slack, 'views.update', before + 1))[before];
  expect(update?.body).toMatchObject({view_id: 'V_PICK', hash: 'h1'});
  return viewOf(update);
}

const keyOf = (id: string) => /^question:\w+?:(\w+):\d+/.exec(id)?.[1] ?? id;
/** Texts that stand in the form, by key or block. */
const texts = (view: View) =>
  Object.fromEntries(Object.entries(inputsOf(view)).map(([id, text]) => [keyOf(id).split('.')[0], text]));
const idOf = (view: View, key: string) =>
  Object.keys(inputsOf(view)).find((id) => keyOf(id).split('.')[0] === key) ?? '';

describe('another team picked in the form', () => {
  test('brings its questions, with what was typed, and keeps what they do not ask for', async () => {
    const first = await open();
    expect(block(first, 'team')).toMatchObject({dispatch_action: true});
    const view = await pick(first, 'mobile', {today: 'Ship <it>', blockers: 'A key'});
    expect(block(view, 'team')?.element).toMatchObject({initial_option: {value: teams['mobile']}});
    expect(texts(view)).toEqual({today: 'Ship <it>', update: 'Blockers\nA key'});
    expect(JSON.stringify(view.blocks)).toContain('Mood');
  });

  test('and back again has all texts where they were', async () => {
    const asked = await pick(await open(), 'mobile', {today: 'Ship it', yesterday: 'Read'});
    const view = await pick(asked, 'platform', {[idOf(asked, 'today')]: 'Ship it now'});
    expect(texts(view)).toMatchObject({today: expect.stringMatching(/^Ship it now\nYesterday\nRead$/)});
  });

  test('with the standard form too leaves what was typed as it is', async () => {
    const view = await pick(await open(), 'research', {yesterday: 'Read', today: 'Write'});
    expect(inputsOf(view)).toEqual({yesterday: 'Read', today: 'Write', blockers: ''});
  });

  test('is posted for with its answers, and faults stand at its questions', async () => {
    const view = await pick(await open(), 'mobile', {today: ''});
    const empty = await slack.submit(filled(view, 'V_ASKED', {}, teams['mobile']));
    expect(empty.body).toMatchObject({
      response_action: 'errors',
      errors: {[idOf(view, 'today')]: 'This needs an answer.'},
    });
    const given = {[idOf(view, 'today')]: 'Tests'};
    expect(await slack.submit(filled(view, 'V_ASKED', given, teams['mobile']))).toMatchObject({text: ''});
    expect((await slack.standups())[0]).toMatchObject({
      team: 'mobile',
      answers: [{question: 'today', value: 'Tests'}],
    });
  });

  test('counts even where its questions are not shown yet', async () => {
    const view = await pick(await open(), 'mobile', {today: 'Of the old team'});
    const reply = await slack.submit(filled(view, 'V_LATE', {}, teams['research']));
    expect(reply).toMatchObject({status: 200, text: ''});
    const [standup] = await slack.standups();
    expect(standup).toMatchObject({team: 'research', answers: []});
    expect(standup?.update).toContain('Of the old team');
  });

  test('that they are in no more leaves the form, and says so', async () => {
    const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {
      slug: 'foreign',
      name: 'Foreign',
    });
    const view = {...filled(await open(), 'V_GONE', {}, id), type: 'modal'};
    await slack.action({action_id: 'choose-team', type: 'static_select'}, {view});
    const [told] = await calls(slack, 'respond');
    expect(told?.body['text']).toContain('not there any more');
    expect(slack.slack.of('views.update')).toEqual([]);
  });
});
