// Written by scripts/api-client.mjs from the OpenAPI document.
import type {ProblemCode as Known, components, paths, webhooks} from '../../../.cache/api-client/schema.js';

/** Paths, parameters, bodies and answers of the OpenAPI document. */
export type Paths = paths;

/** A type of the document's `components`, such as `Schema<'Standup'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The stable name of an error. A later version of the service may have more. */
export type ProblemCode = Known | (string & {});

/** The name of an event, such as `standup.created`. */
export type EventType = keyof webhooks;

type Payload<Type extends EventType> = webhooks[Type]['post']['requestBody']['content']['application/json'];

/** The event of one type: `EventOf<'standup.created'>`. */
export type EventOf<Type extends EventType> = Extract<Payload<Type>, {type: Type}>;

/** Any event, narrowed by its `type`. Ignore types that you do not know: a later service sends more. */
export type AnyEvent = {[Type in EventType]: EventOf<Type>}[EventType];

/** An event of a webhook whose `payload` is `thin`: `data` has only `id` and `object`. */
export type ThinEvent = Schema<'ThinEvent'>;
