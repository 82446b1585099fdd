import type {Call} from '../../domain/access.js';
import type {Visit} from '../kit.js';
import type {Place} from '../visitors.js';
import type {TypedMessage} from './present.js';

/** Who is answered. */
export interface Listener {
  readonly visit: Visit;
  readonly place: Place;
  readonly call: Call;
}

/** What is said next. */
export interface Saying {
  readonly message?: TypedMessage | undefined;
  /** What takes the place of the message that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The draft that `message` shows the whole of. */
  readonly shows?: string | undefined;
}
