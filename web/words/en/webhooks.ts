import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${new Intl.NumberFormat('en').format(amount)} ${plural('en', amount, {one, other})}`;
const deliveries = (amount: number): string => count(amount, 'delivery', 'deliveries');
const were = (amount: number): string => (amount === 1 ? 'was' : 'were');

type Failed = (one: boolean, status: number | null) => string;
const failed = <Names extends string>(said: Readonly<Record<Names, Failed>>) => said;

export const webhooks = {
  title: 'Webhooks',
  sub: 'Events of this workspace, sent to programs of yours as they happen.',
  forManagers: {
    title: 'Webhooks are for those who run the workspace',
    text: 'They send what everybody writes to other programs. Ask an owner or admin.',
  },
  empty: {
    title: 'No webhooks yet',
    text: 'A webhook sends each event to an address of yours: signed, repeated until it has arrived, and told here if it does not.',
  },
  first: 'Make the first one',
  list: 'Webhooks',
  more: 'Show more',
  everyEvent: 'all events',
  moreEvents: (more: number) => `and ${more} more`,
  lastResult: 'Last result',
  never: 'nothing sent yet',
  backlog: 'Waiting',
  waiting: (amount: number) => deliveries(amount),
  nothingWaits: 'nothing',
  standings: {
    well: 'Well',
    quiet: 'Quiet',
    unused: 'Not used yet',
    waiting: 'Busy',
    slow: 'Slow',
    recovering: 'Recovering',
    failing: 'Failing',
    disabled: 'Disabled',
  },
  units: {ms: (amount: string) => `${amount} ms`, s: (amount: string) => `${amount} s`},
  dayAt: (day: string, time: string) => `${day}, ${time}`,
  said: {
    disabled: {
      user: (since: string) => `Disabled since ${since}: somebody switched it off.`,
      gone: (since: string) => `Disabled since ${since}: the receiver said that it wants no more.`,
      failing: (since: string) => `Disabled since ${since}: every attempt of five days had failed.`,
    },
    held: (amount: number) => `${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'} until it is enabled.`,
    unused: 'Nothing was sent yet: the first event that it asks for goes out within seconds.',
    quiet: (last: string) => `Nothing was sent in the last day; the last attempt was ${last}, and succeeded.`,
    failing: (since: string, how: string) => `Failing since ${since}: ${how}.`,
    failures: (amount: number, how: string) =>
      amount === 1 ? `the last attempt ${how}` : `the last ${amount} attempts ${how}`,
    mixedFailures: (amount: number, same: number, how: string) =>
      `the last ${amount} attempts failed, ${same === 1 ? 'the last one' : `the last ${same}`} ${how}`,
    opened: (since: string) => `Spared since ${since}, as too many of the last attempts had failed.`,
    recovering: (since: string) =>
      `Recovering: the receiver answers again after it was spared from ${since} on.`,
    fewAtATime: (amount: number) =>
      amount === 0
        ? 'Nothing waits any more.'
        : `${deliveries(amount)} ${amount === 1 ? 'waits and goes' : 'wait and go'} out, a few at a time.`,
    waits: (amount: number) => `${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'}.`,
    waitsForProbe: (amount: number, next: string) =>
      `${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'}; next probe ${next}.`,
    waitsForAttempt: (amount: number, next: string) =>
      `${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'}; next attempt ${next}.`,
    waitsUntil: (amount: number, next: string) =>
      `${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'} until ${next}.`,
    probe: (next: string) => `Next probe ${next}.`,
    slow: (usual: string, most: string) =>
      `Slow: half of the attempts of the last day took ${usual} or more, and one in twenty ${most}; after 15 s one counts as failed.`,
    busy: (amount: number, age: string) =>
      `Busy: ${deliveries(amount)} ${amount === 1 ? 'waits' : 'wait'}, the oldest for ${age}.`,
    well: (attempts: number, share: string, usual: string) =>
      `All is well: ${count(attempts, 'attempt', 'attempts')} in the last day, ${share} succeeded, half of them within ${usual}.`,
    again: (attempts: number, failed: number) =>
      `Well again: the last attempt succeeded. Of ${count(attempts, 'attempt', 'attempts')} in the last day ${failed} failed.`,
    behind: (events: number) =>
      `${count(events, 'event', 'events')} of the log still ${events === 1 ? 'has' : 'have'} to be looked at; they follow by themselves.`,
    missed: (events: number) =>
      `${count(events, 'event', 'events')} ${were(events)} dropped from the log before there was room.`,
  },
  /** Continues “the last 14 attempts …”. */
  failed: failed({
    status: (one: boolean, status: number | null) => `${one ? 'was' : 'were'} answered ${status ?? '?'}`,
    timeout: () => 'timed out',
    dns_failed: () => 'did not find the host',
    connection_failed: () => 'could not connect',
    connection_closed: (one: boolean) => `${one ? 'was' : 'were'} cut off before the answer was whole`,
    tls_failed: () => 'failed at the TLS handshake',
    invalid_response: () => 'got an answer that is no HTTP',
    proxy_failed: () => 'failed at the proxy of this service',
    other: () => 'failed',
  }),
  outcomes: {
    status: (status: number | null) => `answered ${status ?? '?'}`,
    timeout: 'timed out',
    dns_failed: 'host not found',
    connection_failed: 'no connection',
    connection_closed: 'connection cut',
    tls_failed: 'TLS failed',
    invalid_response: 'no HTTP',
    proxy_failed: 'our proxy failed',
    other: 'failed',
  },
  hours: {
    title: 'The last 25 hours',
    hint: 'Attempts by hour; choose one to see its deliveries. Arrow keys go from hour to hour.',
    bar: (time: string, succeeded: number, failed: number) =>
      `${time}: ${succeeded} succeeded, ${failed} failed`,
    none: 'No attempts in this time.',
    most: (amount: number) => `up to ${count(amount, 'attempt', 'attempts')} an hour`,
    asTable: 'As a table',
    hour: 'Hour',
    succeeded: 'Succeeded',
    failed: 'Failed',
    why: 'Why',
    otherStatus: 'not a 2xx',
    half: 'Half within',
    most95: '95 % within',
  },
  deliveries: {
    title: 'Deliveries',
    filters: 'Filters',
    state: 'State',
    everyState: 'Any state',
    type: 'Event type',
    everyType: 'All types',
    time: 'Time',
    anyTime: 'Any time',
    times: {hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days'},
    chosenTime: (from: string, until: string) => `${from} – ${until}`,
    event: (id: string) => `Event ${id}`,
    replay: (id: string) => `Replay ${id}`,
    clear: 'Clear filters',
    list: 'Deliveries',
    more: 'Show more',
    lookFurther: 'Look further back',
    looked: (amount: number) =>
      amount === 0
        ? 'None among those looked at so far.'
        : `${deliveries(amount)} among those looked at so far.`,
    newer: 'Something has changed: show the newest',
    empty: {title: 'No deliveries', text: 'Nothing that this webhook asks for has happened yet.'},
    noMatch: {title: 'No delivery matches', text: 'Clear the filters to see all of them.'},
    attempts: (amount: number) => count(amount, 'attempt', 'attempts'),
    noAttempt: 'not tried yet',
    replayed: 'replay',
    probe: 'probe',
    next: (when: string) => `next ${when}`,
    due: 'due now',
    states: {
      pending: 'Waiting',
      delivering: 'Under way',
      succeeded: 'Delivered',
      retrying: 'Trying again',
      exhausted: 'Given up',
      aborted: 'Refused',
      expired: 'Expired',
      held: 'Held',
    },
  },
  waterfall: {
    title: 'Attempts',
    openEvent: 'Open the event',
    phases: {dns: 'Name', tcp: 'Connect', tls: 'TLS', connect: 'Connection', wait: 'Wait', body: 'Body'},
    phase: (name: string, took: string) => `${name} ${took}`,
    kept: 'open connection',
    axis: 'Time since the beginning of each attempt, on a logarithmic scale',
    attempt: (number: number) => `Attempt ${number}`,
    took: (what: string, took: string) => `${what} after ${took}`,
    later: (wait: string) => `${wait} later`,
    next: (when: string) => `Next attempt ${when}`,
    unknown: (number: number) => `The end of ${count(number, 'attempt', 'attempts')} was never learnt.`,
    none: 'Not tried yet.',
    lastOnly: 'The last 100 attempts are kept.',
    request: 'Request',
    answer: 'Answer',
    noAnswer: 'No answer came.',
    notKept:
      'Not kept any more. What went over the wire is kept for the last 100 attempts of a webhook, until somebody is erased.',
    body: 'Its body is the event, byte for byte:',
    thinBody: 'Its body is the event in its thin form:',
    emptyBody: 'Without a body.',
    address: (address: string) => `from ${address}`,
    headers: 'Headers',
    delivery: 'Delivery',
    event: 'Event',
  },
  ofEvent: {
    title: 'Deliveries',
    none: 'It was sent to no webhook.',
    to: (address: string) => `to ${address}`,
    more: 'Show more',
  },
};
