import {readFileSync} from 'node:fs';
import {expect, it} from '@jest/globals';
import {listLuaFiles} from '../../../scripts/compile-lua.mjs';
import {createScriptGuard} from '../../../src/store/core/guarded-scripts.js';
import {script} from '../../../src/store/core/script.js';

/**
 * Commands of our scripts after which their key exists as before, or longer. EXPIRE and PEXPIRE are among them,
 * because every lifetime is positive. PEXPIREAT is the last command of its script.
 */
const keepsItsKey = new Set(
  [
    'EXISTS EXPIRE PEXPIRE PEXPIREAT PEXPIRETIME PTTL MEMORY SCAN TIME',
    'GET GETRANGE INCR MGET SET',
    'HEXISTS HGET HGETALL HINCRBY HKEYS HMGET HSET HSETNX HVALS',
    'LPUSH LRANGE RPUSH SADD SCARD',
    'XADD XRANGE XREVRANGE XSETID',
    'ZADD ZCARD ZCOUNT ZINCRBY ZMSCORE ZRANGE ZRANK ZSCORE',
  ].flatMap((line) => line.split(' ')),
);

const sources = listLuaFiles().map((file) => readFileSync(file, 'utf8'));
const guard = createScriptGuard();
const key = '{ws_x}:one';

function isGuarded(source: string): boolean {
  const [, keys] = guard(script(source), [key]);
  return keys.length > 1;
}

it('a script with a command that may empty a key is guarded while a slot moves', () => {
  const used = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/redis\.p?call\(\s*'([A-Z]+)'/g)].map(([, name]) => name ?? ''),
    ),
  );
  expect(used.size).toBeGreaterThan(40);
  for (const command of used) {
    const guarded = isGuarded(`redis.call('${command}', KEYS[1])`);
    expect({command, guarded}).toEqual({command, guarded: !keepsItsKey.has(command)});
  }
});

it('the guard adds one key of the same slot, which the script does not see', () => {
  const [{source}, keys] = guard(script("#!lua\nredis.call('DEL', KEYS[1])"), [key]);
  expect(keys).toEqual([key, '{ws_x}:absent']);
  expect(source).toBe("#!lua\ntable.remove(KEYS)\nredis.call('DEL', KEYS[1])");
  expect(isGuarded("#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])")).toBe(false);
});

it('no script of the store names the key that never exists', () => {
  expect(sources.filter((text) => text.includes(':absent'))).toEqual([]);
});
