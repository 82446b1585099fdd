// Ids of things that no store has made, as tests name them.
import {type Id, type IdKind, type IdSuffix, storedId, storedSuffix} from '../../src/domain/core/ids.js';

/** Of the kind that is asked for where it is used. */
export function asId<K extends IdKind = never>(text: string): Id<K> {
  return storedId(text);
}

/** A drawn half, of the kind that is asked for where it is used. */
export function asSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return storedSuffix(text);
}
