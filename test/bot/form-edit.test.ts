import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {assert as checkAll, constantFrom, oneof, property, record, string} from 'fast-check';
import {
  appendText,
  composeContent,
  buildFormContentFromUpdate,
} from '../../src/bot/slack/form/form-content.js';
import {parseValue} from '../../src/bot/slack/blocks/shapes.js';
import {packRequest, parseRequest} from '../../src/bot/slack/answers/form-request.js';
import {composeUpdate} from '../../src/bot/slack/blocks/text.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {
  findBlock,
  calls,
  fillForm,
  readInitialText,
  initialTextsByBlock,
  openStandupForm,
  openFormByButton,
  type View,
  viewOf,
} from '../support/slack-form.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const every = async () => slack.standups();
const find = async (id: string) => (await every()).find((standup) => standup.id === id);

/** A person's standup of today. */
async function posted(update: string, user = admin): Promise<Standup> {
  const {people, standups} = slack.core.services;
  const author = await people.ensureSlackMember(slack.operator(), user.id, {name: user.name, timezone: null});
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, author.id);
  const call = {...slack.operator(), principal: author};
  const {body} = await standups.postStandup(call, {team: 'platform', update, source: 'slack'});
  return standupsOfPostResult(body)[0];
}

/** Changes a standup outside the form. */
const change = (standup: Standup, update: string) =>
  slack.core.services.standups.editStandup({...slack.operator(), principal: standup.author}, standup.id, {
    update,
  });

const remove = (standup: Standup) =>
  slack.core.services.standups.deleteStandup({...slack.operator(), principal: standup.author}, standup.id);

const asOpened = (view: View) => Object.values(initialTextsByBlock(view)).join('');

describe('an update that is split into the form’s fields', () => {
  const line = string({unit: 'grapheme', maxLength: 30});
  const text = oneof(
    line,
    constantFrom('Today\nx', 'a\n\nToday\nb', 'a\n\nBlockers\nb', 'Yesterday\n\n\nToday\nx', ' x ', '\r\n'),
  );

  test('is composed again from these fields byte for byte, whatever its text', () => {
    checkAll(
      property(
        oneof(
          string({unit: 'grapheme', maxLength: 9_000}),
          text,
          record({yesterday: text, today: text, blockers: text}).map(composeUpdate),
        ),
        (update) => expect(composeContent(buildFormContentFromUpdate(update))).toBe(update),
      ),
    );
  });

  test('has the same three parts that were typed in the form', () => {
    const parts = {yesterday: 'a\n\nb', today: 'c', blockers: ''};
    expect(buildFormContentFromUpdate(composeUpdate(parts))).toEqual({shape: 'parts', parts});
  });

  test.each([
    ['has no headings', 'just text'],
    ['lacks what the form requires', 'Yesterday\nslept'],
    ['has white space around a part', 'Today\nx '],
  ])('remains as it is when it %s', (_, update) => {
    expect(buildFormContentFromUpdate(update).shape).toBe('whole');
  });

  test('accepts an added text under Today, after what is there', () => {
    const {content, cut} = appendText(
      buildFormContentFromUpdate('Yesterday\na\n\nToday\nb\n\nBlockers\nc'),
      'more',
    );
    expect(composeContent(content)).toBe('Yesterday\na\n\nToday\nb\nmore\n\nBlockers\nc');
    expect(cut).toBe(false);
    expect(composeContent(appendText(buildFormContentFromUpdate('plain'), 'more').content)).toBe(
      'plain\nmore',
    );
  });

  test('accepts no more text than fits into one standup, and says so', () => {
    const {content, cut} = appendText(buildFormContentFromUpdate('x'.repeat(3_900)), 'y'.repeat(500));
    expect(cut).toBe(true);
    expect(composeContent(content).length).toBeLessThanOrEqual(4_000);
    expect(appendText(buildFormContentFromUpdate('x'.repeat(4_000)), 'y'.repeat(500)).content).toEqual(
      buildFormContentFromUpdate('x'.repeat(4_000)),
    );
  });
});

test('the value of a button says which form to open, and leaves out a text that is too long for it', () => {
  const read = (packed: string) => parseRequest(parseValue(packed));
  const begins = {with: 'text', text: 'a <b> & c'.repeat(20)} as const;
  const request = {mode: 'new', team: 'team_1', begins} as const;
  expect(read(packRequest(request))).toEqual(request);
  expect(packRequest(request)).not.toMatch(/[&<>]/);
  const long = 'x'.repeat(3_000);
  const packed = packRequest({...request, begins: {...begins, text: long}});
  expect(packed.length).toBeLessThanOrEqual(2_000);
  expect(read(packed)).toEqual({mode: 'new', team: 'team_1'});
  expect(read(packRequest({mode: 'add', text: long}))).toEqual({mode: 'add', text: ''});
  for (const value of [
    '',
    'x',
    '{}',
    '{"mode":"constructor","standup":"x"}',
    '{"mode":"edit","standup":"x"}',
  ])
    expect(read(value)).toBeUndefined();
});

describe('/standup alone after posting today', () => {
  let mine: Standup;
  beforeEach(async () => {
    mine = await posted('Fixed the login');
    slack.slack.clear();
  });

  test('opens the latest standup for editing, with its text and a button to a new one', async () => {
    const view = await openStandupForm(slack);
    expect(view.title.text).toBe('Edit your standup');
    expect(asOpened(view)).toBe('Fixed the login');
    expect(JSON.parse(view.private_metadata)).toMatchObject({standup: mine.id, revision: 1});
    expect(JSON.stringify(view)).toContain('"action_id":"new-update"');
  });

  test('asks for confirmation before a new standup is begun, and keeps the text that was added from a message', async () => {
    const [ask] = (await openStandupForm(slack)).blocks.flatMap(({elements = []}) => elements);
    expect(ask).toMatchObject({confirm: {text: {text: expect.stringMatching(/will be lost/)}}});
    const press = async (append: string) => {
      const view = await openFormByButton(slack, {mode: 'add', text: append});
      const [more] = view.blocks.flatMap(({elements = []}) => elements);
      slack.slack.clear();
      await slack.action(
        {action_id: 'new-update', value: more!.value!},
        {view: {...view, id: 'V_ADDED', hash: 'h'}},
      );
      const shown = viewOf((await calls(slack, 'views.update'))[0]);
      return {asked: JSON.stringify(more), today: readInitialText(findBlock(shown, 'today')?.element)};
    };
    expect(await press('From ada: <look>')).toMatchObject({
      asked: expect.stringContaining('is kept'),
      today: 'From ada: <look>',
    });
    const long = await press('x'.repeat(2_400));
    expect(long.asked).toContain('too long to keep');
    expect(long.today).toBe('');
  });

  test('replaces the form by an empty one with new input names, since Slack retains the text of inputs with the same name', async () => {
    const view = await openStandupForm(slack);
    const hash = 'a.hash';
    const [button] = view.blocks.flatMap(({elements = []}) => elements);
    await slack.action(
      {action_id: 'new-update', value: button!.value!},
      {view: {...view, id: 'V_NEW', hash}},
    );
    const [update] = await calls(slack, 'views.update');
    expect(update?.body).toMatchObject({view_id: 'V_NEW', hash});
    const empty = viewOf(update);
    expect(Object.keys(initialTextsByBlock(empty))).toEqual(['yesterday', 'today', 'blockers']);
    expect(Object.keys(initialTextsByBlock(view))).not.toContain('today');
    const before = (await every()).length;
    expect(
      await slack.submit(fillForm(empty, 'V_NEW', {yesterday: '', today: 'a second one'})),
    ).toMatchObject({
      status: 200,
      text: '',
    });
    expect(await every()).toHaveLength(before + 1);
  });

  test('changes the standup on saving, and makes no other', async () => {
    const view = await openStandupForm(slack);
    const [input] = Object.keys(initialTextsByBlock(view));
    const before = (await every()).length;
    const handedIn = fillForm(view, 'V_EDIT', {[input!]: 'Fixed the login &amp; logout'});
    expect(await slack.submit(handedIn)).toMatchObject({status: 200, text: ''});
    const again = await slack.submit(handedIn, {timestamp: Math.floor(Date.now() / 1_000) - 1});
    expect(again).toMatchObject({status: 200, text: ''});
    expect(await every()).toHaveLength(before);
    expect(await find(mine.id)).toMatchObject({update: 'Fixed the login & logout', revision: 2});
  });

  test('changes nothing when the form is submitted untouched, whatever Slack does to its characters', async () => {
    await change(mine, 'a &lt; b');
    const view = await openStandupForm(slack);
    expect(await slack.submit(fillForm(view, 'V_SAME'))).toMatchObject({status: 200, text: ''});
    expect(await find(mine.id)).toMatchObject({update: 'a &lt; b', revision: 2});
  });

  test('leaves inputs that Slack omits from the submission as they were shown', async () => {
    await change(mine, 'Yesterday\na\n\nToday\nb');
    const view = await openStandupForm(slack);
    const sent = fillForm(view, 'V_LEFT', {'today.2': 'c'});
    delete (sent.state.values as Record<string, unknown>)['yesterday.2'];
    await slack.submit(sent);
    expect((await find(mine.id))?.update).toBe('Yesterday\na\n\nToday\nc');
  });

  test('says that the standup has changed since, retains the text, and saves it when submitted again', async () => {
    const view = await openStandupForm(slack);
    const [input] = Object.keys(initialTextsByBlock(view));
    await change(mine, 'by another door');
    const {body} = await slack.submit(fillForm(view, 'V_LATE', {[input!]: 'by the form'}));
    expect(body.response_action).toBe('update');
    expect(JSON.stringify(body.view)).toContain('changed in the meantime');
    expect(JSON.stringify(body.view)).toContain('by another door');
    expect(asOpened(body.view)).toBe('by the form');
    expect((await find(mine.id))?.update).toBe('by another door');
    expect(await slack.submit(fillForm(body.view, 'V_LATE'))).toMatchObject({status: 200, text: ''});
    expect((await find(mine.id))?.update).toBe('by the form');
  });

  test('says that the standup was deleted since, and offers the text as a new one', async () => {
    const view = await openStandupForm(slack);
    const [input] = Object.keys(initialTextsByBlock(view));
    await remove(mine);
    const {body} = await slack.submit(fillForm(view, 'V_GONE', {[input!]: 'still mine'}));
    expect(JSON.stringify(body.view)).toContain('was deleted');
    expect(asOpened(body.view)).toBe('still mine');
    await slack.submit(fillForm(body.view, 'V_GONE'));
    expect((await every())[0]).toMatchObject({update: 'still mine', team: 'platform', revision: 1});
  });

  test('refuses a blank text at its own field', async () => {
    const view = await openStandupForm(slack);
    const [input] = Object.keys(initialTextsByBlock(view));
    const {body} = await slack.submit(fillForm(view, 'V_BLANK', {[input!]: ' '}));
    expect(body).toEqual({response_action: 'errors', errors: {[input!]: 'Write your update.'}});
  });
});

describe('a form for one standup', () => {
  test('is opened by a button, and has the text that the button adds to the standup', async () => {
    const mine = await posted('Today\nwrite tests');
    const view = await openFormByButton(slack, {mode: 'add', text: 'read <mail>'});
    expect(readInitialText(findBlock(view, 'today.1')?.element)).toBe('write tests\nread <mail>');
    await slack.submit(fillForm(view, 'V_ADD'));
    expect((await find(mine.id))?.update).toBe('Today\nwrite tests\nread <mail>');
  });

  test('shows a standup of another author as not found', async () => {
    const theirs = await posted('not yours', {id: 'U_GRACE', name: 'grace'});
    await slack.command('to be a member');
    await slack.action({action_id: 'open-form', value: JSON.stringify({mode: 'edit', standup: theirs.id})});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('deleted');
    expect(JSON.stringify(answer?.body)).not.toContain('not yours');
  });

  test('says that the standup is deleted', async () => {
    const mine = await posted('soon gone');
    await remove(mine);
    await slack.action({action_id: 'open-form', value: JSON.stringify({mode: 'edit', standup: mine.id})});
    expect((await calls(slack, 'respond'))[0]?.body['text']).toContain('deleted');
  });

  test.each([
    ['of ascii', 'x'.repeat(4_000)],
    ['of emoji', '😀'.repeat(4_000)],
    ['in parts', `Yesterday\n${'y'.repeat(1_979)}\n\nToday\n${'t'.repeat(2_000)}`],
  ])('accepts the largest legal standup %s, and gives it back unchanged', async (_, update) => {
    const mine = await posted(update);
    const view = await openFormByButton(slack, {mode: 'edit', standup: mine.id});
    const typed = fillForm(view, 'V_LARGE');
    await slack.submit({...typed, blocks: view.blocks.map(({element: _element, ...rest}) => rest)});
    expect(await find(mine.id)).toMatchObject({update, revision: 1});
  });

  test('offers a new standup when there is none of today to edit', async () => {
    const user = {id: 'U_NOTHING', name: 'nothing'};
    await slack.action({action_id: 'open-form', value: JSON.stringify({mode: 'edit'})}, {}, {user});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('posted today');
    expect(JSON.stringify(answer?.body['blocks'])).toContain('"action_id":"open-form"');
  });
});

test('a text for several teams is returned when there is nowhere to post it', async () => {
  const user = {id: 'U_NOWHERE', name: 'nowhere'};
  const value = JSON.stringify({mode: 'new', begins: {with: 'text', text: 'keep this'}});
  await slack.action({action_id: 'open-form', value}, {}, {user, channel: otherChannel});
  expect((await calls(slack, 'respond'))[0]?.body['text']).toContain('Your text: keep this');
});

describe('a formatted standup in the form', () => {
  const formatted = async (update: string) => {
    const standup = await posted('plain');
    const call = {...slack.operator(), principal: standup.author};
    await slack.core.services.standups.editStandup(call, standup.id, {update, format: 'markdown'});
    slack.slack.clear();
    return standup.id;
  };
  const submit = async (view: View, id: string, values: Record<string, unknown> = {}) => {
    const filled = fillForm(view, id);
    const states = filled.state.values as Record<string, object>;
    for (const [field, value] of Object.entries(values))
      states[field] = {value: {type: 'rich_text_input', rich_text_value: value}};
    expect(await slack.submit(filled)).toMatchObject({status: 200, text: ''});
  };
  const richText = (...elements: object[]) => ({
    type: 'rich_text',
    elements: [{type: 'rich_text_section', elements}],
  });

  test('a formatted standup is shown with its styles, and an unchanged form keeps it as it was written', async () => {
    const update = '__Done__ with [it](https://a.example/1)\n* one';
    const id = await formatted(update);
    const view = await openStandupForm(slack);
    expect(JSON.stringify(view)).toContain('"text":"Done","style":{"bold":true}');
    await submit(view, 'V_KEPT');
    expect(await find(id)).toMatchObject({update, format: 'markdown'});
  });

  test('a formatted standup is written as Markdown after a change, with the formatting of Slack', async () => {
    const id = await formatted('Today\n**a**\n\nBlockers\nnone');
    const view = await openStandupForm(slack);
    const [, today = '', blockers = ''] = Object.keys(initialTextsByBlock(view));
    const bold = {type: 'text', text: 'a', style: {bold: true}};
    await submit(view, 'V_BOLD', {
      [today]: richText(bold, {type: 'text', text: ' *b* _c_'}),
      [blockers]: richText(
        {type: 'text', text: 'CI', style: {italic: true}},
        {type: 'text', text: ' is red'},
      ),
    });
    expect(await find(id)).toMatchObject({
      update: 'Today\n**a** \\*b\\* \\_c\\_\n\nBlockers\n*CI* is red',
      format: 'markdown',
    });
    const {rows} = await slack.core.services.blockers.listBlockers(slack.operator(), {limit: 1});
    expect(JSON.parse(rows[0] ?? '{}')).toMatchObject({text: 'CI is red', standup: id});
  });

  test('a formatted standup keeps its mentions after a change, although the form shows names', async () => {
    const {people} = slack.core.services;
    const grace = await people.ensureSlackMember(slack.operator(), 'U_HOPPER', {
      name: 'Grace_B Hopper',
      timezone: null,
    });
    const mention = `[@Grace\\_B Hopper](mention:${grace.id})`;
    const id = await formatted(`Ask ${mention} or ${mention}.`);
    const view = await openStandupForm(slack);
    const [field = ''] = Object.keys(initialTextsByBlock(view));
    const shown = '@Grace_B Hopper';
    expect(initialTextsByBlock(view)[field]).toBe(`Ask ${shown} or ${shown}.`);
    await submit(view, 'V_MENTIONS', {[field]: richText({type: 'text', text: `Ask ${shown} today.`})});
    expect(await find(id)).toMatchObject({update: `Ask ${mention} today.`, format: 'markdown'});
  });

  test('keeps its marks when a message is added to it', async () => {
    await formatted('**a**');
    const view = await openFormByButton(slack, {mode: 'add', text: 'b *c* [d](e)'});
    await submit(view, 'V_ADDED');
    const standup = (await every()).find(({update}) => update.startsWith('**a**'));
    expect(standup).toMatchObject({update: '**a**\nb **c** \\[d]\\(e)', format: 'markdown'});
  });
});
