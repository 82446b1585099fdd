import {expect, test} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';

const folder = 'src/store';
const sources = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({name: path.basename(name), text: readFileSync(path.join(folder, name), 'utf8')}))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Commands that a full Redis refuses. */
const growing = /\[\s*'(SET|SETNX|HSET|HSETNX|HINCRBY|ZADD|ZINCRBY|SADD|XADD|INCR|LPUSH|RPUSH)',/g;

test('regression: only the listed scripts may fail while Redis is full', () => {
  const refused = sources.flatMap(({name, text}) =>
    [...text.matchAll(/(?:const (\w+) = )?script\(\s*[`'](.*)/g)]
      .filter(([, , first = '']) => !/^#!lua flags=(allow-oom|no-writes)(\\n|$)/.test(first))
      .map(
        ([, script = '', first = '']) =>
          `${name} ${script}${first.startsWith('#!lua') ? '' : ' counts only'}`,
      ),
  );
  expect(refused).toEqual([
    // These scripts count requests. If Redis is full, the count is skipped.
    'admissions.ts looking counts only',
    'admissions.ts taking counts only',
    'admissions.ts counting counts only',
    'probe.ts probeScript counts only',
    // A replay creates deliveries, and may wait until there is room.
    'replay-scripts.ts advanceScript',
    'slack-installation-records.ts claimScript',
    'workspaces.ts createScript',
  ]);
});

test('regression: only the listed plain commands may fail while Redis is full', () => {
  const plain = sources.flatMap(({name, text}) =>
    [...text.matchAll(growing)]
      .filter(({index}) => !/callWhenFull[^;]*$/.test(text.slice(0, index)))
      .map(([, command]) => `${name} ${command}`),
  );
  expect(plain.toSorted()).toEqual([
    'sign-in-returns.ts SET',
    'slack-installation-records.ts SET',
    'workspaces.ts HSETNX',
  ]);
});
