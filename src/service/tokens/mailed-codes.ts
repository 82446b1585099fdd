import {refusalForPeople} from '../../domain/core/errors.js';
import {
  type CodeSubject,
  createCodeExpiredError,
  createSignInCode,
  createWrongCodeError,
  normalizeSignInCode,
} from '../../domain/tokens/sign-in-code.js';
import type {ServiceContext} from '../core/context.js';

/** A code, and the instant (ms) at which it was asked for. */
export interface StartedCode {
  readonly code: string;
  readonly at: number;
}

/** Codes that prove an address, of members and of others. */
export function createMailedCodes({signInCodes, generateSecret, sha256, mail}: ServiceContext) {
  return {
    /** Starts a code. Errors: `forbidden` while mail is off; `rate_limited`. */
    async start(subject: CodeSubject, deadline: number): Promise<StartedCode> {
      if (mail === undefined) throw refusalForPeople('forbidden', 'Email is off here.');
      const code = createSignInCode(sha256(generateSecret()));
      const {at, waitMs} = await signInCodes.ask(subject, code, deadline);
      if (waitMs === 0) return {code, at};
      const retryAfter = Math.ceil(waitMs / 1_000);
      const text = `You can get another code in ${retryAfter} s.`;
      throw refusalForPeople('rate_limited', text, {retryAfter});
    },
    /** Uses a code up. Returns when it was asked for (ms). Errors: `invalid_token`. */
    async take(subject: CodeSubject, typed: string, deadline: number): Promise<number> {
      const tried = await signInCodes.take(subject, normalizeSignInCode(typed), deadline);
      if (tried.kind === 'wrong') throw createWrongCodeError(tried.left);
      if (tried.kind === 'gone') throw createCodeExpiredError();
      return tried.at;
    },
  };
}
