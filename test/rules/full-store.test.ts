import {expect, test} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';

const folder = 'src/store';
const sources = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => /\.(?:ts|lua)$/.test(name) && !name.includes('compiled'))
  .map((name) => ({name, text: readFileSync(path.join(folder, name), 'utf8')}))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Commands that a full Redis refuses. */
const growing = /\[\s*'(SET|SETNX|HSET|HSETNX|HINCRBY|ZADD|ZINCRBY|SADD|XADD|INCR|LPUSH|RPUSH)',/g;

test('regression: only the listed scripts may fail while Redis is full', () => {
  const refused = sources
    .filter(({name}) => name.endsWith('.lua') && !/\/(?:include|steps)\//.test(name))
    .filter(({text}) => !/^#!lua flags=(allow-oom|no-writes)(,allow-cross-slot-keys)?\n/.test(text))
    .map(({name, text}) => `${name}${text.startsWith('#!lua') ? '' : ' counts only'}`);
  expect(refused).toEqual([
    // It is for an empty installation.
    'adopt-installation.lua',
    // An import goes on when there is room.
    'begin-import.lua',
    'core/probe-store.lua counts only',
    'finish-import.lua',
    'import-part.lua',
    'note-import.lua',
    'slack/claim-slack-workspace.lua',
    // These scripts count requests. If Redis is full, the count is skipped.
    'tokens/admit-requests.lua counts only',
    'tokens/check-token.lua counts only',
    'tokens/count-failure.lua counts only',
    // A sign-in of a program would end in a token, for which there is no room.
    'tokens/start-device-login.lua',
    // A replay creates deliveries, and may wait until there is room.
    'webhooks/advance-replay.lua',
    'workspaces/create-workspace.lua',
  ]);
});

test('regression: only the listed plain commands may fail while Redis is full', () => {
  const plain = sources.flatMap(({name, text}) =>
    [...(name.endsWith('.ts') ? text : '').matchAll(growing)]
      .filter(({index}) => !/callWhenFull[^;]*$/.test(text.slice(0, index)))
      .map(([, command]) => `${path.basename(name)} ${command}`),
  );
  expect(plain.toSorted()).toEqual([
    'sign-in-returns.ts SET',
    'slack-installation-records.ts SET',
    'workspaces.ts HSETNX',
  ]);
});
