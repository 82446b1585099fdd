import {describe, expect, it} from '@jest/globals';
import {createSealer} from '../../../src/store/core/seal.js';

const key = 'one secret key of at least 32 characters';
const other = 'another secret key of at least 32 characters';

describe('an encrypted text', () => {
  const sealer = createSealer(key);
  const sealed = sealer.seal('webhook-secret', 'whk_1', 'whsec_geheim 🔑');

  it('opens with the key, the purpose and the context it was encrypted with', () => {
    expect(createSealer(key).open('webhook-secret', 'whk_1', sealed)).toBe('whsec_geheim 🔑');
  });

  it('opens with no other key, purpose or context, so that it cannot be moved', () => {
    expect(() => createSealer(other).open('webhook-secret', 'whk_1', sealed)).toThrow(/SECRET_KEY/);
    expect(() => sealer.open('shown-once', 'whk_1', sealed)).toThrow();
    expect(() => sealer.open('webhook-secret', 'whk_2', sealed)).toThrow();
  });

  it('does not open when a byte of it is changed or missing', () => {
    const bytes = Buffer.from(sealed, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => sealer.open('webhook-secret', 'whk_1', changed.toString('base64url'))).toThrow();
    }
    for (const text of ['', 'A', sealed.slice(0, 20), sealed.slice(0, -2)]) {
      expect(() => sealer.open('webhook-secret', 'whk_1', text)).toThrow();
    }
  });

  it('differs each time, and shows nothing of the text', () => {
    expect(sealer.seal('webhook-secret', 'whk_1', 'whsec_geheim 🔑')).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64url').includes('geheim')).toBe(false);
  });
});

it('opens with the earlier key after a change of the key, while the new key encrypts', () => {
  const sealed = createSealer(key).seal('signing-key', 'current', 'text');
  const changed = createSealer(other, key);
  expect(changed.open('signing-key', 'current', sealed)).toBe('text');
  const fresh = changed.seal('signing-key', 'current', 'text');
  expect(createSealer(other).open('signing-key', 'current', fresh)).toBe('text');
  expect(() => createSealer(key).open('signing-key', 'current', fresh)).toThrow();
});

it('depends on a key for its purpose, the same in every process', () => {
  expect(createSealer(key).derive('cursor')).toEqual(createSealer(key).derive('cursor'));
  expect(createSealer(key).derive('cursor')).not.toEqual(createSealer(key).derive('check'));
  expect(createSealer(key).derive('cursor')).not.toEqual(createSealer(other).derive('cursor'));
});
