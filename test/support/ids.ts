// Ids that tests write themselves, without a store that generates them.
import {type Id, type IdKind, type IdSuffix, storedId, storedSuffix} from '../../src/domain/core/ids.js';

/** Converts a text to an id; the kind of id is inferred from its use. */
export function asId<K extends IdKind = never>(text: string): Id<K> {
  return storedId(text);
}

/** Converts a text to an id suffix; the kind of id is inferred from its use. */
export function asSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return storedSuffix(text);
}
