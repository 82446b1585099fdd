// Ids that tests write themselves, without a store that generates them.
import {type Id, type IdKind, type IdSuffix, storedId, storedSuffix} from '../../src/domain/core/ids.js';

/** Declares a text to be an id. TypeScript infers the kind of id from the place that uses it. */
export function asId<K extends IdKind = never>(text: string): Id<K> {
  return storedId(text);
}

/** Declares a text to be an id suffix. TypeScript infers the kind of id from the place that uses it. */
export function asSuffix<K extends IdKind = never>(text: string): IdSuffix<K> {
  return storedSuffix(text);
}
