import {createHmac} from 'node:crypto';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {computeRequestAndMinuteCost, hour} from '../../domain/core/quota.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import {type CodeSubject, codeTries} from '../../domain/tokens/sign-in-code.js';
import type {Cipher} from '../core/cipher.js';
import {askSignInCodeScript, takeSignInCodeScript} from '../core/compiled/lua.js';
import type {RedisConnection} from '../core/connection.js';
import {globalKeys} from '../core/keys.js';

/** The result of a try. `at`: when the code was asked for (ms). `left`: the number of further tries. */
export type TriedCode =
  | {readonly kind: 'taken'; readonly at: number}
  | {readonly kind: 'wrong'; readonly left: number}
  | {readonly kind: 'gone'};

/**
 * The codes with which people sign in. Each belongs to an address and to the workspace as the person named it,
 * so nothing has to be looked up, and known and unknown people cost the same. Redis has only keyed hashes.
 */
export function createSignInCodes({call, run, clock}: RedisConnection, cipher: Cipher) {
  const key = cipher.derive('sign-in-code');
  const lifetimeMs = lifetimes.signInCode * 1_000;
  const quotas = [
    computeRequestAndMinuteCost(limits.codesPerHour, hour),
    computeRequestAndMinuteCost(limits.codesPerDay, 24 * hour),
  ].flatMap(({step, span}) => [String(step), String(span)]);

  const hashOf = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

  /** A code that confirms has a quota and tries of its own: anyone may use up those of an address. */
  function locate({workspace, email, confirms}: CodeSubject) {
    const named = [workspace.toLowerCase(), createEmailComparisonKey(email)];
    const subject = confirms === undefined ? named : [...named, confirms];
    const owner =
      confirms === undefined ? hashOf('address', ...named.slice(1)) : hashOf('confirms', ...subject);
    return {
      code: globalKeys.signInCode(owner, hashOf('subject', ...subject)),
      quota: globalKeys.signInCodesOf(owner),
      hashCode: (code: string) => hashOf('code', ...subject, code),
    };
  }

  return {
    /** Starts a code. `waitMs`: the time after which a code may be asked for, if it is too early. */
    async ask(
      subject: CodeSubject,
      code: string,
      deadline: number,
    ): Promise<{readonly at: number; readonly waitMs: number}> {
      const found = locate(subject);
      const [at, waitMs] = await run<[number, number]>(
        deadline,
        askSignInCodeScript,
        [found.code, found.quota],
        [
          found.hashCode(code),
          String(lifetimes.signInCodePause * 1_000),
          String(lifetimeMs),
          String(codeTries),
          ...quotas,
        ],
      );
      return {at, waitMs};
    },
    /** Tries a code. A code is taken once; after too many wrong ones, none is right. */
    async take(subject: CodeSubject, code: string, deadline: number): Promise<TriedCode> {
      const found = locate(subject);
      const args = [found.hashCode(code), String(lifetimeMs)];
      const [kind, value] = await run<[TriedCode['kind'], number]>(
        deadline,
        takeSignInCodeScript,
        [found.code],
        args,
      );
      if (kind === 'taken') return {kind, at: value};
      return kind === 'wrong' ? {kind, left: value} : {kind};
    },
    /** Returns when a code was asked for (ms); undefined if it does not sign in any more. */
    async findOpen(subject: CodeSubject, code: string, deadline: number): Promise<number | undefined> {
      const found = locate(subject);
      const fields = await call<(string | null)[]>(deadline, ['HMGET', found.code, 'code', 'at', 'left']);
      const [hash, at, left] = fields;
      const isOpen = hash === found.hashCode(code) && Number(left) > 0;
      return isOpen && clock.now() - Number(at) < lifetimeMs ? Number(at) : undefined;
    },
  };
}
