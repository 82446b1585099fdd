import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from '@jest/globals';
import {lifetimes, limits, processBounds, streaming} from '../../src/domain/core/limits.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {asId} from '../support/ids.js';

const text = readFileSync('docs/security-evidence.md', 'utf8');
const section = text.split(/^## /m).find((part) => part.startsWith('What a caller can make grow')) ?? '';
const [, inProcess = '', inRedis = ''] = section.split(/^### /m);

/** Splits the rows of a Markdown table into cells. */
function rowsOf(part: string): string[][] {
  const rows = part.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what |'));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Parses a table cell that lists files, each followed by names. */
function referencesIn(cell: string): {file: string; names: string[]}[] {
  return cell.split(';').map((reference) => {
    const [file = '', ...names] = quoted(reference);
    return {file, names};
  });
}

interface GrowingCollection {
  readonly file: string;
  readonly name: string;
}

/**
 * Finds collections that outlive a call: those at module level, and those of factories such as `create…`.
 * Constant sets are ignored.
 */
function collectionsIn(file: string, source: string): GrowingCollection[] {
  const found: GrowingCollection[] = [];
  let outlivesCall = true;
  for (const line of source.split('\n')) {
    const begun = /^(?:export )?(?:async )?function (\w+)/.exec(line);
    if (begun !== null) outlivesCall = /^(?:create|open|bound|start)[A-Z]/.test(begun[1] ?? '');
    else if (line === '}') outlivesCall = true;
    const made =
      /^ {0,2}(?:private readonly|readonly|const|let) (\w+)(?:: ([^=]+(?:=> [^=]+)?))? = (new (?:Map|Set|LRUCache|WeakMap)\b.*|\[\];)/.exec(
        line,
      );
    if (made === null || !outlivesCall) continue;
    const [, name = '', type = '', value = ''] = made;
    if (type.startsWith('Readonly') || value.startsWith('new Set([')) continue;
    found.push({file, name});
  }
  return found;
}

const sources = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.ts') && !name.startsWith('cli/'))
  .map((name) => `src/${name}`);
const collections = sources.flatMap((file) => collectionsIn(file, readFileSync(file, 'utf8')));
/** Collections whose size depends only on the code, or on the servers, so that no caller can make them grow. */
const ofTheCode = [
  'src/bot/texts/translation.ts: catalogues',
  'src/compose-core.ts: stack',
  'src/dashboard/shell.ts: assets',
  'src/service/tokens/service-accounts.ts: named',
  'src/mcp/mcp.ts: byOperation',
  'src/mcp/tools.ts: byOperation',
  'src/store/webhooks/attempt-records.ts: errorsByCode',
  'src/store/core/cipher.ts: keys',
  'src/store/core/connection.ts: clocks',
  'src/store/core/wires.ts: channels',
  'src/store/core/earlier-records.ts: added',
  'src/store/core/guarded-scripts.ts: guarded',
  'src/store/core/time-source.ts: rewritten',
];

describe('the table of what grows in a process', () => {
  const rows = rowsOf(inProcess);
  const references = rows.flatMap(([, , where = '']) => referencesIn(where));

  it('lists every collection that the source keeps in memory', () => {
    const listed = new Set(references.flatMap(({file, names}) => names.map((name) => `${file}: ${name}`)));
    const kept = collections.map(({file, name}) => `${file}: ${name}`);
    expect(kept.length).toBeGreaterThan(40);
    expect(kept.filter((name) => !listed.has(name) && !ofTheCode.includes(name))).toEqual([]);
  });

  it('names only collections that exist', () => {
    const all = references.flatMap(({file, names}) => names.map((name) => ({file, name})));
    const absent = all.filter(
      ({file, name}) => !new RegExp(`\\b${name}\\b.* = `).test(readFileSync(file, 'utf8')),
    );
    expect(absent).toEqual([]);
    expect(references.filter(({file}) => !sources.includes(file))).toEqual([]);
  });

  it('is checked by a scan that finds the collections of a source', () => {
    const source = [
      'const names = new Set([1]);',
      'export function createThing(): Thing {',
      '  const seen = new Map<string, () => void>();',
      '  const all: readonly string[] = [];',
      '}',
      'function count(): number {',
      '  const found = new Map<string, number>();',
      '}',
      'const kept = new LRUCache<string, true>({max: 1});',
    ].join('\n');
    expect(collectionsIn('x', source).map(({name}) => name)).toEqual(['seen', 'all', 'kept']);
  });
});

describe('the table of what grows in Redis', () => {
  it('lists every Redis key', () => {
    const named = rowsOf(inRedis).flatMap(([, , keys = '']) => quoted(keys));
    const known = [...Object.keys(workspaceKeys(asId('ws'))), ...Object.keys(globalKeys)];
    expect(named.toSorted()).toEqual(known.toSorted());
  });
});

describe('the limits in the tables of what grows', () => {
  const groups: Readonly<Record<string, object>> = {limits, processBounds, lifetimes, streaming};
  const named = [...rowsOf(inProcess), ...rowsOf(inRedis)].flatMap(([, bound = '', where = '']) =>
    [...bound.matchAll(/`([\w.]+)` \(([\d,]+)( MiB)?\)/g)].map(([, name = '', number = '', unit]) => ({
      name,
      value: Number(number.replaceAll(',', '')) * (unit === undefined ? 1 : 1024 * 1024),
      files: referencesIn(where).map(({file}) => file),
    })),
  );

  it.each(named)('$name is $value in the code', ({name, value, files}) => {
    const [group = '', member] = name.split('.');
    if (member !== undefined) {
      expect(Object.entries(groups[group] ?? {})).toContainEqual([member, value]);
      return;
    }
    const values = files.flatMap((file) => {
      const [, product] = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(readFileSync(file, 'utf8')) ?? [];
      if (product === undefined) return [];
      return product.split('*').reduce((result, factor) => result * Number(factor.replaceAll('_', '')), 1);
    });
    expect(values).toContain(value);
  });

  it('include every limit of a process', () => {
    const listed = new Set(named.map(({name}) => name));
    expect(Object.keys(processBounds).filter((name) => !listed.has(`processBounds.${name}`))).toEqual([]);
  });
});
