import {createHash} from 'node:crypto';
import {luaConstants} from './lua-constants.js';

/** A Lua script and its SHA-1 digest, by which the server knows it. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** A piece of Lua from which commits are composed. scripts/compile-lua.mjs makes it from a file. */
export interface Fragment {
  readonly name: string;
  /** The local names of its keys, arguments and constants, in order. A last name with `...` is a table. */
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly fixed: readonly string[];
  readonly constants: readonly (keyof typeof luaConstants)[];
  /** The Lua that must stand before it, once in a script. */
  readonly includes: readonly string[];
  readonly body: string;
}

export function script(source: string): Script {
  return {source, sha: createHash('sha1').update(source).digest('hex')};
}

/** True for a script that declares in its first line that it only reads. */
export function isReadOnly({source}: Script): boolean {
  return source.startsWith('#!lua flags=no-writes');
}

/** Returns the Lua that declares constants of the service as local variables. */
export function declareConstants(names: Iterable<keyof typeof luaConstants>): string {
  const values = [...names].map((name) => [name, JSON.stringify(luaConstants[name])] as const);
  if (values.length === 0) return '';
  return `local ${values.map(([name]) => name).join(', ')} = ${values.map(([, value]) => value).join(', ')}\n`;
}
