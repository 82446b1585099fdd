import {readFileSync} from 'node:fs';
import path from 'node:path';
import luaparse from 'luaparse';
import {compileLua, listLuaFiles, readLuaFile} from '../compile-lua.mjs';
import {StopError, say} from '../console.mjs';
import {root} from '../paths.mjs';

/** The names that Redis gives to every script. */
const given = new Set(
  `KEYS ARGV redis cjson cmsgpack struct bit string table math assert error ipairs next pairs pcall select tonumber
  tostring type unpack`.split(/\s+/),
);
/** The variables that the first steps of a commit declare for the others. */
const ofCommit = 'time now quota headKey head sequence first at conditions asked nth keptKey isFull'.split(
  ' ',
);
const maxWidth = 110;

export function checkLua() {
  const violations = lintLua();
  for (const violation of violations) say(violation);
  if (violations.length > 0) throw new StopError(`${violations.length} defects in Lua files.`);
}

/**
 * Returns the defects of all Lua files: errors of the parser, unknown names, unused variables, unused includes,
 * and lines that are too long. Includes are checked inside the scripts that include them.
 */
export function lintLua(folder) {
  const files = listLuaFiles(folder);
  try {
    compileLua(folder);
  } catch (error) {
    if (error instanceof StopError) return [error.message];
    throw error;
  }
  const violations = new Set(files.flatMap(checkLines));
  const declared = new Map();
  const included = new Set();
  for (const lua of files.map(readLuaFile).filter(({kind}) => kind !== 'include')) {
    const lines = composeLines(lua);
    for (const {file} of lines) included.add(file);
    for (const found of checkNames(lua, lines, declared)) violations.add(found);
  }
  for (const [what, isUsed] of declared) if (!isUsed) violations.add(`${what} is never used`);
  for (const file of files)
    if (!included.has(file)) violations.add(`${relative(file)}: no script includes it`);
  return [...violations];
}

function relative(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

function checkLines(file) {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line, i) => {
      const at = `${relative(file)}:${i + 1}`;
      const wrong = [];
      if (line.length > maxWidth) wrong.push(`${at}: longer than ${maxWidth} characters`);
      if (!/^(?: {2})*(?:\S|$)/.test(line)) wrong.push(`${at}: not indented by 2 spaces`);
      // The compiler removes comments line by line.
      if (/--\[=*\[|\[=*\[/.test(line)) wrong.push(`${at}: has a comment or text of several lines`);
      return wrong;
    });
}

const isInclude = (line) => typeof line !== 'string';

/** Returns the lines of a script with all includes in place, each with its file. */
function composeLines(lua) {
  const constants = new Set();
  const done = new Set();
  const expand = ({file, kind, lines, constants: own}) => {
    for (const name of own) constants.add(name);
    // Only in a script may lines precede an include.
    const ordered =
      kind === 'script' ? lines : [...lines.filter(isInclude), ...lines.filter((line) => !isInclude(line))];
    return ordered.flatMap((line) => {
      if (typeof line === 'string') return [{file, text: line}];
      if (done.has(line.file)) return [];
      done.add(line.file);
      return expand(line);
    });
  };
  const body = expand(lua);
  const isOwn = ({file}) => file === lua.file;
  const names = [...lua.keys, ...lua.args, ...lua.fixed].map((name) => name.replace('...', ''));
  const parameters = names.length === 0 ? [] : [{file: lua.file, text: `local ${names.join(', ')}`}];
  const heads = constants.size === 0 ? [] : [{file: lua.file, text: `local ${[...constants].join(', ')}`}];
  // A fragment comes after its includes, which are at the head of the commit.
  if (lua.kind === 'script') return [...heads, ...body];
  return [...heads, ...body.filter((line) => !isOwn(line)), ...parameters, ...body.filter(isOwn)];
}

/**
 * Checks the names in one script. `declared`: whether each variable of each file is used in any script so far.
 */
function checkNames(lua, lines, declared) {
  const violations = [];
  const text = lines.map((line) => line.text).join('\n');
  let tree;
  try {
    tree = luaparse.parse(text, {luaVersion: '5.1', locations: true, comments: false});
  } catch (error) {
    const {file, text: line} = lines[(error.line ?? 1) - 1] ?? lines[0];
    return [`${relative(file)}: ${error.message} in: ${line.trim()}`];
  }
  const known = new Map(lua.kind === 'fragment' ? ofCommit.map((name) => [name, undefined]) : []);

  function declare(scope, {name, loc}) {
    const {file, text: line} = lines[loc.start.line - 1];
    const what = `${relative(file)}: ${name} in: ${line.trim()}`;
    scope.set(name, what);
    const isShared = lua.kind === 'fragment' && ofCommit.includes(name);
    if (name !== '_' && !isShared && !declared.has(what)) declared.set(what, false);
  }

  function use(scopes, {name, loc}) {
    const scope = scopes.findLast((one) => one.has(name));
    if (scope !== undefined) {
      const what = scope.get(name);
      if (what !== undefined && declared.has(what)) declared.set(what, true);
    } else if (!given.has(name)) {
      const {file, text: line} = lines[loc.start.line - 1];
      violations.push(`${relative(file)}: unknown name ${name} in: ${line.trim()}`);
    }
  }

  function walkBlock(body, scopes, names = []) {
    const inner = [...scopes, new Map()];
    for (const name of names) if (name.type === 'Identifier') declare(inner.at(-1), name);
    for (const statement of body) walk(statement, inner);
    return inner;
  }

  function walk(node, scopes) {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, scopes));
    if (node === null || typeof node !== 'object' || node.type === undefined) return undefined;
    switch (node.type) {
      case 'Identifier':
        return use(scopes, node);
      case 'LocalStatement':
        walk(node.init, scopes);
        return node.variables.forEach((name) => declare(scopes.at(-1), name));
      case 'FunctionDeclaration':
        if (node.isLocal) declare(scopes.at(-1), node.identifier);
        else walk(node.identifier, scopes);
        return void walkBlock(node.body, scopes, node.parameters);
      case 'ForNumericStatement':
        walk([node.start, node.end, node.step], scopes);
        return void walkBlock(node.body, scopes, [node.variable]);
      case 'ForGenericStatement':
        walk(node.iterators, scopes);
        return void walkBlock(node.body, scopes, node.variables);
      case 'RepeatStatement':
        return walk(node.condition, walkBlock(node.body, scopes));
      case 'MemberExpression':
        return walk(node.base, scopes);
      case 'TableKeyString':
        return walk(node.value, scopes);
      default:
        for (const [field, value] of Object.entries(node)) {
          if (field === 'body') walkBlock(value, scopes);
          else if (field !== 'loc') walk(value, scopes);
        }
        return undefined;
    }
  }

  walkBlock(tree.body, [known]);
  return violations;
}
