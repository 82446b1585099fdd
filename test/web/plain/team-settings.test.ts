import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {Problem} from '../../../web/api/problem.ts';
import type {Team} from '../../../web/api/schema.ts';
import {
  areDefaultQuestions,
  listPrefillSources,
  createQuestionDraft,
  questionSection,
  describeQuestions,
} from '../../../web/team/question-drafts.ts';
import {scheduleSection} from '../../../web/team/schedule-draft.ts';
import {
  computeDraftAfterSave,
  computeDraftAfterTyping,
  saveWithRetries,
  computeSectionState,
} from '../../../web/team/section-state.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
  await loadTexts('leading');
});
afterAll(() => browser.close());

const teamWith = (given: object) => given as Team;

describe('questions of a team', () => {
  it('a team without its own has the three standard ones, and stores none while they are unchanged', () => {
    const given = questionSection.read(teamWith({questions: []}));
    expect(
      given.map(({key, required, raisesBlocker, fillFrom}) => [key, required, raisesBlocker, fillFrom]),
    ).toEqual([
      ['yesterday', false, false, 'today'],
      ['today', true, false, null],
      ['blockers', false, true, null],
    ]);
    expect(areDefaultQuestions(given)).toBe(true);
    expect(questionSection.write(given)).toEqual({questions: []});
  });

  it('an added question joins the standard ones, gets its key from its label, and may begin with its last answer', () => {
    const given = questionSection.read(teamWith({questions: []}));
    const added = createQuestionDraft(given);
    const drafts = [...given, {...added, label: ' What did you learn? ', fillFrom: added.key}];
    expect(questionSection.write(drafts).questions).toMatchObject([
      {key: 'yesterday', fill_from: 'today'},
      {key: 'today', required: true, fill_from: null},
      {key: 'blockers', raises_blocker: true},
      {key: 'what_did_you_learn', label: 'What did you learn?', fill_from: 'what_did_you_learn'},
    ]);
  });

  it('questions retain their keys in another order and with another label, and a new one uses no existing key', () => {
    const questions = [
      {key: 'done', label: 'What did you do?', type: 'text', required: false},
      {key: 'mood', label: 'How are you?', type: 'mood', required: true},
    ];
    const [done, mood] = questionSection.read(teamWith({questions}));
    if (done === undefined || mood === undefined) throw new Error('two questions');
    const drafts = [mood, {...done, label: 'Really?'}, {...createQuestionDraft([done, mood]), label: 'Done'}];
    const written = questionSection.write(drafts).questions ?? [];
    expect(written.map(({key, label}) => [key, label])).toEqual([
      ['mood', 'How are you?'],
      ['done', 'Really?'],
      ['done_2', 'Done'],
    ]);
  });

  it('a question sends only the fields of its type, and only a text question can begin with an earlier answer', () => {
    const base = {
      ...createQuestionDraft([]),
      isNew: false,
      raisesBlocker: true,
      options: ' a \n\nb',
      min: 1,
      max: 5,
    };
    const write = (type: 'choice' | 'number' | 'yes_no') =>
      questionSection.write([{...base, key: type, label: type, type}]).questions?.[0];
    expect(write('choice')).toEqual({
      key: 'choice',
      label: 'choice',
      required: false,
      type: 'choice',
      options: ['a', 'b'],
      multiple: false,
    });
    expect(write('number')).toMatchObject({min: 1, max: 5});
    expect(write('yes_no')).toEqual({key: 'yes_no', label: 'yes_no', required: false, type: 'yes_no'});
    const text = {...base, key: 'why', label: 'Why?', fillFrom: 'choice'};
    const choice = {...base, key: 'choice', type: 'choice'} as const;
    expect(listPrefillSources([choice, text])).toEqual([text]);
    expect(questionSection.write([choice, text]).questions?.[1]).toMatchObject({fill_from: null});
  });

  it('a summary names the questions in their order', () => {
    const facts = describeQuestions(questionSection.read(teamWith({questions: []})));
    expect(facts.map(([what]) => what.slice(0, 2))).toEqual(['1.', '2.', '3.']);
    expect(facts[0]?.[1]).toBe('Text\nPrefilled with the last answer to “Today”');
  });
});

it('the form leaves a weekly, a monthly and a missing schedule unchanged', () => {
  const times = {opens: '09:00', closes: '11:00', clock: 'team', reminders: [30], starts_on: '2030-10-21'};
  const weekly = {frequency: 'weekly', interval: 2, days: ['mon', 'fri'], ...times};
  const monthly = {frequency: 'monthly', nth: -1, day: 'tue', ...times};
  const others = {prompt_at: 'both', paused: false};
  const back = (schedule: object | null) =>
    scheduleSection.write(scheduleSection.read(teamWith({schedule, ...others})));
  for (const schedule of [weekly, monthly, null]) expect(back(schedule)).toEqual({schedule, ...others});
});

describe('a section of the settings', () => {
  it('a draft exists while it differs from the saved values, and ends once it equals them', () => {
    const kept = computeDraftAfterTyping('mine', 'saved', undefined);
    expect(kept).toEqual({draft: 'mine', base: 'saved'});
    expect(computeSectionState(kept, 'saved')).toEqual({
      draft: 'mine',
      isChanged: true,
      isMoved: false,
      isOver: false,
    });
    expect(computeDraftAfterTyping('saved', 'saved', kept)).toBeUndefined();
    expect(computeSectionState(undefined, 'saved')).toMatchObject({
      draft: 'saved',
      isChanged: false,
      isOver: false,
    });
    expect(computeSectionState(kept, 'mine')).toMatchObject({isChanged: false, isOver: true});
  });

  it('a draft keeps the values on which it was begun, and notices that others have saved other values since then', () => {
    const kept = computeDraftAfterTyping('mine', 'saved', undefined);
    expect(computeSectionState(kept, 'theirs')).toMatchObject({
      draft: 'mine',
      isChanged: true,
      isMoved: true,
    });
    expect(computeDraftAfterTyping('mine too', 'theirs', kept)).toEqual({draft: 'mine too', base: 'saved'});
  });

  it('regression: typed text is not lost while a section is being saved, and the saved state is no draft', () => {
    expect(computeDraftAfterSave('one', 'one', 'one')).toBeUndefined();
    expect(computeDraftAfterSave('two', 'one', 'one')).toEqual({draft: 'two', base: 'one'});
  });

  const saveAgainst = async (revisions: readonly number[], isUntouched: boolean) => {
    const sent: number[] = [];
    let now = 0;
    const saved = await saveWithRetries(
      {revision: 1},
      {
        send: async (revision) => {
          sent.push(revision);
          now = revisions[sent.length - 1] ?? revision;
          if (revision !== now) throw new Problem({status: 412, code: 'conflict', title: '', detail: ''});
          return {revision: revision + 1};
        },
        readNewest: async () => ({revision: now}),
        isUntouched: () => isUntouched,
      },
    );
    return {sent, saved};
  };

  it('a section is saved on the newest revision when others saved another section, and not when they saved the same one', async () => {
    expect(await saveAgainst([1], true)).toEqual({sent: [1], saved: {revision: 2}});
    expect(await saveAgainst([4, 4], true)).toEqual({sent: [1, 4], saved: {revision: 5}});
    expect(await saveAgainst([4], false)).toEqual({sent: [1], saved: undefined});
    await expect(saveAgainst([2, 3, 4, 4], true)).rejects.toMatchObject({status: 412});
  });
});
