import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {formatAnswers} from '../../../src/domain/questions/answers.js';
import type {ShownStandup, Team} from '../../../web/api/schema.ts';
import {composeAnswersText} from '../../../web/write/compose.ts';
import {beginDraft, convertDraft, mergeDrafts} from '../../../web/write/draft.ts';
import {layOutEditForm} from '../../../web/write/lay-out-edit.ts';
import {layOutNewForm} from '../../../web/write/lay-out.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {createFakeBrowser, type FakeBrowser} from './browser.ts';

let browser: FakeBrowser;

beforeAll(async () => {
  browser = createFakeBrowser();
  await loadTexts('more');
});
afterAll(() => browser.close());

const question = (key: string, type = 'text') => ({key, type, label: `*${key}* \`1\``, required: false});
const answer = (key: string, value: string | number, type = 'text') => ({
  question: key,
  type,
  label: `*${key}* \`1\``,
  value,
});
const posted = (given: Partial<ShownStandup>) =>
  ({update: '', answers: [], date: '2026-11-20', ...given}) as unknown as ShownStandup;
const team = (questions: readonly unknown[] = []) => ({slug: 'platform', questions}) as unknown as Team;
const layOutNew = (given: Parameters<typeof beginDraft>[0], last: ShownStandup, questions?: unknown[]) =>
  layOutNewForm({draft: beginDraft(given), teams: [team(questions)], last, date: '2026-11-23'});

it('the dashboard composes formatted answers as the service does', () => {
  const answers = [
    answer('today', '**Done**\n- a'),
    answer('hours', -5, 'number'),
    answer('mood', 4, 'mood'),
  ];
  for (const format of ['plain', 'markdown'] as const) {
    expect(composeAnswersText(answers, format)).toBe(formatAnswers(answers as never, format));
  }
});

describe('the form of a new standup', () => {
  it('is prefilled from a plain text so that it looks the same', () => {
    const last = posted({update: 'Today\n- fix *.log\n\nBlockers\nCI'});
    expect(layOutNew({format: 'markdown'}, last).values).toEqual({yesterday: '\\- fix \\*.log'});
    expect(layOutNew({}, last).values).toEqual({yesterday: '- fix *.log'});
  });

  it('is prefilled from a formatted text with its formatting', () => {
    const last = posted({update: 'x', format: 'markdown', answers: [answer('today', '- **fix**')] as never});
    const asked = [{...question('yesterday'), fill_from: 'today'}];
    expect(layOutNew({format: 'markdown'}, last, asked).values).toEqual({yesterday: '- **fix**'});
  });

  it('escapes labels of questions that are no longer asked, and not what was typed for them', () => {
    const draft = {format: 'markdown', values: {gone: '**Mine**'}, questions: [question('gone')]} as const;
    const {values, leftover} = layOutNew(draft, posted({update: 'x'}), [question('other', 'mood')]);
    expect(leftover).toHaveLength(1);
    expect(values['+beside']).toBe('\\*gone\\* \\`1\\`: **Mine**');
  });
});

describe('the form of an edit', () => {
  const answers = [answer('today', '- a'), answer('gone', '*x*'), answer('hours', 3, 'number')] as never;
  const asked = [question('today'), question('hours', 'number')] as never;

  it('keeps the notation of its standup, and says nothing of it', () => {
    const update = composeAnswersText(answers);
    const {said, change} = layOutEditForm(posted({update, answers}), {}, asked, 'plain');
    expect([said.format, 'format' in change]).toEqual(['plain', false]);
    const formatted = posted({update: composeAnswersText(answers, 'markdown'), answers, format: 'markdown'});
    const laidOut = layOutEditForm(formatted, {}, asked, 'markdown');
    expect(laidOut.values).toEqual({today: '- a', hours: 3});
    expect('format' in laidOut.change).toBe(false);
  });

  it('escapes everything when a plain standup gets formatting, also what it does not show', () => {
    const update = `${composeAnswersText(answers)}\n\n*Beside*`;
    const {values, change} = layOutEditForm(posted({update, answers}), {}, asked, 'markdown');
    expect(values).toEqual({today: '\\- a', hours: 3, '+beside': '\\*Beside\\*'});
    expect(change).toMatchObject({
      format: 'markdown',
      answers: [
        {question: 'today', value: '\\- a'},
        {question: 'hours', value: 3},
        {question: 'gone', value: '\\*x\\*'},
      ],
    });
  });

  it('sends the text of blockers as it is in the update', () => {
    const formatted = posted({update: 'Today\nWork\n\nBlockers\n**CI**', format: 'markdown'});
    const {change} = layOutEditForm(formatted, {today: 'More'}, [], 'markdown');
    expect(change).toEqual({update: 'Today\nMore\n\nBlockers\n**CI**', blockers: '**CI**'});
  });
});

describe('drafts of two notations', () => {
  it('a plain draft becomes Markdown without another look, except for its numbers', () => {
    const questions = [question('hours', 'number')] as never;
    const draft = beginDraft({values: {today: '*a*', hours: '3.', tools: ['*']}, questions});
    expect(convertDraft(draft, 'plain')).toBe(draft);
    expect(convertDraft(draft, 'markdown')).toMatchObject({
      format: 'markdown',
      values: {today: '\\*a\\*', hours: '3.', tools: ['*']},
    });
  });

  it('are merged in Markdown, and nothing of either is lost', () => {
    const [plain, formatted] = [
      beginDraft({values: {today: '*a*'}}),
      beginDraft({values: {today: '**b**'}, format: 'markdown'}),
    ];
    expect(mergeDrafts(plain, formatted)).toMatchObject({
      format: 'markdown',
      values: {today: '\\*a\\*\n**b**'},
    });
    expect(mergeDrafts(formatted, plain)).toMatchObject({
      format: 'markdown',
      values: {today: '**b**\n\\*a\\*'},
    });
    expect(mergeDrafts(plain, undefined)).toBe(plain);
  });
});
