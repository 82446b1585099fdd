import './dev-hooks.mjs';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {parse, TYPE} from '@formatjs/icu-messageformat-parser';
import {root} from './paths.mjs';
import {readSources} from './testing/imports.mjs';
import {listMessages} from './compile-messages.mjs';
import {readCatalogues} from './generated.mjs';

const {runCommand} = await import('../src/cli/run-command.ts');
const {runStandup} = await import('../packages/cli/src/run.ts');
const languageNames = new Intl.DisplayNames(['en'], {type: 'language'});

/**
 * `npm run words`: prints all texts that people read, grouped by channel, for review. `-- --sample SEED`:
 * prints a random sample of 40 of them, and of comments, function names and test titles.
 */
const channels = {
  ...Object.fromEntries(
    [...readCatalogues()].flatMap(([language, {dashboard, slack, mail}]) => {
      const suffix = language === 'en' ? '' : `In${languageNames.of(language)}`;
      return [
        [`Dashboard${suffix}`, listTexts(dashboard)],
        [`Slack${suffix}`, listTexts(slack)],
        [`Mail${suffix}`, listTexts(mail)],
      ];
    }),
  ),
  Command: await listHelp(runCommand, ['standup-admin']),
  CommandForPeople: await listHelp(runStandup, ['standup']),
  API: listDescriptions(JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'))),
};
if (process.argv[2] === '--sample') printSample(process.argv[3] ?? '');
else for (const [channel, texts] of Object.entries(channels)) print(channel, texts);

function print(channel, texts) {
  const lines = texts.map(([key, text]) => `${key}\n    ${text.replaceAll('\n', '\n    ')}\n`);
  process.stdout.write(`\n# ${channel}: ${texts.length} texts\n\n${lines.join('')}`);
}

/** Lists the texts of a catalogue: a message with cases has a line for each. */
function listTexts(catalogue) {
  return listMessages(catalogue).map(([key, message]) => [
    key,
    listCases(parse(message, {ignoreTag: true})).join('\n'),
  ]);
}

/** Writes out the cases of a message. A gap is shown as its name: `posted by {name}`. */
function listCases(elements, count) {
  return elements.reduce(
    (texts, {type, value, options = {}}) => {
      const parts =
        type === TYPE.literal
          ? [value]
          : type === TYPE.select || type === TYPE.plural
            ? Object.values(options).flatMap((option) => listCases(option.value, value))
            : [`{${type === TYPE.pound ? count : value}}`];
      return texts.flatMap((text) => parts.map((part) => `${text}${part}`));
    },
    [''],
  );
}

/** Lists the help texts of a command, named by its words, and of its subcommands. */
async function listHelp(run, words) {
  let help = '';
  const write = (text) => {
    help += text;
  };
  await run({args: [...words.slice(1), '--help'], env: {}, version: '0', print: write, warn: write});
  const [, below = ''] = help.split('Commands:\n');
  const names = [...below.matchAll(/^ {2}([\w-]+)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
  const rest = await Promise.all(names.map((name) => listHelp(run, [...words, name])));
  return [[words.join(' '), help.trim()], ...rest.flat()];
}

/** Lists each description once, under the first key that has it. */
function listDescriptions(part, at = '', seen = new Map()) {
  for (const [name, value] of Object.entries(part)) {
    const key = at === '' ? name : `${at}.${name}`;
    const isText = ['summary', 'description', 'title', 'detail', 'help'].includes(name);
    if (isText && typeof value === 'string' && !seen.has(value)) seen.set(value, key);
    else if (typeof value === 'object' && value !== null) listDescriptions(value, key, seen);
  }
  return [...seen].map(([text, key]) => [key, text]);
}

/** Prints a random sample of the texts. The same seed gives the same sample. */
function printSample(seed) {
  const take = (found, amount) => {
    const once = [...new Map(found.map(([file, text]) => [text, [file, text]])).values()];
    return once.toSorted((a, b) => (hashText(seed, a[1]) < hashText(seed, b[1]) ? -1 : 1)).slice(0, amount);
  };
  const code = [...readSources(['src', 'web', 'scripts', 'test/support', 'bench'])];
  const tests = [...readSources(['test'])].filter(([file]) => file.endsWith('.test.ts'));
  const find = (files, pattern) =>
    files.flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map(([all, part]) => [file, (part ?? all).trim()]),
    );
  print('Comments', take(find(code, /\/\*\*[^]*?\*\/|(?:^ *\/\/.*\n)+/gm), 60));
  print('Functions', take(find(code, /\bfunction (\w+)\(/g), 40));
  const titles = tests.flatMap(([file, text]) => listTitles(text).map((title) => [file, title]));
  print('Titles', take(titles, 30));
  print('Texts', take(Object.values(channels).flat(), 40));
}

/** Lists the titles of tests as a failing run shows them: the titles of the groups come first. */
function listTitles(text) {
  const groups = [];
  const titles = [];
  /**
   * The kinds of tables of tests (`describe.each([` …), by indentation. A table's title follows below its
   * rows.
   */
  const tables = new Map();
  const head = /^( *)(?:(describe|it|test)(\.each\b)?[^\n'"`]*|[\])]+)\(\s*(?:(['"`].*['"`]),)?/gm;
  for (const [, indent, kind = tables.get(indent), isTable, title] of text.matchAll(head)) {
    if (isTable !== undefined) tables.set(indent, kind);
    if (title === undefined) continue;
    while (groups.length > 0 && groups.at(-1).indent >= indent.length) groups.pop();
    if (kind === 'describe') groups.push({indent: indent.length, title});
    else titles.push([...groups.map((group) => group.title), title].join(' › '));
  }
  return titles;
}

function hashText(seed, text) {
  return createHash('sha256').update(`${seed} ${text}`).digest('hex');
}
