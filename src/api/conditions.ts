import {AppError} from '../domain/errors.js';

/** The strong entity tag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/** `If-Match` as revisions; a weak tag matches nothing (RFC 9110 section 13.1.1). Errors: `invalid_parameter`. */
export function parseIfMatch(header: string | undefined): '*' | number[] | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    const detail = '`If-Match` must be an entity tag such as "3", a list of them, or *.';
    throw new AppError('invalid_parameter', detail, {
      faults: [{code: 'invalid_parameter', detail, header: 'If-Match'}],
    });
  }
  return tags.filter((tag) => /^"\d+"$/.test(tag)).map((tag) => Number(tag.slice(1, -1)));
}

/** Whether `If-None-Match` names the revision the caller would get: then 304 will do. Comparison is weak. */
export function isUnchanged(header: string | undefined, revision: number): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(revision));
}
