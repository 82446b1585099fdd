/**
 * Counters of the running service. Each text becomes a label of a metric, so it must be from a small fixed
 * set. Ids, paths and other texts of callers are not allowed.
 */
export interface Meter {
  /** Counts an answered request of an operation. `ms`: the time until the answer began. */
  countRequest: (operation: string, method: string, status: number, ms: number) => void;
  /** Counts a refusal of data that could not be read as a request. */
  countRefusal: (status: number) => void;
  /** Counts a request to a webhook's receiver, by its result. */
  countAttempt: (result: string) => void;
  /** Counts deliveries that were given up because their events are too old. */
  countExpired: (deliveries: number) => void;
  /** Counts a result of sending a mail; `queued` if it is tried again. */
  countMail: (kind: string, state: string) => void;
  /** Counts events and items that Slack does not show because of an error in our own code or data. */
  countUnshown: (what: 'event' | 'item') => void;
}

/** A meter that counts nothing, for a process whose metrics no one reads. */
export const noMeter: Meter = {
  countRequest: () => undefined,
  countRefusal: () => undefined,
  countAttempt: () => undefined,
  countExpired: () => undefined,
  countMail: () => undefined,
  countUnshown: () => undefined,
};
