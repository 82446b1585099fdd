import {type AppError, refusalForPeople} from '../core/errors.js';
import {encodeBase32, type Id} from '../core/ids.js';

/** A person who asks for a code by mail, before anybody knows whether they exist. */
export interface CodeSubject {
  /** The slug or id of the workspace as the person gave it; empty for the only workspace. */
  readonly workspace: string;
  readonly email: string;
  /** The member who confirms that it is them. No one else can ask for such a code, or use its tries up. */
  readonly confirms?: Id<'member'>;
}

/** The number of wrong codes after which a code is void. */
export const codeTries = 5;

/** The number of characters of a code: 40 bits. */
const codeLength = 8;

/** Returns a code from 40 random bits (or more): 8 characters of Crockford base32. */
export function createSignInCode(random: Uint8Array): string {
  const value = random.slice(0, 5).reduce((sum, byte) => sum * 256 + byte, 0);
  return encodeBase32(value, codeLength).toUpperCase();
}

/** Returns the code that a person typed, without what people add or confuse. It may be no possible code. */
export function normalizeSignInCode(typed: string): string {
  return typed
    .replaceAll(/[\s\p{Dash}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

/** Returns the address of the page that signs in by a code. The code is in the fragment, which no log sees. */
export function createCodeAddress(publicUrl: string, {workspace, email}: CodeSubject, code: string): string {
  const parts = new URLSearchParams({code, email, ...(workspace !== '' && {workspace})});
  return `${publicUrl}/app/sign-in#${parts}`;
}

/** Creates the error for a wrong code. An address that belongs to no one gets the same. */
export function createWrongCodeError(triesLeft: number): AppError {
  const text =
    triesLeft === 0
      ? 'Too many tries. Get a new code.'
      : `That code is not right. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`;
  return refusalForPeople('invalid_token', text, {triesLeft});
}

/** Creates the error for a code that was used before, is too old, or was asked for before a change of the member. */
export function createCodeExpiredError(): AppError {
  return refusalForPeople('invalid_token', 'This code has expired. Get a new one.');
}
