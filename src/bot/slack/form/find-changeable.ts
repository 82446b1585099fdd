import type {Caller} from '../../../domain/core/access.js';
import {AppError, plainRefusal} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Kit, Visit} from '../door/kit.js';
import type {FormWish} from './form-wish.js';

/**
 * A form that changes a standup is its author's alone, and nobody else is told that it exists; but where it
 * was asked for where everybody sees it, it is also of those who may change the standups of others.
 */
export async function findChangeable(
  {services}: Pick<Kit, 'services'>,
  access: Caller,
  id: string,
  {reader: {words}}: Visit,
  ofOthers: boolean,
): Promise<Standup> {
  const gone = plainRefusal('not_found', words.form.gone);
  try {
    const standup = await services.standups.findChangeable(access, id);
    if (ofOthers || standup.author.id === access.principal.id) return standup;
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'forbidden' && ofOthers) throw plainRefusal(code, words.shown.notAllowed, {cause: error});
    if (code !== 'not_found' && code !== 'forbidden') throw error;
  }
  throw gone;
}

/** A standup of the person's own that was to be edited, and has been deleted since. */
export async function findGone(
  {services}: Pick<Kit, 'services'>,
  access: Caller,
  {mode, deleted}: FormWish,
): Promise<Standup | undefined> {
  if (mode !== 'edit' || deleted === undefined) return undefined;
  return services.standups.findDeleted(access, {id: deleted.standup, revision: deleted.revision});
}
