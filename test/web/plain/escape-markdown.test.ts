import {expect, it} from '@jest/globals';
import {escapeMarkdown as escapeOfServer} from '../../../src/domain/core/escape-markdown.js';
import {plainText} from '../../../src/domain/core/markdown.js';
import {escapeMarkdown} from '../../../web/parts/escape-markdown.ts';
import {formattedTexts, hostileTexts, writeRandomText} from '../../support/formatted-texts.js';
import {createChance} from '../../support/seeded-random.js';

const chance = createChance(7);
const random = Array.from({length: 10_000}, () => writeRandomText(chance));
const texts = [...formattedTexts.map(([text]) => text), ...Object.values(hostileTexts), ...random];

it('a plain text looks the same once it is escaped for a field with formatting', () => {
  const differs = (text: string) => plainText(escapeMarkdown(text)) !== text;
  expect(texts.filter(differs)).toEqual([]);
});

it.each([
  ['Shipped the importer.', 'Shipped the importer.'],
  ['- a\n1. b', '\\- a\n1\\. b'],
  ['*done* snake_case 2 * 3', '\\*done\\* snake_case 2 * 3'],
  ['See https://a.example/x_y*z, please', 'See https://a.example/x_y*z, please'],
  ['(https://a.example/x) [it]', '(https://a.example/x) \\[it]'],
  ['C:\\new\\*.log', 'C:\\new\\\\\\*.log'],
])('the dashboard escapes %j as little as the service does', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
  expect(escapeOfServer(text)).toBe(escaped);
});
