import {describe, expect, it, test} from '@jest/globals';
import fc from 'fast-check';
import {formatQuestions, parseQuestions} from '../../src/bot/slack/setup/question-lines.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {completeQuestion, type Question} from '../../src/domain/questions/question.js';

const parse = (text: string, before: readonly Question[] = []) => {
  const parsed = parseQuestions(text, before, en);
  if ('error' in parsed) throw new Error(JSON.stringify(parsed.error));
  return parsed.questions.map(completeQuestion);
};

const text = {type: 'text', required: false, raises_blocker: false} as const;

describe('lines of questions in Slack’s form', () => {
  it('ask for text, and have keys made from their labels', () => {
    expect(parse('What did you do?\n\n  Ärger? [mood] * \nWhat did you do?')).toEqual([
      {...text, key: 'what_did_you_do', label: 'What did you do?'},
      {...text, key: 'arger_mood', label: 'Ärger? [mood] *'},
      {...text, key: 'what_did_you_do_2', label: 'What did you do?'},
    ]);
  });

  test.each<[string, number | 'many']>([
    [`Fine?\n${'x'.repeat(151)}`, 2],
    ['Fine?\u2028Really?', 1],
    ['Fine?\nBell\u0007?', 2],
    ['Fine?\n\u200b\u2060', 2],
    ['Half a pair \ud83d', 1],
    [Array.from({length: 11}, (_, i) => `Question ${i}?`).join('\n'), 'many'],
  ])('are refused at %j, with the invalid line named', (typed, error) => {
    expect(parseQuestions(typed, [], en)).toEqual({error});
  });

  it('become no questions of the team while they equal the default ones, and otherwise extend or reword them', () => {
    const lines = formatQuestions([], en);
    expect(lines).toBe('Yesterday\nToday\nBlockers');
    expect([parse(lines), parse(''), parse(' \n')]).toEqual([[], [], []]);
    expect(parse('Yesterday\nToday\nBlockers\nMood?')).toEqual([
      {...text, key: 'yesterday', label: 'Yesterday', fill_from: 'today'},
      {...text, key: 'today', label: 'Today', required: true},
      {...text, key: 'blockers', label: 'Blockers', raises_blocker: true},
      {...text, key: 'mood', label: 'Mood?'},
    ]);
    expect(parse('Done?\nToday\nNext?').map(({key}) => key)).toEqual(['done', 'today', 'next']);
  });

  it('regression: leave a question unchanged whose label has several lines or spaces around it', () => {
    const before: Question[] = [
      {
        key: 'place',
        label: 'Where are you?\nOne place only.',
        required: true,
        type: 'choice',
        options: ['Office', 'Home'],
        multiple: false,
      },
      {...text, key: 'next', label: ' What\r\nis  next? '},
    ];
    const shown = formatQuestions(before, en);
    expect(shown.split('\n')).toEqual(['Where are you? One place only.', 'What is next?']);
    expect(parse(shown, before)).toEqual(before);
    expect(parse('What is next?', before)).toEqual([before[1]]);
  });

  it('leave questions of any type unchanged when the form sends them back as it showed them', () => {
    const label = fc.stringMatching(/^[A-Za-z][A-Za-z ,?]{0,40}[a-z?]$/);
    const kind = fc.oneof(
      fc.record({type: fc.constant('text' as const), raises_blocker: fc.boolean()}),
      fc.record({
        type: fc.constant('choice' as const),
        options: fc.constant(['Office', 'Home']),
        multiple: fc.boolean(),
      }),
      fc.record({type: fc.constant('number' as const), min: fc.constant(0), max: fc.option(fc.nat())}),
      fc.record({type: fc.constant('yes_no' as const)}),
      fc.record({type: fc.constant('mood' as const)}),
    );
    const question = fc
      .tuple(label, fc.boolean(), kind)
      .map(([said, required, of]): Question => ({key: '', label: said, required, ...of}));
    const questions = fc.uniqueArray(question, {maxLength: 10, selector: ({label: said}) => said});
    fc.assert(
      fc.property(questions, (some) => {
        const keyed = some.map((one, i) => ({...one, key: `k${i}`}));
        expect(parse(formatQuestions(keyed, en), keyed)).toEqual(keyed);
      }),
      {numRuns: 300},
    );
  });

  it('regression: leave questions unchanged whose labels have line breaks or outer white space', () => {
    const labels = ['How are you?\n1 is bad', ' Padded ', 'Two  spaces', 'Return\r\nand\u2028separator'];
    const own = labels.map((label, i) => ({key: `k${i}`, label, required: true, type: 'mood'}) as const);
    expect(formatQuestions(own, en).split('\n')).toHaveLength(labels.length);
    expect(parse(formatQuestions(own, en), own)).toEqual(own);
  });

  it('keep their key and type when they are reworded at the same position, or moved', () => {
    const before: Question[] = [
      {...text, key: 'one', label: 'One?', fill_from: 'two'},
      {...text, key: 'two', label: 'Two?'},
      {key: 'three', label: 'Three?', required: true, type: 'mood'},
    ];
    expect(parse('One?\nTwo?\nThird?', before)).toEqual([
      ...before.slice(0, 2),
      {...before[2], label: 'Third?'},
    ]);
    expect(parse('Three?\nOne?\nTwo?', before)).toEqual([before[2], before[0], before[1]]);
    // The question whose answer filled this one is gone.
    expect(parse('One?', before)).toEqual([{...before[0], fill_from: null}]);
  });
});
