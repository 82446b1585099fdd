import type {Call} from '../../../domain/core/access.js';
import type {Visit} from '../door/kit.js';
import type {Place} from '../door/visitors.js';
import type {TypedMessage} from './present.js';

/** The person who is answered. */
export interface Listener {
  readonly visit: Visit;
  readonly place: Place;
  readonly call: Call;
}

/** The next thing to say. */
export interface Saying {
  readonly message?: TypedMessage | undefined;
  /** The message that replaces the one that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The draft that `message` shows in full. */
  readonly shows?: string | undefined;
}
