import {type AppError, fieldError} from '../domain/core/errors.js';

/** Returns the fields of a JSON body; none of another value. */
export function readFields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

export function createBodyError(field: string, problem: string): AppError {
  return fieldError('validation_failed', `#/${field}`, `\`${field}\` ${problem}.`);
}
