import {expect, it} from '@jest/globals';
import {plainText} from '../../../src/domain/core/markdown.js';
import {escapeMarkdown} from '../../../src/domain/core/escape-markdown.js';
import {limits} from '../../../src/domain/core/limits.js';
import {listMentions, renameMentions, restoreMentions} from '../../../src/domain/core/mentions.js';
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

it.each([
  ['@Grace', `[@Grace](mention:${grace})`],
  ['@Grace. @Gracey, \\[@Grace, `@Grace`', `[@Grace](mention:${grace}). @Gracey, \\[@Grace, \`@Grace\``],
  ['`@Grace` and **@Grace**', `\`@Grace\` and **[@Grace](mention:${grace})**`],
  ['@Grace Hopper, @Grace', `[@Grace Hopper](mention:${team}), [@Grace](mention:${grace})`],
  ['Grace', 'Grace'],
])('the names in %j are mentions again if they were before', (text, restored) => {
  const before = [`[@Grace](mention:${grace})`, `- [@Grace Hopper](mention:${team})`];
  expect(restoreMentions(text, before)).toBe(restored);
  expect(plainText(restored)).toBe(plainText(text));
});

it('two mentions of the same name are restored in their order', () => {
  const before = [`[@Ada \\[x\\]](mention:${grace}) [@Ada \\[x\\]](mention:${team})`];
  const text = escapeMarkdown('@Ada [x], @Ada [x], @Ada [x]');
  expect(listMentions(restoreMentions(text, before)).map(({id}) => id)).toEqual([grace, team]);
});

it('mentions are restored within 100 ms in the longest text, whatever marks it has', () => {
  const before = [`[@a](mention:${grace}) `.repeat(limits.mentions)];
  const texts = ['`@a`', '@a ', '\\[@a', '@a*', '> @a\n', '@ab '].map((part) =>
    part.repeat(Math.floor(4_000 / part.length)),
  );
  for (const text of [...texts, `\`${'@a '.repeat(1_330)}\``, ...Object.values(hostileTexts)]) {
    const times = Array.from({length: 2}, () => {
      const begun = process.threadCpuUsage();
      restoreMentions(text, before);
      return process.threadCpuUsage(begun).user / 1_000;
    });
    expect([text, Math.min(...times) < 100]).toEqual([text, true]);
  }
});
