import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {
  composeId,
  suffixFromBytes,
  suffixOf,
  encodeBase32,
  type IdKind,
  idPrefixes,
  parseCreationTime,
  isId,
  suffixWithSequence,
  sequenceOfId,
} from '../../../src/domain/core/ids.js';

const kinds = Object.keys(idPrefixes) as IdKind[];
const bytes = fc.uint8Array({minLength: 10, maxLength: 10});
const instants = fc.integer({min: 0, max: 2 ** 48 - 1});

/**
 * Decodes the 26 characters of a TypeID to the bytes of a UUID, by the specification and without the
 * service's code.
 */
function uuidOf(suffix: string): string {
  let value = 0n;
  for (const character of suffix)
    value = value * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(character));
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

it('the example of the TypeID specification is parsed correctly', () => {
  expect(uuidOf('01h455vb4pex5vsknk084sn02q')).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  expect(isId('member', 'mem_01h455vb4pex5vsknk084sn02q')).toBe(true);
  expect(parseCreationTime('mem_01h455vb4pex5vsknk084sn02q')).toBe(0x01890a5dac96);
});

describe('an id', () => {
  it('is a TypeID with the prefix of its kind and a UUID of version 7, which contains a time and random bits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), instants, bytes, (kind, ms, random) => {
        const suffix = suffixFromBytes(random);
        const id = composeId(kind, ms, suffix);
        expect(kinds.filter((other) => isId(other, id))).toEqual([kind]);
        expect(parseCreationTime(id)).toBe(ms);
        expect(suffixOf(id)).toBe(suffix);
        const uuid = uuidOf(id.slice(-26));
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(ms);
      }),
    );
  });

  it('sorts as text by its time', () => {
    fc.assert(
      fc.property(instants, instants, bytes, (a, b, random) => {
        const suffix = suffixFromBytes(random);
        const [first, second] = [composeId('event', a, suffix), composeId('event', b, suffix)];
        expect(first < second).toBe(a < b);
      }),
    );
  });

  it('contains all 74 random bits', () => {
    const seen = new Set<string>();
    for (let bit = 0; bit < 80; bit++) {
      const random = new Uint8Array(10);
      random[bit >> 3] = 1 << (7 - (bit & 7));
      seen.add(suffixFromBytes(random));
    }
    // The four version bits and the two variant bits are not random, so they do not change the suffix.
    expect(seen.size).toBe(80 - 6 + 1);
  });

  it('can contain a sequence, which can be read back', () => {
    fc.assert(
      fc.property(bytes, fc.integer({min: 0, max: 2 ** 40 - 1}), instants, (random, sequence, ms) => {
        const part = suffixWithSequence(suffixFromBytes(random), sequence);
        const id = composeId('event', ms, part);
        expect(sequenceOfId(id)).toBe(sequence);
        expect(isId('event', id)).toBe(true);
      }),
    );
  });

  it.each([
    '',
    'std_',
    'std_01h455vb4pex5vsknk084sn02',
    'std_01h455vb4pex5vsknk084sn02qq',
    'std_81h455vb4pex5vsknk084sn02q',
    'std_01h455vb4pex5vsknk084sn02i',
    'std_01H455VB4PEX5VSKNK084SN02Q',
    'STD_01h455vb4pex5vsknk084sn02q',
    'std-01h455vb4pex5vsknk084sn02q',
    'team_01h455vb4pex5vsknk084sn02q',
    '01h455vb4pex5vsknk084sn02q',
    'std_01h455vb4pex5vsknk084sn02\n',
  ])('is not %j', (text) => {
    expect(isId('standup', text)).toBe(false);
  });
});

it('numbers in base32 have a fixed length and sort in the order of their values', () => {
  fc.assert(
    fc.property(fc.integer({min: 0, max: 2 ** 40 - 1}), fc.integer({min: 0, max: 2 ** 40 - 1}), (a, b) => {
      expect(encodeBase32(a, 8)).toHaveLength(8);
      expect(encodeBase32(a, 8) < encodeBase32(b, 8)).toBe(a < b);
    }),
  );
});
