import {describe, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {
  changeEmoji,
  countEmoji,
  isEmoji,
  reactionChangeSchema,
} from '../../../src/domain/reactions/reaction.js';
import {asId} from '../../support/ids.js';

const emoji: Record<string, string> = {
  'a plain one': '👍',
  'a heart with its variation selector': '❤️',
  'a skin tone': '👍🏽',
  'a family of four joined by ZWJ': '👨‍👩‍👧‍👦',
  'a couple with two skin tones': '🧑🏻‍❤️‍💋‍🧑🏿',
  'a profession with a skin tone': '👩🏾‍💻',
  'the flag of a country': '🇩🇪',
  'the flag of a part of a country': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'the rainbow flag': '🏳️‍🌈',
  'a keycap': '1️⃣',
  'a name': ':party_parrot:',
  'a name with all other characters': ":+1-o'clock:",
  'the longest name': `:${'a'.repeat(64)}:`,
};
const others: Record<string, string> = {
  'no text': '',
  'a blank': ' ',
  'two emoji': '👍👍',
  'an emoji and a blank': '👍 ',
  'an emoji and a letter': '👍a',
  'half of a flag': '🇩',
  'a flag of no country': '🇽🇽',
  'a skin tone on what has none': '🎉🏽',
  'an open joiner': '👩‍',
  'a sequence that no system draws': '👍‍👎',
  'a digit': '1',
  'a text that looks like a heart': '❤',
  'a lone surrogate': '\ud83d',
  'a name without letters': '::',
  'an open name': ':tada',
  'a name in capitals': ':Tada:',
  'a name with a blank': ':ta da:',
  'two names': ':tada::tada:',
  'a name that is too long': `:${'a'.repeat(65)}:`,
  'a name with a line end': ':tada:\n',
  'a tag of HTML': '<b>',
};

describe('an emoji', () => {
  it.each(Object.entries(emoji))('is accepted: %s', (_, text) => expect(isEmoji(text)).toBe(true));
  it.each(Object.entries(others))('is refused: %s', (_, text) => expect(isEmoji(text)).toBe(false));
});

it('a change with more emoji than a standup may have is refused', () => {
  const subject = 'std_01h455vb4pex5vsknk084sn02q';
  const add = Array.from({length: limits.emojiPerSubject + 1}, (_, i) => `:e${i}:`);
  expect(reactionChangeSchema.safeParse({subject, add}).success).toBe(false);
  expect(reactionChangeSchema.safeParse({subject, add: add.slice(1)}).success).toBe(true);
});

it('an emoji that is added twice is there once, and one that is added and removed stays', () => {
  expect(changeEmoji(['👍'], {add: ['👍', '🎉', '🎉']})).toEqual(['👍', '🎉']);
  expect(changeEmoji(['👍', '🎉'], {add: ['👍'], remove: ['👍', '👀']})).toEqual(['🎉', '👍']);
});

it('a count of emoji names the first of many people, and says whether the caller is among them', () => {
  const author = (i: number) => ({type: 'member', id: asId<'member'>(`mem_${i}`), name: `P${i}`}) as const;
  const many = limits.namesPerEmoji + 5;
  const all = Array.from({length: many}, (_, i) => ({
    author: author(i),
    emoji: i === 1 ? ['👍', '🎉'] : ['👍'],
  }));
  const names = Array.from({length: limits.namesPerEmoji}, (_, i) => `P${i}`);
  expect(countEmoji(all, 'mem_0')).toEqual([
    {emoji: '👍', count: many, mine: true, by: names},
    {emoji: '🎉', count: 1, mine: false, by: ['P1']},
  ]);
});
