import {expect, it} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from '../../scripts/paths.mjs';
import {maxWordsOfSentence, unusual} from './usual-words.js';

const documents = ['.', 'docs', 'docs/decisions', 'docs/explanation', 'docs/operating'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);
/** Documents for users, who do not know the code. */
const ofUsers = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/README.md',
  'docs/webhooks.md',
  'docs/api.md',
  'docs/dashboard.md',
  'docs/schedules.md',
  'docs/slack.md',
  'docs/channels.md',
  'docs/command.md',
  'docs/operating.md',
  ...documents.filter((document) => document.startsWith('docs/operating/')),
];

const read = (document: string) => readFileSync(path.join(root, document), 'utf8');

/** Removes code, images, link addresses, and labels and test titles in “quotes”. */
function textOf(document: string): string {
  return document
    .replaceAll(/^ *```[^]*?^ *```/gm, '')
    .replaceAll(/`[^`]*`|“[^”]*”|!\[[^\]]*\]/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

/** Splits the text into sentences, without headings and tables. A list item and a colon begin a sentence. */
function sentencesOf(document: string): string[] {
  const paragraphs = textOf(document)
    .replaceAll(/^(?:#|\||<).*$/gm, '')
    .split(/\n\s*\n|\n\s*(?=(?:-|\d+\.) )/);
  return paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?:][*)]*)\s+/));
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

const unusualLines = (document: string) =>
  textOf(document)
    .split('\n')
    .filter((line) => unusual.test(line));

const longSentences = (document: string) =>
  sentencesOf(document).filter((sentence) => wordsOf(sentence).length > maxWordsOfSentence);

it.each(documents)('the document %s uses the usual words', (document) => {
  expect(unusualLines(read(document))).toEqual([]);
});

it.each(ofUsers)('no sentence of %s has more than 25 words', (document) => {
  expect(longSentences(read(document))).toEqual([]);
});

it('the check of documents finds an unusual word in a text and a table, and not in code or the title of a test', () => {
  const lines = ['A member is told.', '| who | somebody |', '`whoever` and “is told”', '```\nanew\n```'];
  expect(unusualLines(lines.join('\n'))).toEqual(['A member is told.', '| who | somebody |']);
});

it('the check of documents finds a long sentence in a paragraph and a list, and not in a table or across a colon', () => {
  const words = (count: number) => Array.from({length: count}, () => 'word').join(' ');
  const fits = [`${words(25)}.`, `${words(20)}: ${words(20)}.`, `- ${words(20)}\n- ${words(20)}`];
  const ignored = [`| ${words(26)} |`, `${words(25)} \`some code\``, `\`\`\`\n${words(26)}\n\`\`\``];
  expect(longSentences(fits.join('\n\n'))).toEqual([]);
  expect(longSentences(ignored.join('\n\n'))).toEqual([]);
  expect(longSentences(`${words(26)}.\n\n- ${words(26)}`)).toHaveLength(2);
});
