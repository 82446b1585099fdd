import type {Reply} from '../../domain/commit/commit.js';

/** What an idempotency key was answered: the front of a fingerprint, then the reply. */
export interface KeptReply {
  /** As much of it as is kept: 66 bits; whole in records of before data format 2. */
  readonly fingerprint: string;
  readonly reply: Reply;
}

/** It tells apart two requests with one key of one caller, and keeps no secret. */
const fingerprintLength = 11;

/** The reply to the post of a standup is kept as this and the drawn half of its id: 28 characters, for which Redis takes 48 bytes. */
const postedMark = '=';
const posted = {
  front: '{"status":201,"beside":{"slack":null},"resource":{"drawn":"',
  back: '","revision":1}}',
} as const;

export function frontOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprintLength);
}

export function writeKept({fingerprint, reply}: KeptReply): string {
  const json = JSON.stringify(reply);
  const {front, back} = posted;
  const isPosted = json.startsWith(front) && json.endsWith(back);
  const short = isPosted ? postedMark + json.slice(front.length, -back.length) : json;
  return frontOf(fingerprint) + short;
}

/** A fingerprint has neither of the characters that a reply begins with. */
export function parseKept(record: string): KeptReply {
  const end = record.search(/[={]/);
  const kept = record.slice(end);
  const json = kept.startsWith(postedMark) ? `${posted.front}${kept.slice(1)}${posted.back}` : kept;
  return {fingerprint: record.slice(0, end), reply: JSON.parse(json) as Reply};
}
