import {computeEditDistance, isSwapOfNeighbors} from '../domain/core/text.js';
import {environment} from './environment.js';
import {inFiles} from './secret-files.js';

const names = Object.keys(environment.shape);
const named: readonly string[] = [...names, ...inFiles.map((name) => `${name}_FILE`)];

/** Finds variables that look like misspelt settings, also `NAME_FILE` for one that allows no file. */
export function findMisspeltSettings(given: Readonly<Record<string, string | undefined>>): string[] {
  const has = (name: string) => Boolean(given[name]?.trim());
  const unset = named.filter((name) => !has(name) && isDistinctiveName(name));
  return Object.keys(given).flatMap((name) => {
    if (!has(name) || named.includes(name)) return [];
    const [, whole] = /^(.+)_FILE$/.exec(name) ?? [];
    if (whole !== undefined && names.includes(whole))
      return [`${name}: ${whole} cannot stand in a file; set ${whole} itself.`];
    const meant = unset.find((one) => isMisspelling(name, one));
    return meant === undefined ? [] : [`${name}: is no setting. Did you mean ${meant}? Rename or remove it.`];
  });
}

/** False for short names such as HOST or ROLES, which other programs often use. */
function isDistinctiveName(name: string): boolean {
  return name.includes('_');
}

function isMisspelling(typed: string, name: string): boolean {
  const bound = name.length < 12 ? 1 : name.length < 18 ? 2 : 3;
  if (Math.abs(typed.length - name.length) > bound) return false;
  const upper = typed.toUpperCase();
  return isSwapOfNeighbors(upper, name) || computeEditDistance(upper, name) <= bound;
}
