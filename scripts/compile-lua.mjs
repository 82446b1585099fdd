import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {StopError} from './console.mjs';
import {listFiles} from './files.mjs';
import {root} from './paths.mjs';

const storeFolder = path.join(root, 'src', 'store');
/** The folder of the module that contains all Lua of the store. */
export const luaFolder = path.join(storeFolder, 'core', 'compiled');
const banner = '// Compiled from src/store/**/*.lua by scripts/compile-lua.mjs.\n';

export function listLuaFiles(folder = storeFolder) {
  return listFiles(folder).filter((file) => file.endsWith('.lua'));
}

/**
 * Compiles the Lua files of the store into one TypeScript module. A file in a folder `include` becomes an
 * `…Include`, a file in `commit/steps` a `…Lua` (a fragment of a commit), and every other file a `…Script`.
 */
export function compileLua(folder = storeFolder) {
  const all = listLuaFiles(folder).map(readLuaFile);
  const files = new Map(all.flatMap((lua) => [...collectIncludes(lua), lua]).map((lua) => [lua.file, lua]));
  const names = [...files.values()].map(nameExport);
  const [twice] = names.filter((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new StopError(`Two Lua files have the name ${twice}.`);
  const imports = `import {declareConstants, type Fragment, script} from '../script.js';\n`;
  const lines = [...files.values()].map((lua) => `export const ${nameExport(lua)} = ${compileFile(lua)};\n`);
  return [[path.join(luaFolder, 'lua.ts'), [banner, imports, ...lines].join('\n')]];
}

const suffixes = {include: 'Include', fragment: 'Lua', script: 'Script'};

function nameExport({name, kind}) {
  return name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase()) + suffixes[kind];
}

function compileFile(lua) {
  const included = collectIncludes(lua);
  const constants = JSON.stringify([...new Set([...included, lua].flatMap((one) => one.constants))]);
  if (lua.kind === 'script') {
    const parts = expandLines(lua).map((part) =>
      typeof part === 'string' ? JSON.stringify(part) : nameBody(part),
    );
    return `script(${JSON.stringify(lua.head)} + declareConstants(${constants}) + [${parts.join(', ')}].join('\\n'))`;
  }
  const {name, keys, args, fixed, lines} = lua;
  const body = lines.filter((line) => typeof line === 'string').join('\n');
  const fields = JSON.stringify({name, keys, args, fixed, body}).slice(1, -1);
  const includes = `[${included.map(nameBody).join(', ')}]`;
  return `{${fields}, "constants": ${constants}, "includes": ${includes}} as const satisfies Fragment`;
}

function nameBody(lua) {
  return `${nameExport(lua)}.body`;
}

/** Returns the texts of a script, with its includes in between, each once and after those that it includes. */
function expandLines(lua) {
  const parts = [];
  const done = new Set();
  let text = [];
  for (const line of lua.lines) {
    if (typeof line === 'string') {
      text.push(line);
      continue;
    }
    if (text.length > 0) parts.push(text.join('\n'));
    text = [];
    for (const included of [...collectIncludes(line), line]) {
      if (!done.has(included.file)) parts.push(included);
      done.add(included.file);
    }
  }
  return text.length > 0 ? [...parts, text.join('\n')] : parts;
}

/** Lists the files that a file includes, each once and after those that it includes itself. */
export function collectIncludes(lua, found = new Map()) {
  for (const line of lua.lines) {
    if (typeof line === 'string' || found.has(line.file)) continue;
    collectIncludes(line, found);
    found.set(line.file, line);
  }
  return [...found.values()];
}

/**
 * Reads a Lua file without its comments. Lines that begin with `--- @` are directives: `include "path"` (from
 * the file, without `.lua`), `const` (names of store/core/lua-constants.ts), and for a fragment of a commit
 * `keys`, `args` and `fixed`: the local names of its keys, its arguments, and the values in the script. A last
 * name that ends with `...` is a table of the rest.
 */
export function readLuaFile(file) {
  const found = {const: [], keys: [], args: [], fixed: []};
  const lines = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, directive, value] = /^--- @(\w+) (.+)$/.exec(line) ?? [];
    if (directive === undefined) {
      if (!/^\s*(?:--|$)/.test(line)) lines.push(line);
    } else if (directive === 'include') {
      const included = path.resolve(path.dirname(file), `${value.replaceAll('"', '')}.lua`);
      if (!existsSync(included)) throw new StopError(`${file} includes ${included}, which does not exist.`);
      lines.push(readLuaFile(included));
    } else if (directive in found) found[directive].push(...value.split(', '));
    else throw new StopError(`${file} has an unknown directive: ${line}`);
  }
  const head = String(lines[0]).startsWith('#!') ? `${lines.shift()}\n` : '';
  const {const: constants, ...names} = found;
  return {file, name: path.basename(file, '.lua'), kind: findKind(file), head, lines, constants, ...names};
}

function findKind(file) {
  const folders = path.dirname(file).split(path.sep);
  if (folders.includes('include')) return 'include';
  return folders.includes('steps') ? 'fragment' : 'script';
}
