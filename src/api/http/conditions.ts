import {hash as digest} from 'node:crypto';
import {AppError} from '../../domain/core/errors.js';

/** The length of the part after the revision in an entity tag. It is fixed, so it cannot be mistaken. */
const markLength = 12;

/**
 * Creates the strong entity tag of a revision. `mark`: a text that changes with all content of the answer
 * that is not in the revision, so that any change of the answer changes the tag. `If-Match` compares only the
 * revision.
 */
export function createEtag(revision: number, mark?: string): string {
  if (mark === undefined) return `"${revision}"`;
  return `"${revision}.${digest('sha256', mark, 'hex').slice(0, markLength)}"`;
}

/** Matches exactly the entity tags that `createEtag` and `createGzipEtag` create. */
const ownTag = new RegExp(`^"([1-9]\\d*)(?:\\.[0-9a-f]{${markLength}})?(?:\\.gzip)?"$`);

/** Reads `If-Match`. Weak or unknown tags match nothing (RFC 9110, 13.1.1). Errors: `invalid_parameter`. */
export function parseIfMatch(header: string | undefined): '*' | number[] | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    const detail = `\`If-Match\` must be an entity tag in its quotes, such as "3", a list of them, or *; it is ${header.slice(0, 60)}.`;
    throw new AppError('invalid_parameter', detail, {
      inputErrors: [{code: 'invalid_parameter', detail, header: 'If-Match'}],
    });
  }
  return tags.flatMap((tag) => {
    const [, revision] = ownTag.exec(tag) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}

/** Returns the entity tag of the compressed content, since strong tags must differ when the bytes differ. */
export function createGzipEtag(tag: string): string {
  return tag.replace(/"$/, '.gzip"');
}

/** Returns the weakly equal tag in `If-None-Match`, compressed or not, for a 304; undefined without one. */
export function findMatchingEtag(header: string | undefined, tag: string): string | undefined {
  if (header === undefined) return undefined;
  if (header === tag || header.trim() === '*') return tag;
  const given = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return given.find((one) => one === tag || one === createGzipEtag(tag));
}
