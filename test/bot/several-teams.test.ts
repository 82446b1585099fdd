import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {NewQuestion} from '../../src/domain/questions/question.js';
import {
  findBlock,
  calls,
  fillForm,
  initialTextsByBlock,
  openFormByButton,
  type View,
  viewOf,
} from '../support/slack-form.js';
import {otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {limits} from '../../src/domain/core/limits.js';
import {asId} from '../support/ids.js';
import type {Id} from '../../src/domain/core/ids.js';

let slack: SlackHarness;
const teams: Record<string, string> = {};
let member: Id<'member'>;
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('to be a member');
  member = asId((await slack.standups())[0]?.author.id ?? '');
  teams['platform'] = slack.team;
  for (const [slug, name] of [
    ['mobile', 'Mobile'],
    ['research', 'Research'],
  ] as const) {
    const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {slug, name});
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
  for (const slug of ['mobile', 'research'])
    await slack.core.services.people.joinTeam(slack.operator(), {id: asId(teams[slug] ?? ''), slug}, member);
});
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const ask = (team: string, questions: NewQuestion[]) =>
  slack.core.services.teams.changeTeam(slack.operator(), team, {questions});

const open = () => openFormByButton(slack, {mode: 'new'}, otherChannel);

/** Picks a team in the form and returns the updated form; `texts`: typed before. */
async function pick(view: View, team: string, texts: Record<string, string> = {}): Promise<View> {
  const before = slack.slack.of('views.update').length;
  const whole = {...fillForm(view, 'V_PICK', texts, teams[team]), type: 'modal', hash: 'h1'};
  await slack.action(
    {action_id: 'choose-team', type: 'static_select'},
    {view: whole, channel: undefined, response_url: undefined},
  );
  const update = (await calls(slack, 'views.update', before + 1))[before];
  expect(update?.body).toMatchObject({view_id: 'V_PICK', hash: 'h1'});
  return viewOf(update);
}

const keyOf = (id: string) => /^question:\w+?:(\w+):\d+/.exec(id)?.[1] ?? id;
/** Texts in the form, by key or block. */
const texts = (view: View) =>
  Object.fromEntries(
    Object.entries(initialTextsByBlock(view)).map(([id, text]) => [keyOf(id).split('.')[0], text]),
  );
const idOf = (view: View, key: string) =>
  Object.keys(initialTextsByBlock(view)).find((id) => keyOf(id).split('.')[0] === key) ?? '';

describe('another team chosen in the form', () => {
  test('shows its own questions with what was typed, and retains text that they do not ask for', async () => {
    const first = await open();
    expect(findBlock(first, 'team')).toMatchObject({dispatch_action: true});
    const view = await pick(first, 'mobile', {today: 'Ship <it>', blockers: 'A key'});
    expect(findBlock(view, 'team')?.element).toMatchObject({initial_option: {value: teams['mobile']}});
    expect(texts(view)).toEqual({today: 'Ship <it>', update: 'Blockers\nA key'});
    // Slack keeps the text of a block with the same id, even for another team.
    expect(idOf(view, 'today')).toMatch(new RegExp(`\\.${teams['mobile']}$`));
    expect(JSON.stringify(view.blocks)).toContain('Mood');
  });

  test('shows every text where it was when the first team is chosen again', async () => {
    const asked = await pick(await open(), 'mobile', {today: 'Ship it', yesterday: 'Read'});
    const view = await pick(asked, 'platform', {[idOf(asked, 'today')]: 'Ship it now'});
    expect(texts(view)).toMatchObject({today: expect.stringMatching(/^Ship it now\nYesterday\nRead$/)});
  });

  test('leaves the typed text as it is when both teams use the standard form', async () => {
    const view = await pick(await open(), 'research', {yesterday: 'Read', today: 'Write'});
    expect(initialTextsByBlock(view)).toEqual({yesterday: 'Read', today: 'Write', blockers: ''});
  });

  test('gets a standup with answers to its own questions, and errors are shown at these questions', async () => {
    const view = await pick(await open(), 'mobile', {today: ''});
    const empty = await slack.submit(fillForm(view, 'V_ASKED', {}, teams['mobile']));
    expect(empty.body).toMatchObject({
      response_action: 'errors',
      errors: {[idOf(view, 'today')]: 'Please answer this.'},
    });
    const given = {[idOf(view, 'today')]: 'Tests'};
    expect(await slack.submit(fillForm(view, 'V_ASKED', given, teams['mobile']))).toMatchObject({text: ''});
    expect((await slack.standups())[0]).toMatchObject({
      team: 'mobile',
      answers: [{question: 'today', value: 'Tests'}],
    });
  });

  test('gets the standup even if its questions are not shown yet', async () => {
    const view = await pick(await open(), 'mobile', {today: 'Of the old team'});
    const reply = await slack.submit(fillForm(view, 'V_LATE', {}, teams['research']));
    expect(reply).toMatchObject({status: 200, text: ''});
    const [standup] = await slack.standups();
    expect(standup).toMatchObject({team: 'research', answers: []});
    expect(standup?.update).toContain('Of the old team');
  });

  test('is refused with a message when the member is no longer in it, and the form is not changed', async () => {
    const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {
      slug: 'foreign',
      name: 'Foreign',
    });
    const view = {...fillForm(await open(), 'V_GONE', {}, id), type: 'modal'};
    await slack.action({action_id: 'choose-team', type: 'static_select'}, {view});
    const [reply] = await calls(slack, 'respond');
    expect(reply?.body['text']).toContain('was deleted');
    expect(slack.slack.of('views.update')).toEqual([]);
  });
});

describe('“Also post to” in the form', () => {
  const optionsOf = (view: View) =>
    view.blocks
      .find(({block_id: id = ''}) => id.startsWith('also'))
      ?.element?.options?.map(({text}) => text.text);

  /** The form submitted with further teams. */
  function handedIn(view: View, id: string, given: {texts: Record<string, string>; also: string[]}) {
    const whole = fillForm(view, id, given.texts);
    const field = view.blocks.find(({block_id = ''}) => block_id.startsWith('also'))?.block_id ?? '';
    const chosen = given.also.map((team) => ({value: teams[team], text: {type: 'plain_text', text: team}}));
    const state = {value: {type: 'multi_static_select', selected_options: chosen}};
    return {...whole, state: {values: {...whole.state.values, [field]: state}}};
  }

  interface ActionsRow {
    readonly type: string;
    readonly elements: {readonly text: {readonly text: string}; readonly value: string}[];
  }

  const inPlatform = () => openFormByButton(slack, {mode: 'new'});
  const count = async () => (await slack.standups()).length;

  test('offers the other teams of the person that have no required questions', async () => {
    expect(optionsOf(await inPlatform())).toEqual(['Research']);
    await ask('mobile', [{key: 'mood', label: 'Mood', type: 'mood'}]);
    expect(optionsOf(await inPlatform())).toEqual(['Mobile', 'Research']);
    expect(optionsOf(await pick(await open(), 'platform'))).toEqual(['Mobile', 'Research']);
    expect(optionsOf(await pick(await open(), 'mobile'))).toBeUndefined();
    const [{id} = {id: ''}] = await slack.standups();
    expect(optionsOf(await openFormByButton(slack, {mode: 'edit', standup: id}))).toBeUndefined();
  });

  test('posts for all of them at once, and confirms with Edit and Undo for each', async () => {
    await ask('mobile', []);
    const before = await count();
    const given = {texts: {today: 'For <all>', blockers: 'A key'}, also: ['mobile', 'research']};
    const view = handedIn(await inPlatform(), 'V_ALL', given);
    expect(await slack.submit(view)).toMatchObject({status: 200, text: ''});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toMatch(
      /^✅ Posted in <#C000000001> \(.*\), Mobile \(.*\), Research \(.*\)\. Today\nFor &lt;all&gt;/,
    );
    const made = (await slack.standups()).slice(0, (await count()) - before);
    expect(made.map(({team}) => team).toSorted()).toEqual(['mobile', 'platform', 'research']);
    expect(new Set(made.map(({created_at: at}) => at)).size).toBe(1);
    const blocks = (answer?.body['blocks'] ?? []) as ActionsRow[];
    const rows = blocks.filter(({type}) => type === 'actions');
    const buttons = rows.flatMap(({elements}) => elements);
    expect(buttons.map(({text}) => text.text)).toEqual([
      'Edit Platform',
      'Undo Platform',
      'Edit Mobile',
      'Undo Mobile',
      'Edit Research',
      'Undo Research',
    ]);
    const undo = buttons.find(({text}) => text.text === 'Undo Mobile');
    await slack.action({action_id: 'undo-standup', value: undo?.value ?? ''});
    const reply = (await calls(slack, 'respond', 2))[1];
    expect(reply?.body).toMatchObject({replace_original: false, text: expect.stringMatching(/^Undone/)});
    expect(
      (await slack.standups())
        .slice(0, 2)
        .map(({team}) => team)
        .toSorted(),
    ).toEqual(['platform', 'research']);
  });

  test('posts once when submitted twice, and updates the posted standups when submitted with another text', async () => {
    const view = await inPlatform();
    const submit = (today: string, also: string[]) =>
      slack.submit(handedIn(view, 'V_TWICE', {texts: {today}, also}));
    const before = await count();
    await submit('Once', ['research']);
    await submit('Once', ['research']);
    expect(await count()).toBe(before + 2);
    await submit('Twice', ['research']);
    expect((await slack.standups()).slice(0, 2)).toMatchObject([
      {update: 'Today\nTwice', edited: true},
      {update: 'Today\nTwice', edited: true},
    ]);
    const other = await submit('Twice', []);
    expect(other.body.errors.today).toMatch(/^Not saved\. This form was already posted for .*Research/);
    expect(await count()).toBe(before + 2);
  });

  test('posts nothing when one of the teams refuses the standup, and says why at that field', async () => {
    const view = await inPlatform();
    const before = await count();
    const member = (await slack.standups())[0]?.author.id ?? '';
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'research', member);
    const reply = await slack.submit(
      handedIn(view, 'V_NOT', {texts: {today: 'Nobody reads this'}, also: ['research']}),
    );
    expect(reply.body).toMatchObject({
      response_action: 'errors',
      errors: {also: expect.stringMatching(/^Not saved\. You’re not in Research\./)},
    });
    expect(await count()).toBe(before);
  });
});

test('regression: a form for more teams than one submission allows posts for none of them', async () => {
  const view = await open();
  const ids: string[] = [];
  for (let i = 0; i < limits.teamsPerSubmission; i++) {
    const slug = `one-of-many-${i}`;
    const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {slug, name: slug});
    await slack.core.services.people.joinTeam(slack.operator(), {id: asId(id), slug}, member);
    ids.push(id);
  }
  // Only Slack enforces the limit of choices in a list; a forged request can exceed it.
  const field = view.blocks.find(({block_id: id}) => id?.startsWith('also'))?.block_id ?? '';
  const hand = async (viewId: string, also: readonly string[]) => {
    const whole = fillForm(view, viewId, {today: viewId}, teams['research']);
    const chosen = {type: 'multi_static_select', selected_options: also.map((value) => ({value}))};
    return slack.submit({...whole, state: {values: {...whole.state.values, [field]: {value: chosen}}}});
  };
  const made = async (viewId: string) =>
    (await slack.standups()).filter(({update}) => update.includes(viewId)).length;
  expect((await hand('V_ALL', ids)).body).toMatchObject({response_action: 'errors'});
  expect(await made('V_ALL')).toBe(0);
  await hand('V_MOST', ids.slice(1));
  expect(await made('V_MOST')).toBe(limits.teamsPerSubmission);
  for (const id of ids)
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), asId(id), member);
});
