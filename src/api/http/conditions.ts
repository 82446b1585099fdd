import {hash as digest} from 'node:crypto';
import {AppError} from '../../domain/core/errors.js';

/** The fixed length of a mark in a tag: without it any text would pass for a mark. */
const markLength = 12;

/**
 * The strong entity tag of a revision. `mark` represents the rest of the answer, so that the tag changes with
 * every byte of it; `If-Match` compares only the revision.
 */
export function etagOf(revision: number, mark?: string): string {
  if (mark === undefined) return `"${revision}"`;
  return `"${revision}.${digest('sha256', mark, 'hex').slice(0, markLength)}"`;
}

/** Matches a tag made by `etagOf` or `gzipTagOf`, octet by octet. */
const ownTag = new RegExp(`^"([1-9]\\d*)(?:\\.[0-9a-f]{${markLength}})?(?:\\.gzip)?"$`);

/**
 * `If-Match` as revisions. A weak tag, and one that is not ours, matches nothing (RFC 9110 section 13.1.1).
 * Errors: `invalid_parameter`.
 */
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

/** The tag of the same content compressed: a strong tag must differ when bytes differ. */
export function gzipTagOf(tag: string): string {
  return tag.replace(/"$/, '.gzip"');
}

/**
 * The entity tag in `If-None-Match` of what the caller would get, compressed or not: a 304 is then enough,
 * and names the version that they have. Comparison is weak.
 */
export function findUnchanged(header: string | undefined, tag: string): string | undefined {
  if (header === undefined) return undefined;
  if (header === tag || header.trim() === '*') return tag;
  const given = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return given.find((one) => one === tag || one === gzipTagOf(tag));
}
