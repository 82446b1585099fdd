import {expect, it} from '@jest/globals';
import {listMentions} from '../../../src/domain/core/mentions.js';
import {
  findMentionQuery,
  insertMention,
  orderSuggestions,
} from '../../../web/parts/formatting/mention-query.ts';

const find = (text: string) => {
  const at = text.length;
  return findMentionQuery({text, from: at, to: at})?.words;
};

it.each([
  ['@', ''],
  ['Ask @gr', 'gr'],
  ['Ask @Grace Ho', 'Grace Ho'],
  ['- @Jean-Luc', 'Jean-Luc'],
  ['(@o’brien', 'o’brien'],
  ['**@Zoë', 'Zoë'],
  ['first\n@a', 'a'],
  ['Ask @Grace ', undefined],
  ['mail ada@example', undefined],
  ['@one two three four', undefined],
  ['@gr, then', undefined],
  ['@\n', undefined],
  ['Ask Grace', undefined],
  [`@${'x'.repeat(41)}`, undefined],
])('the letters behind @ are looked for, and end with a mention: %j asks for %j', (text, words) => {
  expect(find(text)).toBe(words);
});

it('nothing is looked for while text is selected', () => {
  expect(findMentionQuery({text: '@ada', from: 0, to: 4})).toBeUndefined();
});

it('a chosen name becomes a mention that the service reads, whatever is in the name', () => {
  const text = 'Ask @gr';
  const asked = findMentionQuery({text, from: 7, to: 7});
  const id = 'mem_01h455vb4pex5vsknk084sn02q';
  for (const name of ['Grace Hopper', 'A]B [c](d)', '*A* `b` _c_', '\\']) {
    const {from, to, insert, select} = insertMention(asked ?? {from: 0, to: 0}, {id, name});
    expect([from, to, select[0]]).toEqual([4, 7, 4 + insert.length]);
    expect(listMentions(text.slice(0, from) + insert)).toMatchObject([{id, name}]);
  }
});

it('people of the team are suggested first, each once, by words that begin so', () => {
  const team = ['Ada Lovelace', 'Grace Hopper', 'Zoë Gray'].map((name) => ({id: name, name}));
  const others = ['Grace Hopper', 'Graham Bell'].map((name) => ({id: name, name}));
  const order = (words: string, most = 6) =>
    orderSuggestions(words, team, others, most).map(({name}) => name);
  expect(order('gra')).toEqual(['Grace Hopper', 'Zoë Gray', 'Graham Bell']);
  expect(order('zoe g')).toEqual(['Zoë Gray', 'Grace Hopper', 'Graham Bell']);
  expect(order('', 2)).toEqual(['Ada Lovelace', 'Grace Hopper']);
});
