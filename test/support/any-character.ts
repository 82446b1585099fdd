import fc, {type Arbitrary} from 'fast-check';

/** Range of the surrogates, which are code points but not characters. */
const surrogates = {first: 0xd800, count: 0x800};

/**
 * Any character of Unicode, for `fc.string({unit: anyCharacter})`. fast-check's own unit `binary` gives the
 * same characters, but first builds a table of all of them, which takes seconds.
 */
export const anyCharacter: Arbitrary<string> = fc
  .integer({min: 0, max: 0x10ffff - surrogates.count})
  .map((at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count));
