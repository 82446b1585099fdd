import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {addDays} from '../../src/domain/core/dates.js';
import type {NewQuestion} from '../../src/domain/questions/question.js';
import {
  calls,
  readInitialText,
  openFormByButton,
  createTypedInputState,
  type View,
  viewOf,
} from '../support/slack-form.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const asked: NewQuestion[] = [
  {key: 'today', label: 'What will you do today?', type: 'text', required: true},
  {key: 'focus', label: 'Focus', type: 'choice', options: ['Build', 'Review', 'Help'], multiple: true},
  {key: 'place', label: 'Where are you', type: 'choice', options: ['Home', 'Office']},
  {key: 'hours', label: 'Hours of meetings', type: 'number', min: 0, max: 12},
  {key: 'help', label: 'Do you need help?', type: 'yes_no'},
  {key: 'mood', label: 'Mood', type: 'mood'},
];

const ask = (questions: NewQuestion[]) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', {questions});

const keyOf = (id = '') => /^question:\w+:(\w+):\d+/.exec(id)?.[1] ?? id;

interface QuestionInput {
  readonly block_id?: string;
  readonly optional?: boolean;
  readonly element?: {
    readonly type: string;
    readonly initial_value?: unknown;
    readonly initial_option?: object;
    readonly initial_options?: object[];
    readonly options?: {text: {text: string}; value: string}[];
  };
}

const inputsIn = (view: View) => view.blocks.filter(({type}) => type === 'input') as QuestionInput[];

/** A submitted form with the given texts and choices, by key. */
function handedIn(view: View, id: string, given: Record<string, string | string[]>) {
  const values = inputsIn(view).map(({block_id = '', element}) => {
    const typed = given[keyOf(block_id)];
    const options = element?.options ?? [];
    const find = (text: string) => options.find((one) => one.text.text === text);
    const state =
      typed === undefined
        ? {
            ...(element?.type === 'rich_text_input'
              ? {rich_text_value: element.initial_value}
              : {value: element?.initial_value ?? null}),
            selected_option: element?.initial_option ?? null,
            ...(element?.type === 'checkboxes' && {selected_options: element.initial_options ?? []}),
          }
        : Array.isArray(typed)
          ? {selected_options: typed.map(find)}
          : options.length > 0
            ? {selected_option: find(typed)}
            : createTypedInputState(element?.type, typed);
    return [block_id, {value: {type: element?.type, ...state}}];
  });
  return {...view, id, state: {values: Object.fromEntries(values)}, hash: 'h'};
}

const all = {
  today: 'The <retry> page',
  focus: ['Build', 'Help'],
  place: 'Office',
  hours: '1.5',
  help: 'No',
  mood: '🙂 Good',
};

const open = () => openFormByButton(slack, {mode: 'new'});

describe('the form of a team with questions', () => {
  beforeEach(() => ask(asked));

  test('has a fitting input for each question, in place of Yesterday, Today and Blockers', async () => {
    const view = await open();
    expect(
      inputsIn(view).map(({block_id, optional, element}) => [keyOf(block_id), optional, element?.type]),
    ).toEqual([
      ['today', false, 'rich_text_input'],
      ['focus', true, 'checkboxes'],
      ['place', true, 'static_select'],
      ['hours', true, 'number_input'],
      ['help', true, 'radio_buttons'],
      ['mood', true, 'radio_buttons'],
    ]);
  });

  test('saves the answers with an update composed of them, and shows that update as confirmation', async () => {
    const reply = await slack.submit(handedIn(await open(), 'V_ALL', all));
    expect(reply).toMatchObject({status: 200, text: ''});
    const [standup] = await slack.standups();
    expect(standup?.answers.map(({question, value}) => [question, value])).toEqual([
      ['today', 'The <retry> page'],
      ['focus', ['Build', 'Help']],
      ['place', ['Office']],
      ['hours', 1.5],
      ['help', false],
      ['mood', 4],
    ]);
    expect(standup?.update).toMatch(/^What will you do today\? The <retry> page\nFocus: Build, Help\n/);
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('Mood: good (4 of 5)');
  });

  test('is filled with the answers for editing, and retains them when nothing is changed', async () => {
    await slack.submit(handedIn(await open(), 'V_EARLIER', all));
    const [before] = await slack.standups();
    const view = await openFormByButton(slack, {mode: 'edit', standup: before?.id});
    const shown = Object.fromEntries(inputsIn(view).map(({block_id, element}) => [keyOf(block_id), element]));
    expect(readInitialText(shown['today'])).toBe('The <retry> page');
    expect(shown['focus']?.initial_options).toHaveLength(2);
    expect(shown['hours']?.initial_value).toBe('1.5');
    await slack.submit(handedIn(view, 'V_SAME', {}));
    expect((await slack.standups())[0]?.revision).toBe(before?.revision);
    await slack.submit(handedIn(view, 'V_EDIT', {mood: '😄 Very good', today: 'Tests'}));
    const [after] = await slack.standups();
    expect(after).toMatchObject({id: before?.id, edited: true});
    expect(after?.answers.map(({value}) => value)).toEqual([
      'Tests',
      ['Build', 'Help'],
      ['Office'],
      1.5,
      false,
      5,
    ]);
    expect(after?.update).toMatch(/^What will you do today\? Tests\n/);
  });

  test('begins each text with the last answer to the question that the team chose for it', async () => {
    await ask([
      {key: 'done', label: 'What got done?', type: 'text', fill_from: 'plan'},
      {key: 'plan', label: 'What is next?', type: 'text'},
      {key: 'goal', label: 'Goal of the week?', type: 'text', fill_from: 'goal'},
    ]);
    await slack.command('to be a member');
    const [mine] = await slack.standups();
    const call = {...slack.operator(), principal: mine!.author};
    await slack.core.services.standups.postStandup(call, {
      team: 'platform',
      date: addDays(mine!.date, -1),
      answers: [
        {question: 'plan', value: 'write tests'},
        {question: 'goal', value: 'ship it'},
      ],
      source: 'slack',
    });
    const view = await open();
    const texts = inputsIn(view).map(({block_id, element}) => [keyOf(block_id), readInitialText(element)]);
    expect(Object.fromEntries(texts)).toMatchObject({done: 'write tests', plan: '', goal: 'ship it'});
  });

  test('refuses a number that would be stored as a different one', async () => {
    const typed = {today: 'Fine', hours: '9007199254740993'};
    const reply = await slack.submit(handedIn(await open(), 'V_LONG', typed));
    const errors = Object.entries(reply.body.errors as Record<string, string>);
    expect(errors.map(([id, said]) => [keyOf(id), said])).toEqual([
      ['hours', 'Your answer must be a number of up to 15 digits, or it would become another one.'],
    ]);
  });

  test('names what is wrong or missing at its question, and remains open', async () => {
    const before = (await slack.standups()).length;
    const reply = await slack.submit(handedIn(await open(), 'V_BAD', {today: ' ', hours: '13'}));
    const errors = Object.entries(reply.body.errors as Record<string, string>);
    expect(errors.map(([id, said]) => [keyOf(id), said])).toEqual([
      ['hours', 'Your answer must be 12 or less.'],
      ['today', 'Please answer this.'],
    ]);
    expect(await slack.standups()).toHaveLength(before);
  });

  test('loses no typed text when the questions change while the form is open', async () => {
    const view = await open();
    await ask([
      {key: 'plan', label: 'Plan', type: 'text', required: true},
      {key: 'mood', label: 'How is it going?', type: 'mood'},
      {key: 'place', label: 'Where', type: 'choice', options: ['Train', 'Home']},
    ]);
    expect(await slack.submit(handedIn(view, 'V_MOVED', all))).toMatchObject({status: 200, text: ''});
    const [standup] = await slack.standups();
    expect(standup?.answers).toMatchObject([{question: 'mood', label: 'How is it going?', value: 4}]);
    for (const said of ['The <retry> page', 'Build, Help', 'Where are you: Office', '1.5', 'no'])
      expect(standup?.update).toContain(said);
    const edit = await openFormByButton(slack, {mode: 'edit', standup: standup?.id});
    expect(inputsIn(edit).map(({block_id}) => keyOf(block_id).replace(/\.\d+$/, ''))).toEqual([
      'plan',
      'mood',
      'place',
      'update',
    ]);
  });

  test('shows a standup that has text but no answers in a single text field', async () => {
    await slack.command('an update alone');
    const [standup] = await slack.standups();
    const view = await openFormByButton(slack, {mode: 'edit', standup: standup?.id});
    expect(inputsIn(view).map(({element}) => readInitialText(element))).toEqual(['an update alone']);
    expect(viewOf((await calls(slack, 'views.open'))[0]).title.text).toBe('Edit your standup');
  });
});
