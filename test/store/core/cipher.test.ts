import {describe, expect, it} from '@jest/globals';
import {createCipher} from '../../../src/store/core/cipher.js';

const key = 'one secret key of at least 32 characters';
const other = 'another secret key of at least 32 characters';

describe('an encrypted text', () => {
  const cipher = createCipher(key);
  const encrypted = cipher.encrypt('webhook-secret', 'whk_1', 'whsec_geheim 🔑');

  it('is decrypted with the same key, purpose and context', () => {
    expect(createCipher(key).decrypt('webhook-secret', 'whk_1', encrypted)).toBe('whsec_geheim 🔑');
  });

  it('is not decrypted with another key, purpose or context, so that it cannot be used elsewhere', () => {
    expect(() => createCipher(other).decrypt('webhook-secret', 'whk_1', encrypted)).toThrow(/SECRET_KEY/);
    expect(() => cipher.decrypt('shown-once', 'whk_1', encrypted)).toThrow();
    expect(() => cipher.decrypt('webhook-secret', 'whk_2', encrypted)).toThrow();
  });

  it('is not decrypted if a byte is changed or missing', () => {
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

  it('differs each time, and contains nothing of the plain text', () => {
    expect(cipher.encrypt('webhook-secret', 'whk_1', 'whsec_geheim 🔑')).not.toBe(encrypted);
    expect(Buffer.from(encrypted, 'base64url').includes('geheim')).toBe(false);
  });
});

it('a text encrypted with the earlier key can still be decrypted, while new texts use the new key', () => {
  const encrypted = createCipher(key).encrypt('signing-key', 'current', 'text');
  const changed = createCipher(other, key);
  expect(changed.decrypt('signing-key', 'current', encrypted)).toBe('text');
  const fresh = changed.encrypt('signing-key', 'current', 'text');
  expect(createCipher(other).decrypt('signing-key', 'current', fresh)).toBe('text');
  expect(() => createCipher(key).decrypt('signing-key', 'current', fresh)).toThrow();
});

it('a derived key depends on the secret key and the purpose, and is the same in every process', () => {
  expect(createCipher(key).derive('cursor')).toEqual(createCipher(key).derive('cursor'));
  expect(createCipher(key).derive('cursor')).not.toEqual(createCipher(key).derive('check'));
  expect(createCipher(key).derive('cursor')).not.toEqual(createCipher(other).derive('cursor'));
});
