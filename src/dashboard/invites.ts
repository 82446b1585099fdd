// Joining by an invite: `POST /app/invite`, for people without an account. A member accepts with the API.
import {languages} from '../domain/core/compiled/languages.js';
import {type AppError, fieldError} from '../domain/core/errors.js';
import {limits} from '../domain/core/limits.js';
import {isTimezone} from '../domain/core/dates.js';
import {findTextError} from '../domain/core/text.js';
import {readCode, readCodeSubject} from './codes.js';
import type {NewPerson} from '../service/invites/invite-acceptance.js';

/** A request about an invite: to look at it; with an address, to prove it; with a person, to join. */
export interface InviteRequest {
  readonly link: string;
  readonly email?: string;
  readonly person?: NewPerson;
}

/** 128 random bits in base64url. */
const keyPattern = /^[\w-]{22}$/;

/** Reads the body of a request about an invite. Errors: `validation_failed`. */
export function readInviteRequest(body: unknown): InviteRequest {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const {link, look = false, name, timezone = null, locale = null, key, email, code} = given;
  if (typeof link !== 'string')
    throw createBodyError('link', 'must be what stands behind the # of an invite');
  if (typeof look !== 'boolean') throw createBodyError('look', 'must be true or false');
  if (look) return {link};
  const subject = readCodeSubject({email});
  if (subject !== undefined && name === undefined) return {link, email: subject.email};
  const problem = typeof name === 'string' ? findTextError(name, limits.name) : 'must be a text';
  if (typeof name !== 'string' || problem !== undefined) throw createBodyError('name', problem ?? '');
  if (timezone !== null && (typeof timezone !== 'string' || !isTimezone(timezone)))
    throw createBodyError('timezone', 'must be an IANA time zone such as "Europe/Berlin", or null');
  const language = languages.find((one) => one === locale) ?? null;
  if (locale !== language) throw createBodyError('locale', `must be one of ${languages.join(', ')}, or null`);
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw createBodyError('key', 'must be 128 random bits in base64url');
  const proof = subject && {email: subject.email, code: readCode(code)};
  return {link, person: {name, timezone, locale: language, key, proof}};
}

function createBodyError(field: string, problem: string): AppError {
  return fieldError('validation_failed', `#/${field}`, `\`${field}\` ${problem}.`);
}
