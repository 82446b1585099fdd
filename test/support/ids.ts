// Ids that no store has generated, as tests write them.
import {type Id, type IdKind, type IdSuffix, storedId, storedSuffix} from '../../src/domain/core/ids.js';

/** The kind follows from its use. */
export function asId<K extends IdKind = never>(text: string): Id<K> {
  return storedId(text);
}

/** An id suffix; the kind follows from its use. */
export function asSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return storedSuffix(text);
}
