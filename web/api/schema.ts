// Written by scripts/api-client.mjs from the OpenAPI document of this very source.
import type {components, paths} from '../../.cache/api-client/schema.js';

export type Paths = paths;

/** A shape of the document's `components`, such as `Schema<'Standup'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
