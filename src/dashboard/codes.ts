// Signing in by a code: `POST /app/session/code` mails one, and `POST /app/session` takes it. Without an
// address, the code is for the person who is signed in, who confirms that it is them.
import {type AppError, fieldError} from '../domain/core/errors.js';
import {limits} from '../domain/core/limits.js';
import {isEmailAddress} from '../domain/core/text.js';
import type {CodeSubject} from '../domain/tokens/sign-in-code.js';

/** A request with a code, or for one. `subject`: undefined for the person who is signed in. */
export interface CodeRequest {
  readonly subject: CodeSubject | undefined;
  readonly code: string;
}

/** The maximum length of a typed code, with spaces and hyphens. */
const maxTyped = 40;

/** Reads the person that a code is for. Errors: `validation_failed`. */
export function readCodeSubject(body: unknown): CodeSubject | undefined {
  const {email, workspace = ''} = asFields(body);
  if (email === undefined) return undefined;
  if (typeof email !== 'string' || !isEmailAddress(email.trim()))
    throw createBodyError('email', 'must be an email address');
  // A name with other characters would be that of a code to join (`createJoinSubject`).
  if (typeof workspace !== 'string' || workspace.length > limits.slug || !/^\s*[\w-]*\s*$/.test(workspace))
    throw createBodyError('workspace', 'must be the slug or id of a workspace');
  return {email: email.trim(), workspace: workspace.trim()};
}

/** Reads a sign-in by a code; undefined for another way. Errors: `validation_failed`. */
export function readCodeRequest(body: unknown): CodeRequest | undefined {
  const {code} = asFields(body);
  return code === undefined ? undefined : {subject: readCodeSubject(body), code: readCode(code)};
}

export function readCode(code: unknown): string {
  if (typeof code === 'string' && code.length <= maxTyped) return code;
  throw createBodyError('code', 'must be the code in the mail');
}

function asFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function createBodyError(field: string, problem: string): AppError {
  return fieldError('validation_failed', `#/${field}`, `\`${field}\` ${problem}.`);
}
