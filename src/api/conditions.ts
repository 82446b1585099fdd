import {AppError} from '../domain/errors.js';

/**
 * The strong entity tag of a revision. `mark` stands for what the answer shows besides the revision, so that the tag changes with every
 * byte of it; `If-Match` asks for the revision alone.
 */
export function etagOf(revision: number, mark?: string): string {
  return mark === undefined ? `"${revision}"` : `"${revision}.${mark}"`;
}

/** `If-Match` as revisions; a weak tag matches nothing (RFC 9110 section 13.1.1). Errors: `invalid_parameter`. */
export function parseIfMatch(header: string | undefined): '*' | number[] | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    const detail = `\`If-Match\` must be an entity tag in its quotes, such as "3", a list of them, or *; it is ${header.slice(0, 60)}.`;
    throw new AppError('invalid_parameter', detail, {
      faults: [{code: 'invalid_parameter', detail, header: 'If-Match'}],
    });
  }
  return tags.flatMap((tag) => {
    const [, revision] = /^"(\d+)(?:\.\w+)?"$/.exec(tag) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}

/** Whether `If-None-Match` names the entity tag of what the caller would get: then 304 will do. Comparison is weak. */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === tag);
}
