/** The prefixes of ids by kind. An id is a TypeID: `<prefix>_` and a UUIDv7 in Crockford base32. */
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
  comment: 'cmt',
  reaction: 'rct',
  holiday_calendar: 'cal',
  event: 'evt',
  webhook: 'whk',
  delivery: 'dlv',
  attempt: 'att',
  replay: 'rpl',
  erasure: 'era',
  import: 'imp',
  access_token: 'tok',
  invite: 'inv',
  mail: 'eml',
  passkey: 'pky',
  request: 'req',
} as const;

export type IdKind = keyof typeof idPrefixes;

declare const idBrand: unique symbol;
declare const suffixBrand: unique symbol;

/** An id of a certain kind. The kind exists only for the compiler; at run time an id is a plain string. */
export type Id<K extends IdKind = IdKind> = string & {readonly [idBrand]: K};

/**
 * The random end of an id, which is known before the creation time. It is no complete id. A suffix that was
 * generated for no kind fits all kinds.
 */
export type IdSuffix<K extends IdKind = IdKind> = string & {readonly [suffixBrand]: K};

/** The digits of Crockford base32 in the order of their values. */
export const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The length of the random suffix of an id, after 10 characters of creation time (48 bits of ms). */
export const suffixLength = 16;
const timeLength = 26 - suffixLength;
const provisionalTime = alphabet.charAt(0).repeat(timeLength);

/** All pairs of digits, since numbers are encoded two digits at a time. */
const pairs = Array.from({length: 1_024}, (_, i) => alphabet.charAt(i >> 5) + alphabet.charAt(i & 31));

/** Encodes `value` (an integer below 2^53) in base32, with a fixed number of characters. */
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

/** True when `value` is a well-formed id of that kind, whether or not the id exists. */
export function isId<K extends IdKind>(kind: K, value: string): value is Id<K> {
  const prefix = idPrefixes[kind];
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value[prefix.length] === '_' &&
    suffixPattern.test(value.slice(prefix.length + 1))
  );
}

/** Returns the suffix of an id. Redis keys contain the suffix, since it is known before the creation time. */
export function suffixOf<K extends IdKind = never>(id: Id<K> | IdSuffix<K>): IdSuffix<K> {
  return id.slice(-suffixLength) as IdSuffix<K>;
}

/** Turns text from a record, a key or a checked request into an id. */
export function storedId<K extends IdKind = never>(text: string): Id<K> {
  return text as Id<K>;
}

/** Turns text from a list, a key or a record into an id suffix. */
export function storedSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return text as IdSuffix<K>;
}

/** The last encoded time, because ids from the same millisecond share it. */
let [knownMs, knownTime] = [0, provisionalTime];

/** Composes an id from its kind, its creation time (ms) and its suffix. */
export function composeId<K extends IdKind>(kind: K, ms: number, suffix: IdSuffix<K>): Id<K> {
  if (ms !== knownMs) [knownMs, knownTime] = [ms, encodeBase32(ms, timeLength)];
  return `${idPrefixes[kind]}_${knownTime}${suffix}` as Id<K>;
}

/** Returns the id of something that the same commit creates, before its creation time is known. */
export function provisionalId<K extends IdKind>(kind: K, suffix: IdSuffix<K>): Id<K> {
  return `${idPrefixes[kind]}_${provisionalTime}${suffix}` as Id<K>;
}

/** Returns the creation time in an id (ms since the epoch). */
export function parseCreationTime(id: string): number {
  return decodeBase32(id.slice(-26, -suffixLength));
}

/**
 * Creates the second half of a UUIDv7: version 7 and the RFC 9562 variant, with random bits around them.
 * `bytes` holds 10 random bytes after the first `skipped` ones.
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

function encode20Bits(bits: number): string {
  return `${pairs[bits >> 10]}${pairs[bits & 1_023]}`;
}

/**
 * Returns the id suffix of an event or a delivery. It ends with the event's number (8 characters, 40 bits),
 * by which the log entry is found. `start` is the first half of a suffix.
 */
export function suffixWithSequence(start: string, sequence: number): IdSuffix<never> {
  return storedSuffix(start.slice(0, 8) + encodeBase32(sequence, 8));
}

/** Returns the number of the event from the id of an event or a delivery. */
export function sequenceOfId(id: string): number {
  return decodeBase32(id.slice(-8));
}

const digitsByCode = Array.from({length: 128}, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

function decodeBase32(text: string): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = value * 32 + (digitsByCode[text.charCodeAt(i)] ?? -1);
  return value;
}

export type GenerateSuffix = () => IdSuffix<never>;
