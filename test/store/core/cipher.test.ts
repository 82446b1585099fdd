import {describe, expect, it} from '@jest/globals';
import {createCipher} from '../../../src/store/core/cipher.js';

const key = 'one secret key of at least 32 characters';
const other = 'another secret key of at least 32 characters';

describe('an encrypted text', () => {
  const cipher = createCipher(key);
  const encrypted = cipher.encrypt('webhook-secret', 'whk_1', 'whsec_geheim 🔑');

  it('opens with the key, the purpose and the context it was encrypted with', () => {
    expect(createCipher(key).decrypt('webhook-secret', 'whk_1', encrypted)).toBe('whsec_geheim 🔑');
  });

  it('opens with no other key, purpose or context, so that it cannot be moved', () => {
    expect(() => createCipher(other).decrypt('webhook-secret', 'whk_1', encrypted)).toThrow(/SECRET_KEY/);
    expect(() => cipher.decrypt('shown-once', 'whk_1', encrypted)).toThrow();
    expect(() => cipher.decrypt('webhook-secret', 'whk_2', encrypted)).toThrow();
  });

  it('does not open when a byte of it is changed or missing', () => {
    const bytes = Buffer.from(encrypted, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => cipher.decrypt('webhook-secret', 'whk_1', changed.toString('base64url'))).toThrow();
    }
    for (const text of ['', 'A', encrypted.slice(0, 20), encrypted.slice(0, -2)]) {
      expect(() => cipher.decrypt('webhook-secret', 'whk_1', text)).toThrow();
    }
  });

  it('differs each time, and shows nothing of the text', () => {
    expect(cipher.encrypt('webhook-secret', 'whk_1', 'whsec_geheim 🔑')).not.toBe(encrypted);
    expect(Buffer.from(encrypted, 'base64url').includes('geheim')).toBe(false);
  });
});

it('opens with the earlier key after a change of the key, while the new key encrypts', () => {
  const encrypted = createCipher(key).encrypt('signing-key', 'current', 'text');
  const changed = createCipher(other, key);
  expect(changed.decrypt('signing-key', 'current', encrypted)).toBe('text');
  const fresh = changed.encrypt('signing-key', 'current', 'text');
  expect(createCipher(other).decrypt('signing-key', 'current', fresh)).toBe('text');
  expect(() => createCipher(key).decrypt('signing-key', 'current', fresh)).toThrow();
});

it('depends on a key for its purpose, the same in every process', () => {
  expect(createCipher(key).derive('cursor')).toEqual(createCipher(key).derive('cursor'));
  expect(createCipher(key).derive('cursor')).not.toEqual(createCipher(key).derive('check'));
  expect(createCipher(key).derive('cursor')).not.toEqual(createCipher(other).derive('cursor'));
});
