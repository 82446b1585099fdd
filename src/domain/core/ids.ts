/** TypeID prefixes: `<prefix>_` + 26 characters of Crockford base32 (a UUIDv7). */
export const idPrefixes = {
  workspace: 'ws',
  team: 'team',
  member: 'mem',
  team_member: 'tmb',
  service_account: 'svc',
  standup: 'std',
  standup_revision: 'rev',
  run: 'run',
  absence: 'abs',
  blocker: 'blk',
  holiday_calendar: 'cal',
  event: 'evt',
  webhook: 'whk',
  delivery: 'dlv',
  attempt: 'att',
  replay: 'rpl',
  erasure: 'era',
  access_token: 'tok',
  request: 'req',
} as const;

export type IdKind = keyof typeof idPrefixes;

declare const idBrand: unique symbol;
declare const suffixBrand: unique symbol;

/** A whole id. The type is for the compiler alone: at run time, in JSON and in Redis an id is its text. */
export type Id<K extends IdKind = IdKind> = string & {readonly [idBrand]: K};

/**
 * The suffix of an id, known before its time: neither an id, nor the suffix of another kind. A suffix
 * generated for no kind yet fits every kind.
 */
export type IdSuffix<K extends IdKind = IdKind> = string & {readonly [suffixBrand]: K};

/** Digits of Crockford base32, least first. */
export const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * Length of the id suffix, which the caller generates. The 10 characters before it are Redis time (48 bits of
 * ms).
 */
export const suffixLength = 16;
const timeLength = 26 - suffixLength;
const provisionalTime = alphabet.charAt(0).repeat(timeLength);

/** Two digits at a time. */
const pairs = Array.from({length: 1_024}, (_, i) => alphabet.charAt(i >> 5) + alphabet.charAt(i & 31));

/** `value` (an integer below 2^53) in base32 of a fixed number of characters. */
export function encodeBase32(value: number, characters: number): string {
  let rest = value;
  let out = '';
  let left = characters;
  for (; left > 1; left -= 2) {
    out = `${pairs[rest % 1_024]}${out}`;
    rest = Math.floor(rest / 1_024);
  }
  return left === 0 ? out : alphabet.charAt(rest % 32) + out;
}

/** True when `value` is a well-formed id of that kind (says nothing about whether it exists). */
export function isId<K extends IdKind>(kind: K, value: string): value is Id<K> {
  const prefix = idPrefixes[kind];
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value[prefix.length] === '_' &&
    suffixPattern.test(value.slice(prefix.length + 1))
  );
}

/** The suffix of an id. Redis keys are made of it, since it is known before Redis has returned the time. */
export function suffixOf<K extends IdKind = never>(id: Id<K> | IdSuffix<K>): IdSuffix<K> {
  return id.slice(-suffixLength) as IdSuffix<K>;
}

/** An id as a record, a key or a checked request holds it. */
export function storedId<K extends IdKind = never>(text: string): Id<K> {
  return text as Id<K>;
}

/** An id suffix as a list, a key or a record holds it. */
export function storedSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return text as IdSuffix<K>;
}

/** Ids made in one millisecond share their front. */
let [knownMs, knownTime] = [0, provisionalTime];

/** An id from its kind, the millisecond of its creation, and its suffix. */
export function composeId<K extends IdKind>(kind: K, ms: number, suffix: IdSuffix<K>): Id<K> {
  if (ms !== knownMs) [knownMs, knownTime] = [ms, encodeBase32(ms, timeLength)];
  return `${idPrefixes[kind]}_${knownTime}${suffix}` as Id<K>;
}

/** The provisional id of something that the same commit creates, before Redis has returned the time in it. */
export function provisionalId<K extends IdKind>(kind: K, suffix: IdSuffix<K>): Id<K> {
  return `${idPrefixes[kind]}_${provisionalTime}${suffix}` as Id<K>;
}

/** The creation instant (ms since the epoch) that an id carries. */
export function creationTimeOfId(id: string): number {
  return decodeBase32(id.slice(-26, -suffixLength));
}

/**
 * Generates the second half of a UUIDv7: version 7 and the RFC 9562 variant around random bits. `bytes` holds
 * the 10 random bytes after the first `skipped`.
 */
export function suffixFromBytes(bytes: Uint8Array, skipped = 0): IdSuffix<never> {
  const at = (i: number) => bytes[skipped + i] ?? 0;
  const [version, variant] = [0x70 | (at(0) & 0x0f), 0x80 | (at(2) & 0x3f)];
  return storedSuffix(
    encode20Bits((version << 12) | (at(1) << 4) | (variant >> 4)) +
      encode20Bits(((variant & 15) << 16) | (at(3) << 8) | at(4)) +
      encode20Bits((at(5) << 12) | (at(6) << 4) | (at(7) >> 4)) +
      encode20Bits(((at(7) & 15) << 16) | (at(8) << 8) | at(9)),
  );
}

/** 20 bits in four characters. */
function encode20Bits(bits: number): string {
  return `${pairs[bits >> 10]}${pairs[bits & 1_023]}`;
}

/**
 * The suffix of an event's or a delivery's id. It ends in the event's sequence (8 characters, 40 bits), so
 * that the id alone finds the entry in the log. `start` is the first half of a suffix.
 */
export function suffixWithSequence(start: string, sequence: number): IdSuffix<never> {
  return storedSuffix(start.slice(0, 8) + encodeBase32(sequence, 8));
}

/** The event sequence that an event's or a delivery's id carries. */
export function sequenceOfId(id: string): number {
  return decodeBase32(id.slice(-8));
}

const digitsByCode = Array.from({length: 128}, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

function decodeBase32(text: string): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = value * 32 + (digitsByCode[text.charCodeAt(i)] ?? -1);
  return value;
}

/** Generates the suffix of an id, which does not depend on time. */
export type GenerateSuffix = () => IdSuffix<never>;
