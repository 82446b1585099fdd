/**
 * Counters of the running service. Each text becomes a label of a metric, so it must be one of a few fixed
 * ones: never an id, a path, or anything that a caller chooses.
 */
export interface Meter {
  /** One answered request of an operation; `ms` until its answer began. */
  countRequest: (operation: string, method: string, status: number, ms: number) => void;
  /** One connection whose request the HTTP parser refused. */
  countRefusal: (status: number) => void;
  /** One request to a webhook's receiver, by the result of the delivery. */
  countAttempt: (result: string) => void;
  /** Deliveries that were given up because their event is too old. */
  countExpired: (deliveries: number) => void;
  /**
   * Something that Slack does not show because our own code or data fails on it: an event, or an item of a
   * channel.
   */
  countUnshown: (what: 'event' | 'item') => void;
}

/** For a process whose metrics are not read. */
export const noMeter: Meter = {
  countRequest: () => undefined,
  countRefusal: () => undefined,
  countAttempt: () => undefined,
  countExpired: () => undefined,
  countUnshown: () => undefined,
};
