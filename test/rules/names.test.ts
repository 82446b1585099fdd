import {describe, expect, it} from '@jest/globals';
import {readSources} from '../../scripts/testing/imports.mjs';

/** Unusual words in names, each with the standard words. */
const usual: Readonly<Record<string, string>> = {
  acquaintances: 'known members',
  anew: 'again, uncached',
  door: 'entry point',
  drawn: 'suffix, generated',
  fault: 'error, failure',
  faults: 'errors, failures',
  kit: 'deps',
  lane: 'pool, row',
  nobody: 'no member',
  patience: 'timeouts',
  place: 'membership, position, index',
  places: 'memberships, positions, indices',
  pump: 'scheduler',
  seal: 'encrypt',
  sealed: 'encrypted',
  settle: 'resolve, catch up',
  somebody: 'member, someone',
  standing: 'status, role',
  standings: 'statuses, roles',
  stands: 'is, exists',
  tell: 'notify, describe',
  told: 'notified',
  unborn: 'provisional',
  unseal: 'decrypt',
  visit: 'request, tab',
  visitor: 'browser',
  whoever: 'anyone',
  whom: 'member',
};

/** Allowed names that are in the API. */
const kept: ReadonlySet<string> = new Set(['team_places']);
/**
 * Allowed names that one file needs for external data: a field in Redis, `webhook listen --json`, test data.
 */
const keptIn: ReadonlySet<string> = new Set([
  'src/service/slack/run-refreshes.ts: place',
  'src/cli/webhook-listener.ts: fault',
  'src/cli/webhook-listen.ts: fault',
  'src/store/webhooks/claim-codec.ts: fault',
  'test/api/webhooks/webhook-settings.test.ts: anew',
  'test/bot/questions.test.ts: place',
  'test/api/openapi/refusals.test.ts: nobody',
  'test/cli/webhook.test.ts: fault',
]);

const notCode = /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

const declarations =
  /\b(?:const|let|var|function\*?|class|interface|type|enum)\s+([\w$]+)|[({[,]\s*(?:readonly\s+|\.{3})?([\w$]+)\??(?=\s*[:=,})\]])|^\s*(?:readonly\s+)?([\w$]+)\??(?=\s*[:(<])/gm;

/** Finds declared names with unusual words, and ignores comments and strings. */
function privateNames(source: string): string[] {
  const found = [...source.replaceAll(notCode, ' ').matchAll(declarations)];
  const names = new Set(found.map(([, declared, listed, member]) => declared ?? listed ?? member ?? ''));
  return [...names].filter(
    (name) => !kept.has(name) && partsOf(name).some((part) => Object.hasOwn(usual, part)),
  );
}

/**
 * Splits a name into words. `findTeamPlace` and `find_team_place` have the words `find`, `team` and `place`.
 */
function partsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .map((part) => part.toLowerCase());
}

const sources = [...readSources(['src', 'web', 'test', 'bench', 'demo', 'scripts', 'packages'])].filter(
  // Files in test/rules/ list the unusual words as keys.
  ([file]) => !file.startsWith('test/rules/'),
);

describe('the name of a function, type or variable', () => {
  it.each(['src', 'web', 'test', 'bench', 'demo', 'scripts', 'packages'])(
    'has only words that other engineers know, in %s',
    (folder) => {
      const own = sources.filter(([file]) => file.startsWith(`${folder}/`));
      expect(own.length).toBeGreaterThan(10);
      const found = own.flatMap(([file, source]) => privateNames(source).map((name) => `${file}: ${name}`));
      expect(found.filter((name) => !keptIn.has(name))).toEqual([]);
    },
  );

  it('is reported for an unusual word where it is declared, and not in a text or a comment', () => {
    const source = [
      "const drawnPart = find('a place');",
      '// The door',
      'interface Kit {',
      '  readonly whomTo: `told`;',
      '}',
      'function find({fault: error}: Fault, soonPlace = 1) {',
    ];
    expect(privateNames(source.join('\n'))).toEqual(['drawnPart', 'Kit', 'whomTo', 'fault', 'soonPlace']);
  });
});

it('the path of each file has only words that other engineers know', () => {
  const paths = sources.map(([file]) => file);
  // Tests of injected failures and their command are called `faults`.
  const others = paths.filter((file) => !/^(?:test|scripts)\/faults/.test(file));
  expect(others.filter((file) => file.split(/[/.-]/).some((part) => Object.hasOwn(usual, part)))).toEqual([]);
});
