import type {WireJson} from '../../domain/core/resource.js';

/** One page; `next` is where the following one begins, undefined on the last. */
export interface Page {
  readonly rows: readonly WireJson[];
  readonly next: number | undefined;
}
