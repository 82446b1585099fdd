import {cleanName} from '../domain/core/clean-name.js';

const maxLength = 80;

/** Prepares a name that other people chose for a line or a subject. */
export function showName(name: string): string {
  const characters = Array.from(cleanName(name));
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

/**
 * Prepares a name for a mail to a person who is no member. Mail clients make links of addresses by themselves,
 * so a name that may be one is left out: it is empty.
 */
export function showNameToStranger(name: string): string {
  const shown = showName(name);
  return /[.。@/:]/.test(shown.normalize('NFKC')) ? '' : shown;
}
