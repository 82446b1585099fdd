import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {compileLua, listLuaFiles, readLuaFile} from '../../scripts/compile-lua.mjs';
import {lintLua} from '../../scripts/testing/lint-lua.mjs';
import {luaConstants} from '../../src/store/core/lua-constants.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lua-'));
  mkdirSync(path.join(folder, 'include'));
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Writes Lua files into an empty folder, and returns their defects without the path of the folder. */
function lint(files: Readonly<Record<string, string>>): string[] {
  for (const file of listLuaFiles(folder)) rmSync(file);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return lintLua(folder).map((defect) => defect.replaceAll(/\S*\/lua-[^/]*\//g, ''));
}

it('the Lua of the store has no errors, unknown names, unused variables or long lines', () => {
  expect(lintLua()).toEqual([]);
});

it('no TypeScript file of src contains Lua', () => {
  const files = readdirSync('src', {recursive: true, encoding: 'utf8'}).filter(
    (file) => file.endsWith('.ts') && !file.includes('compiled'),
  );
  const withLua = files.filter((file) =>
    /redis\.p?call\(['"](?!TIME)/.test(readFileSync(`src/${file}`, 'utf8')),
  );
  expect(withLua).toEqual([]);
});

it('every constant that TypeScript offers to Lua is used', () => {
  const used = new Set(listLuaFiles().flatMap((file) => readLuaFile(file).constants));
  expect(Object.keys(luaConstants).filter((name) => !used.has(name))).toEqual([]);
});

it.each([
  ['a syntax error', "if redis.call('GET', KEYS[1]) then\n", /^a\.lua: .*expected near/],
  ['an unknown name', 'return foo\n', /^a\.lua: unknown name foo in: return foo$/],
  ['a variable that is used before its declaration', 'return n\n', /unknown name n/],
  ['an assignment to a global variable', 'n = 1\n', /unknown name n in: n = 1/],
  ['an unused variable', 'local n = 1\n', /^a\.lua: n in: local n = 1 is never used$/],
  ['an unused parameter', 'local function f(n) return 1 end\nreturn f(1)\n', /n in: local function f\(n\)/],
  [
    'a missing include',
    '--- @include "include/missing"\n',
    /^a\.lua includes include\/missing\.lua, which does/,
  ],
  ['an unknown directive', '--- @icnlude "x"\n', /unknown directive/],
  ['a long line', `return '${'x'.repeat(110)}'\n`, /^a\.lua:1: longer than 110 characters$/],
  ['wrong indentation', 'do\n   return 1\nend\n', /^a\.lua:2: not indented by 2 spaces$/],
  [
    'a comment of several lines',
    '--[[ x\n]]\nreturn 1\n',
    /^a\.lua:1: has a comment or text of several lines$/,
  ],
])('the check of Lua finds %s', (_, text, defect) => {
  expect(lint({'a.lua': text})).toContainEqual(expect.stringMatching(defect));
});

it('the check of Lua accepts a function that only one of several scripts uses', () => {
  const both = 'local function one() return 1 end\nlocal function two() return 2 end\n';
  const use = (name: string) => `--- @include "include/both"\nreturn ${name}()\n`;
  expect(lint({'include/both.lua': both, 'a.lua': use('one'), 'b.lua': use('two')})).toEqual([]);
  expect(lint({'include/both.lua': both, 'a.lua': use('one')})).toEqual([
    'include/both.lua: two in: local function two() return 2 end is never used',
  ]);
  expect(lint({'include/both.lua': both})).toEqual(['include/both.lua: no script includes it']);
});

it('a script contains each include once, before the lines that need it, and no comments', () => {
  lint({
    'include/one.lua': '-- A comment.\nlocal one = 1\n',
    'include/two.lua': '--- @include "one"\nlocal two = one + 1\n',
    'a.lua': '#!lua\n-- A head.\n--- @include "include/two"\n--- @include "include/one"\nreturn two\n',
  });
  const code = compileLua(folder).join('');
  expect(code).toContain(
    String.raw`export const aScript = script("#!lua\n" + declareConstants([]) + [oneInclude.body, twoInclude.body, "return two"].join('\n'));`,
  );
  expect(code).not.toContain('A comment');
});
