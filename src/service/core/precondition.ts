import {AppError} from '../../domain/core/errors.js';

/** The condition in `If-Match`: one of these revisions, or `*` for any existing resource. */
export type Precondition = '*' | readonly number[];

/** Refuses a condition on a resource that does not exist yet. Errors: `not_found`. */
export function refuseConditionOnMissing(expected: Precondition | undefined): void {
  if (expected === undefined) return;
  throw new AppError(
    'not_found',
    'There is nothing here yet, so no revision that `If-Match` could name. Leave the header out to make it.',
  );
}

/** Checks the condition in `If-Match`. Errors: `precondition_failed`, with the current revision. */
export function requireRevision(expected: Precondition | undefined, revision: number): void {
  if (expected === undefined || expected === '*' || expected.includes(revision)) return;
  const detail =
    expected.length === 0
      ? `\`If-Match\` has no strong entity tag as the service gives them; a weak one (\`W/"…"\`) matches nothing. The resource is at revision ${revision}: send \`If-Match: "${revision}"\`.`
      : `The resource has changed: it is at revision ${revision} now. Read it again, and repeat the change with \`If-Match: "${revision}"\`.`;
  throw new AppError('precondition_failed', detail, {
    revision,
    inputErrors: [{code: 'precondition_failed', detail: `now at revision ${revision}`, header: 'If-Match'}],
  });
}
