import {expect, it} from '@jest/globals';
import {createCursors} from '../../../src/api/http/cursor.js';
import {parsePass} from '../../../src/domain/tokens/session.js';
import {createCipher} from '../../../src/store/core/cipher.js';

// Made by version 0.1.0. During an upgrade each version reads the texts that the other one has given to clients
// and browsers. A version that needs another form must read these forms, too.

const cipher = createCipher('a secret key for tests, 32 characters or more');

it('a cursor that version 0.1.0 has signed is read', () => {
  const cursors = createCursors(cipher.derive('cursor'));
  const scope = 'ws_01ke6p4ym07fk9s1s2m8xq4vbt standups';
  expect(cursors.decode('wlhJLhjTUrtGdgi641', scope)).toBe('41');
  expect(cursors.encode('41', scope)).toBe('wlhJLhjTUrtGdgi641');
});

it('the cookie of a session that version 0.1.0 has begun is read', () => {
  const secret = 'Zm9yLWFkYS1hbmQtZm9yLW5vYm9keS1lbHNlLWV2ZXI';
  expect(parsePass(`ws_01ke6p4ym07fk9s1s2m8xq4vbt.7s9c2x4r8a6bvd0m.${secret}`)).toEqual({
    workspace: 'ws_01ke6p4ym07fk9s1s2m8xq4vbt',
    suffix: '7s9c2x4r8a6bvd0m',
    secret,
  });
});

it.each([
  ['of a provider', 'sign-in', 'trip', 'AquIR0N0ckx173u_94MAmdKha9f1SsrFMuoG5GjBXNINU29kwk-agndNHZyge10U'],
  [
    'by a passkey',
    'passkey',
    'sign-in',
    '4LvhmD28DHQT30B5CSnj_Gr6Kpj3hlysam6Z5TQ4oBakK9tjvZmOCD4ypFLl7SRvF7wuX2Na6A',
  ],
] as const)(
  'the cookie of a sign-in %s that version 0.1.0 has begun is decrypted',
  (_, purpose, context, encrypted) => {
    expect(JSON.parse(cipher.decrypt(purpose, context, encrypted))).toEqual(
      purpose === 'passkey' ? {challenge: 'c', until: 2} : {state: 's', at: 1},
    );
  },
);
