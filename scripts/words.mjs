import './dev-hooks.mjs';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from './paths.mjs';
import {listTexts} from './texts.mjs';

const {en: frame} = await import('../web/words/en.ts');
const {today} = await import('../web/words/en/today.ts');
const {enMore} = await import('../web/words/en-more.ts');
const {enLeading} = await import('../web/words/en-leading.ts');
const {en: slack} = await import('../src/bot/words/en.ts');
const {runCommand} = await import('../src/cli/run-command.ts');

/** `npm run words`: prints every text that people read, by channel, to be read in one go. */
print('Dashboard', listTexts({...frame, today, ...enMore, ...enLeading}));
print('Slack', listTexts(slack));
print('Command', await listHelp([]));
print('API', listDescriptions(JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'))));

function print(channel, texts) {
  const lines = texts.map(([key, text]) => `${key}\n    ${text.replaceAll('\n', '\n    ')}\n`);
  process.stdout.write(`\n# ${channel}: ${texts.length} texts\n\n${lines.join('')}`);
}

/** The help of a command and of the commands below it. */
async function listHelp(command) {
  let help = '';
  const write = (text) => {
    help += text;
  };
  await runCommand({args: [...command, '--help'], env: {}, print: write, warn: write});
  const [, below = ''] = help.split('Commands:\n');
  const names = [...below.matchAll(/^ {2}([\w-]+)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
  const rest = await Promise.all(names.map((name) => listHelp([...command, name])));
  return [[['standup', ...command].join(' '), help.trim()], ...rest.flat()];
}

/** Each description once, under the first place that has it. */
function listDescriptions(part, place = '', seen = new Map()) {
  for (const [name, value] of Object.entries(part)) {
    const key = place === '' ? name : `${place}.${name}`;
    const isText = ['summary', 'description', 'title', 'detail', 'help'].includes(name);
    if (isText && typeof value === 'string' && !seen.has(value)) seen.set(value, key);
    else if (typeof value === 'object' && value !== null) listDescriptions(value, key, seen);
  }
  return [...seen].map(([text, key]) => [key, text]);
}
