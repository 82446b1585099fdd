import {expect, it} from '@jest/globals';
import {plainText} from '../../../src/domain/core/markdown.js';
import {listMentions, renameMentions} from '../../../src/domain/core/mentions.js';
import {formattedTexts, hostileTexts, writeRandomText} from '../../support/formatted-texts.js';
import {createChance} from '../../support/seeded-random.js';

const [grace, team] = ['mem_01h455vb4pex5vsknk084sn02q', 'team_01h455vb4pex5vsknk084sn02q'];

it.each([
  [`[@Grace Hopper](mention:${grace})`, [`${grace} Grace Hopper`]],
  [`- **[@A\\_b](mention:${grace})** and [@Web](mention:${team})`, [`${grace} A_b`, `${team} Web`]],
  [`> [@x](mention&#58;${grace})`, [`${grace} x`]],
  [`\`[@x](mention:${grace})\` \\[@x](mention:${grace})`, []],
  [`[Ada](mention:${grace}) ![@x](mention:${grace}) [@x](mention:mem_1)`, []],
  ['nothing', []],
])('the mentions in %j are those that channels show', (text, mentions) => {
  expect(listMentions(text).map(({id, name}) => `${id} ${name}`)).toEqual(mentions);
});

it.each([
  'Ada',
  'A]B',
  '[x](https://evil.example)',
  '*A*',
  '\\',
  'a`b`c',
  '&amp;',
  '<b>',
  '~~a~~',
  'a_b_',
  'https://a.b',
  '🙂',
])('a mention can show any name, such as %j, and stays a mention', (name) => {
  const text = `Ask [@Grace](mention:${grace}), **[@Grace](mention:${grace})**.`;
  const renamed = renameMentions(text, () => name);
  expect(listMentions(renamed).map((one) => one.name)).toEqual([name, name]);
  expect(plainText(renamed)).toBe(`Ask @${name}, @${name}.`);
});

it('new names change nothing but the labels of mentions, whatever else is in the text', () => {
  const chance = createChance(12);
  const texts = [...formattedTexts.map(([text]) => text), ...Object.values(hostileTexts)];
  for (let i = 0; i < 500; i++)
    texts.push(`${writeRandomText(chance)} [@a](mention:${grace}) ${writeRandomText(chance)}`);
  for (const text of texts) {
    expect(renameMentions(text, ({name}) => name)).toBe(text);
    const renamed = renameMentions(text, () => 'Ada B');
    expect(renamed.replaceAll('@Ada B', '')).toBe(renameMentions(text, () => 'Cy').replaceAll('@Cy', ''));
  }
});
