import {describe, expect, test} from '@jest/globals';
import {parseCommand} from '../../src/bot/typed/parse-command.js';
import {buildMentionIndex} from '../../src/bot/slack/rich-text/mentions.js';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {convertBlocksToPlainText} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {toRichText} from '../../src/bot/slack/rich-text/show-text.js';
import {parseQuestions} from '../../src/bot/slack/setup/question-lines.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {readEvent} from '../../src/bot/slack/typing/read-event.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {completeQuestion, type Question} from '../../src/domain/questions/question.js';
import {replayConversation, parseTypedCommand, type TypedDraft} from '../../src/domain/slack/typing.js';
import {asId} from '../support/ids.js';

const names = namesFromRequest(translationFor().texts);

/** CPU time in ms, because other processes may use the machine too. */
function timed(work: () => void): number {
  const began = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(began).user / 1_000;
}

const pieces = [
  '!',
  '.',
  '?',
  '? ',
  ' ',
  '\t',
  '\n',
  ',',
  '1,',
  '1 ',
  ' and',
  ',\n ',
  'a ',
  ':a',
  'i am ',
  '2026-',
  '👍',
];
const longOf = (piece: string, length: number) =>
  `a${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}b`;

describe('regression: long input', () => {
  test.each(pieces.map((piece) => [JSON.stringify(piece), piece]))(
    'is read without delay when it repeats %s',
    (_, piece) => {
      const text = longOf(piece, 40_000);
      const event = {type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', ts: '1.000001', text};
      const read = timed(() => {
        parseTypedCommand(text);
        readEvent(event, names);
        for (const command of ['', 'ooo ', 'post ', 'undo ']) parseCommand(command + text);
      });
      expect(read).toBeLessThan(500);
    },
  );

  test.each(['text', 'number', 'choice', 'yes_no', 'mood'] as const)(
    'is read without delay when it is a draft full of answers to a %s question',
    (type) => {
      const more = type === 'choice' ? {options: ['One', 'Two'], multiple: true} : {};
      const question = completeQuestion({key: 'q', label: 'Q', type, required: true, ...more} as Question);
      for (const piece of ['!', ' ', '1,', ' and']) {
        const messages = Array.from({length: 60}, (_, i) => {
          const text = longOf(piece, 3_990);
          return {ts: `${100 + i}.000001`, text, now: text};
        });
        const draft: TypedDraft = {
          id: 'd',
          teams: [{id: asId('t'), date: '2026-11-24'}],
          asks: 'questions',
          version: 1,
          questions: [question],
          given: {},
          words: messages,
        };
        expect(timed(() => void replayConversation(draft))).toBeLessThan(500);
      }
    },
  );

  test.each([' ', ' *', '[', '[]', '] ', '* '])(
    'is read without delay when the questions of a team repeat %j',
    (piece) => {
      const line = longOf(piece, 3_000);
      expect(timed(() => void parseQuestions(line, [], en))).toBeLessThan(100);
    },
  );

  test('is read without delay when rich text has a hundred thousand pieces', () => {
    const texts = Array.from({length: 100_000}, (_, i) => ({
      type: 'text',
      text: 'x',
      style: {bold: i % 2 === 0, italic: i % 3 === 0, strike: i % 5 === 0, code: i % 7 === 0},
    }));
    const read = (elements: object[]) =>
      timed(() => void convertBlocksToPlainText({type: 'rich_text', elements}, names));
    expect(read([{type: 'rich_text_section', elements: texts}])).toBeLessThan(3_000);
    expect(read(texts.map((one) => ({type: 'rich_text_section', elements: [one]})))).toBeLessThan(3_000);
    const items = texts.slice(0, 10_000).map((one, i) => ({
      type: 'rich_text_list',
      indent: i % 2 === 0 ? i : -i,
      style: i % 3 === 0 ? 'ordered' : 'bullet',
      offset: 1e308,
      elements: [{type: 'rich_text_section', elements: [one]}],
    }));
    expect(read(items)).toBeLessThan(1_000);
  });

  test('is read without delay when a thousand names begin alike', () => {
    const people = Array.from({length: 1_000}, (_, i) => ({name: `${'a'.repeat(70)}${i}`, user: `U${i}`}));
    const text = ['@'.repeat(40_000), `@${'a'.repeat(69)} `.repeat(560)].join('\n');
    expect(timed(() => void toRichText(text, buildMentionIndex(people)))).toBeLessThan(500);
  });
});
