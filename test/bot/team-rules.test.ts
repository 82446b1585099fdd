import {describe, expect, it, test} from '@jest/globals';
import fc from 'fast-check';
import {carryAnswersForward} from '../../src/bot/slack/form/last-standups.js';
import {formatQuestions, parseQuestions} from '../../src/bot/slack/setup/question-lines.js';
import {
  matchesWish,
  newTeamRules,
  readTeamRules,
  type TeamRules,
  parseTeamRules,
} from '../../src/bot/slack/setup/team-rules.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {completeQuestion, type Question} from '../../src/domain/questions/question.js';
import {completeSchedule} from '../../src/domain/schedules/schedule.js';
import {type Team, teamDefaults} from '../../src/domain/teams/team.js';

const parse = (text: string, before: readonly Question[] = []) => {
  const parsed = parseQuestions(text, before);
  if ('error' in parsed) throw new Error(JSON.stringify(parsed.error));
  return parsed.questions.map(completeQuestion);
};

describe('the questions of a team, one per line,', () => {
  test.each<[string, object]>([
    ['What did you do?', {key: 'what_did_you_do', type: 'text', required: false, raises_blocker: false}],
    ['What next? *', {key: 'what_next', label: 'What next?', required: true}],
    ['In your way? [blocker]', {type: 'text', raises_blocker: true}],
    ['How are you? [mood] *', {type: 'mood', label: 'How are you?', required: true}],
    ['On track? [yes/no]', {type: 'yes_no'}],
    ['Where? [Office | Home]', {type: 'choice', options: ['Office', 'Home'], multiple: false}],
    ['Areas? [+ API | Slack | Docs]', {type: 'choice', options: ['API', 'Slack', 'Docs'], multiple: true}],
    ['Hours? [number]', {type: 'number', min: null, max: null}],
    ['Hours? [number 0..12.5]', {type: 'number', min: 0, max: 12.5}],
    ['Ärger? [Number ..-1]', {key: 'arger', type: 'number', min: null, max: -1}],
  ])('include %s', (line, question) => {
    expect(parse(line)).toEqual([expect.objectContaining(question)]);
  });

  test.each<[string, object]>([
    ['[mood]', {kind: 'label', line: 1}],
    ['Fine?\nWhere? [Office]', {kind: 'options', line: 2}],
    ['Where? [Office | Office]', {kind: 'options', line: 1}],
    ['Hours? [number 3..1]', {kind: 'bounds', line: 1}],
    ['Done? [from 2]\nFine? [mood]', {kind: 'from', line: 1}],
    ['Done? [from 7]', {kind: 'from', line: 1}],
    ['Hours? [number ..9007199254740993]', {kind: 'bounds', line: 1}],
    [Array.from({length: 11}, (_, i) => `Question ${i}?`).join('\n'), {kind: 'many'}],
  ])('are refused at %j, with the invalid line named', (text, error) => {
    expect(parseQuestions(text, [])).toEqual({error});
  });

  it('are shown again exactly as they were typed', () => {
    const label = fc.stringMatching(/^[A-Za-z][A-Za-z ,?]{0,40}[a-z?]$/);
    const option = fc.stringMatching(/^[A-Z][a-z]{1,8}$/);
    const kind = fc.oneof(
      fc.record({type: fc.constant('text' as const), raises_blocker: fc.boolean()}),
      fc.record({
        type: fc.constant('choice' as const),
        options: fc.uniqueArray(option, {minLength: 2, maxLength: 10}),
        multiple: fc.boolean(),
      }),
      fc.record({
        type: fc.constant('number' as const),
        min: fc.option(fc.integer({max: 0})),
        max: fc.option(fc.nat()),
      }),
      fc.record({type: fc.constant('yes_no' as const)}),
      fc.record({type: fc.constant('mood' as const)}),
    );
    const question = fc
      .tuple(label, fc.boolean(), kind)
      .map(([text, required, of]): Question => ({key: '', label: text, required, ...of}));
    fc.assert(
      fc.property(
        fc.uniqueArray(question, {maxLength: 10, selector: ({label: text}) => text}),
        (questions) => {
          const keyed = questions.map((one, i) => ({...one, key: `k${i}`}));
          expect(parse(formatQuestions(keyed), keyed)).toEqual(keyed);
        },
      ),
      {numRuns: 300},
    );
  });

  it('can name the line of another question, and their input then begins with the last answer to that question', () => {
    const asked = parse('Done? [from 2]\nPlan? *\nStuck? [blocker, from 3]');
    expect(asked).toMatchObject([
      {key: 'done', fill_from: 'plan'},
      {key: 'plan', required: true},
      {key: 'stuck', raises_blocker: true, fill_from: 'stuck'},
    ]);
    expect(formatQuestions(asked)).toBe('Done? [from 2]\nPlan? *\nStuck? [blocker, from 3]');
    const before = parse('Yesterday\nToday');
    expect(formatQuestions(before)).toBe('Yesterday [from 2]\nToday');
    expect(parse(formatQuestions(before), before)).toEqual(before);
    expect(parse('Yesterday\nToday', before)[0]).toMatchObject({fill_from: null});
    const last = {answers: [{question: 'plan', type: 'text', label: 'Plan?', value: 'The export.'}]} as never;
    expect(carryAnswersForward(last, team({questions: asked}))).toEqual([
      {question: 'done', type: 'text', label: 'Done?', value: 'The export.'},
    ]);
  });

  it('retain their key when they are reworded at the same position, or moved', () => {
    const before = parse('One?\nTwo?\nThree?');
    expect(parse('One?\nSecond?\nThree?', before).map(({key}) => key)).toEqual(['one', 'two', 'three']);
    expect(parse('Three?\nOne?\nTwo?', before).map(({key}) => key)).toEqual(['three', 'one', 'two']);
    expect(parse('Three?', before).map(({key}) => key)).toEqual(['three']);
    expect(parse('One?\nOne?', []).map(({key}) => key)).toEqual(['one', 'one_2']);
  });
});

const team = (more: Partial<Team>): Team => ({...teamDefaults, ...more}) as Team;

describe('the rules of a team', () => {
  it('are unchanged when they come back from the form', () => {
    const schedules = [
      {
        frequency: 'weekly',
        interval: 3,
        days: ['tue', 'thu'],
        opens: '22:00',
        closes: '02:00',
        clock: 'member',
      },
      {frequency: 'monthly', nth: -1, day: 'fri', opens: '09:00', closes: '10:00', reminders: [7, 30]},
    ] as const;
    for (const schedule of [...schedules.map((one) => completeSchedule(one, '2026-11-23')), null]) {
      const before = team({
        schedule,
        questions: parse('How? [mood]'),
        late_policy: {accept: 'until', minutes: 77},
      });
      const wished = parseTeamRules(readTeamRules(before), before, en);
      expect(wished).toMatchObject({wish: {}});
      expect('wish' in wished && matchesWish(before, wished.wish)).toBe(true);
      const {wish} = parseTeamRules({...readTeamRules(before), digest: 'off'}, before, en) as {wish: never};
      expect(matchesWish(before, wish)).toBe(false);
    }
  });

  test.each<[string, Partial<TeamRules>, string]>([
    ['no opening', {opens: undefined}, 'opens'],
    ['no closing', {closes: undefined}, 'closes'],
    ['a closing at the opening', {closes: '09:00'}, 'closes'],
    ['a reminder before the opening', {reminders: [15, 121]}, 'reminders'],
    ['several days once a month', {repeat: 'monthly:2'}, 'days'],
    ['a question without text', {questions: 'Fine?\n*'}, 'questions'],
  ])('are refused with %s, under its field', (_, rules, field) => {
    const wished = parseTeamRules({...newTeamRules, ...rules}, undefined, en);
    expect(wished).toEqual({errors: {[field]: expect.stringMatching(/\.$/)}});
  });

  it('have no schedule without days, whatever times are left', () => {
    expect(parseTeamRules({...newTeamRules, days: [], opens: undefined}, undefined, en)).toMatchObject({
      wish: {schedule: null},
    });
  });
});
