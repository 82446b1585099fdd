import type {Chance} from '../test/support/seeded-random.js';

/** The tasks that people work on, by the slug of their team. */
const tasks: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'the queue’s retry page',
    'connection pooling for the label service',
    'the move of the event store to the new cluster',
    'alerts for slow tracking updates',
    'zero-downtime deploys of the router',
    'the backup drill',
    'rate limits per depot',
    'the cost report of the staging clusters',
    'the upgrade to the new base image',
    'tracing across the scan pipeline',
    'the runbook for lost depots',
    'the cache in front of address lookup',
  ],
  storefront: [
    'the new checkout for business customers',
    'address completion on phones',
    'the pickup-point map',
    'saved parcels on the start page',
    'the price calculator for oversize goods',
    'the redesign of the tracking page',
    'keyboard use of the date picker',
    'the returns portal',
    'French and Spanish texts of the checkout',
    'the banner for delayed deliveries',
  ],
  payments: [
    'refunds for cancelled pickups',
    'monthly invoices with cost centres',
    'the second payment provider',
    'retries of failed direct debits',
    'the settlement report for partners',
    'currency rounding in credit notes',
    'the reminder mails for open invoices',
    'strong customer authentication on renewals',
    'reconciliation of the bank files',
  ],
  design: [
    'interviews with depot staff',
    'the icon set for parcel states',
    'contrast of the dark theme',
    'the empty pages of the returns portal',
    'usability tests of the checkout',
    'the style guide for mails',
    'the map markers of pickup points',
  ],
};

/**
 * The steps of a task from its first day to its last. Each step has one text as a plan, and one as a result.
 */
const steps: readonly {readonly will: string; readonly did: string}[] = [
  {
    will: 'Read into {task} and write down the open questions.',
    did: 'Read into {task}; questions are in the ticket.',
  },
  {
    will: 'Sketch {task} and show it to the team.',
    did: 'Sketched {task}; the team likes the second variant.',
  },
  {will: 'Build a first version of {task}.', did: 'First version of {task} runs on staging.'},
  {will: 'Go on with {task}.', did: 'Went on with {task}; about half of it stands.'},
  {will: 'Write the tests of {task}.', did: 'Tests of {task} are green.'},
  {will: 'Pair with {mate} on {task}.', did: 'Paired with {mate} on {task}, and found two edge cases.'},
  {will: 'Send {task} to review.', did: '{task} is in review.'},
  {will: 'Work in the review of {task}.', did: 'Worked in the review of {task}.'},
  {will: 'Ship {task} behind a flag.', did: 'Shipped {task} behind a flag: 10 % of depots have it.'},
  {will: 'Switch {task} on for everybody.', did: 'Switched {task} on for everybody. No alarms so far.'},
];

const slowDay = 'Went on with {task}; it takes longer than I thought.';

const beside = [
  '',
  '',
  '',
  ' Also reviewed two pull requests of {mate}.',
  ' Answered questions of support.',
  ' On call in the afternoon, quiet so far.',
  ' Interview with a candidate at two.',
  ' Updated the documentation on the way.',
] as const;

/** The texts of blockers that people raise, by the slug of their team. */
const blockers: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'The staging cluster has no free nodes.',
    'Access to the production logs has expired.',
    'The certificate of the label printer gateway ends on Friday and nobody knows who renews it.',
    'The vendor has not answered the support ticket for three days.',
    'Waiting for the security review of the new base image.',
  ],
  storefront: [
    'The test account of the map provider is blocked.',
    'Translations for the checkout are missing.',
    'Legal has not decided on the text of the cancellation notice.',
    'The build agent for phones is out of disk space.',
  ],
  payments: [
    'The bank’s sandbox answers 500 since yesterday.',
    'Finance has to confirm the cost centres before invoices can go out.',
    'Waiting for the contract with the second provider.',
  ],
  design: ['No depot has agreed to a visit yet.', 'The prototype tool lost our shared library.'],
};

export interface UpdateTexts {
  readonly done: string;
  readonly next: string;
}

/** Returns a function that writes the update of the next day: yesterday's plan becomes today's result. */
export function createUpdateWriter(
  team: string,
  mates: readonly string[],
  chance: Chance,
): () => UpdateTexts {
  const own = tasks[team] ?? tasks['platform'] ?? [];
  let task = chance.pick(own);
  let at = chance.between(0, steps.length - 2);
  const fill = (text: string): string => {
    const filled = text.replaceAll('{task}', task).replaceAll('{mate}', chance.pick(mates));
    return `${filled.charAt(0).toUpperCase()}${filled.slice(1)}`;
  };
  return () => {
    // On some days a person makes no progress.
    const isSlow = chance.between(1, 6) === 1;
    const done = fill(`${isSlow ? slowDay : (steps[at]?.did ?? '')}${chance.pick(beside)}`);
    if (!isSlow) at += chance.between(1, 4) === 1 ? 2 : 1;
    if (at >= steps.length) {
      at = 0;
      task = chance.pick(own.filter((one) => one !== task));
    }
    return {done, next: fill(steps[at]?.will ?? '')};
  };
}

export function chooseBlockerText(team: string, chance: Chance): string {
  return chance.pick(blockers[team] ?? blockers['platform'] ?? []);
}
