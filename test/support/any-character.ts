import fc, {type Arbitrary} from 'fast-check';

/** Range of the surrogates, which are code points but not characters. */
const surrogates = {first: 0xd800, count: 0x800};

/**
 * Generates any character of Unicode, for `fc.string({unit: anyCharacter})`. The unit `binary` of fast-check
 * generates the same characters, but takes seconds to start, since it first builds a table of all of them.
 */
export const anyCharacter: Arbitrary<string> = fc
  .integer({min: 0, max: 0x10ffff - surrogates.count})
  .map((at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count));
