import {expect, it} from '@jest/globals';
import {compareWeeks} from '../../../src/domain/runs/week-trends.js';
import type {QuestionType} from '../../../src/domain/questions/question.js';
import {limits} from '../../../src/domain/core/limits.js';

const monday = '2026-11-16';
const period = (from: string, mean: number | null, answers = 2) => ({from, mean, answers, counts: []});
const question = (type: QuestionType, ...periods: ReturnType<typeof period>[]) => ({
  question: 'key',
  type,
  label: 'Label',
  periods,
});

it('the means of moods and numbers are compared with the week just before, and with no earlier one', () => {
  const found = compareWeeks(
    [
      question('mood', period('2026-11-09', 3.5), period(monday, 3.9)),
      question('mood', period('2026-11-09', 3.9), period(monday, 3.86)),
      question('number', period('2026-11-02', 7), period(monday, 5)),
      question('number', period('2026-11-09', 7)),
      question('yes_no', period(monday, 0.5)),
      question('choice', period(monday, null)),
    ],
    monday,
  );
  expect(found.map(({type, mean, change}) => [type, mean, change?.way])).toEqual([
    ['mood', 3.9, 'higher'],
    ['mood', 3.86, 'same'],
    ['number', 5, undefined],
  ]);
});

it('the comparison of a week has a bounded number of questions', () => {
  const many = Array.from({length: 30}, () => question('mood', period(monday, 4)));
  expect(compareWeeks(many, monday)).toHaveLength(limits.weekQuestions);
});
