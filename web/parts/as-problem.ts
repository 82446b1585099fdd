import {Problem} from '../api/problem.ts';
import {texts} from '../texts/texts.ts';

/** Wraps any thrown value as a `Problem` that can be shown. */
export function wrapAsProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const {title, detail} = texts.parts.unexpected;
  return new Problem({status: -1, code: 'unexpected', title, detail}, {cause: error});
}

/** Returns advice on how to fix the problem. */
export function findAdvice({code, status}: Problem): string {
  const {cure} = texts.parts;
  if (code === 'workspace_full') return cure.workspaceFull;
  if (code === 'workspace_read_only') return cure.workspaceReadOnly;
  if (status === 0) return cure.noAnswer;
  if (status === 401) return cure.signedOut;
  if (status === 403) return cure.forbidden;
  if (status === 404 || status === 410) return cure.notFound;
  if (status === 409 || status === 412) return cure.changed;
  if (status === 429) return cure.tooMany;
  if (status === 503) return cure.unavailable;
  return status >= 400 && status < 500 ? cure.invalid : cure.broken;
}
