// The package's entry: everything that its users import.
export {type AnswerOf, type ClientOptions, createClient, ifMatch, type StandupClient} from './client.js';
export {type FieldError, NoAnswerError, ProblemError} from './errors.js';
export {type FollowedEvents, followEvents, type FollowOptions} from './events.js';
export {type ListPath, paginate, type RowOf} from './pages.js';
export type {AnyEvent, EventOf, EventType, Paths, ProblemCode, Schema, ThinEvent} from './schema.js';
export {verifyWebhook, type WebhookRequest, WebhookVerificationError} from './webhooks.js';
