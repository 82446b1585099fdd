// Links in mails: `POST /app/reminder` and `POST /app/unsubscribe`, for people without a session.
import {type AppError, fieldError} from '../domain/core/errors.js';
import type {ReminderAct} from '../service/mail/link-actions.js';

/** The minutes for which a link in a mail snoozes. */
const snoozeMinutes = 30;

export interface ReminderRequest {
  readonly token: string;
  /** Undefined to look only. */
  readonly act: ReminderAct | undefined;
}

/** Reads the body of a request about a day's reminder. Errors: `validation_failed`. */
export function readReminderRequest(body: unknown): ReminderRequest {
  const given = toRecord(body);
  const {look = false, snooze, skip} = given;
  const token = readToken(given);
  if (look === true) return {token, act: undefined};
  if (skip === true && snooze === undefined) return {token, act: {skip}};
  if (snooze === snoozeMinutes && skip === undefined) return {token, act: {snooze}};
  throw createBodyError('snooze', `must be ${snoozeMinutes}; or give \`skip\`: true, or \`look\`: true`);
}

/** Reads the body of a look at the mails that a link ends. Errors: `validation_failed`. */
export function readSubscriptionRequest(body: unknown): string {
  return readToken(toRecord(body));
}

/** The mails that `POST` to such a path ends with one click, as mail clients do (RFC 8058). */
export const unsubscribePath = /^\/app\/unsubscribe\/([\w-]{1,1000})$/;

/** Returns the address of the page that asks before it unsubscribes; undefined for other paths. */
export function findUnsubscribePage(path: string): string | undefined {
  const token = unsubscribePath.exec(path)?.[1];
  return token === undefined ? undefined : `/app/reminder#stop.${token}`;
}

function toRecord(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function readToken({token}: Record<string, unknown>): string {
  if (typeof token === 'string') return token;
  throw createBodyError('token', 'must be the end of a link in a mail');
}

function createBodyError(field: string, problem: string): AppError {
  return fieldError('validation_failed', `#/${field}`, `\`${field}\` ${problem}.`);
}
