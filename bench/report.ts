import type {Figure, Spread} from './figures.js';
import type {Machine} from './machine.js';

export interface Report {
  /** Day of the run. */
  readonly date: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
}

const headings = ['work', 'ours', 'compared with', 'ratio', 'goal', 'reached'];

function cells({work, unit, ours, against, ratio, goal, reached}: Figure): string[] {
  return [
    work,
    `${number(ours.median)} ${unit}${ratio === undefined ? range(ours) : ''}`,
    against === undefined ? '–' : `${against.name}: ${number(against.value.median)} ${unit}`,
    ratio === undefined ? '–' : `${number(ratio.median)}${range(ratio)}`,
    goal,
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ];
}

/** The table for a terminal. */
export function renderTable(figures: readonly Figure[]): string {
  const rows = [headings, ...figures.map(cells)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** `docs/performance.md`: the figures of one run, and how to get one's own. */
export function renderPage({date, rounds, seconds, machine, figures}: Report): string {
  const rows = figures.map((figure) => `| ${cells(figure).join(' | ')} |`);
  const {cpu, cores, memoryGb, system, node, redis, fsyncMs, pinned, loadBefore} = machine;
  return `# Performance

Written by \`npm run bench\` on ${date}; do not edit. The same figures as data: \`bench/results/latest.json\`.

| ${headings.join(' | ')} |
|${headings.map(() => '---').join('|')}|
${rows.join('\n')}

Each figure is a median over ${rounds} rounds; in parentheses the smallest and the largest. Absolute figures on a shared machine mean
little: what counts is the **ratio** to something measured in the same run.

## What it is compared with

- **C**, the ceiling of a POST: a bare \`node:http\` server that parses the body and runs one script with the same writes (record, three
  list places, event, idempotency record) through node-redis. No token, no validation, no log. [ceiling.ts](../bench/peers/ceiling.ts)
- **The obvious build**: Express and node-redis with their defaults, \`jwtVerify\` on each request, zod, a hash with its indexes, and
  \`queue.add\`. [obvious.ts](../bench/peers/obvious.ts)
- **Raw loop**, the ceiling of deliveries: \`undici\` sending the same bodies over as many connections, unsigned and unrecorded.
  [raw-loop.ts](../bench/peers/raw-loop.ts)
- **A BullMQ job per delivery**: signed and recorded in a hash. [job-per-delivery.ts](../bench/peers/job-per-delivery.ts)

## How it is measured

- Rounds are interleaved (A B A B), after one of each that warms up and does not count; a ratio is the median of the ratios of the rounds.
- Throughput in closed loop: 64 connections, each sends when it has been answered, ${seconds} s a round. Latency in open loop: a timer
  sends at a fixed rate, and the time counts from when a request was meant to be sent.
- "Everything on" is \`node dist/main.js\` as in production: access token, scope, strict validation, idempotency key, one atomic commit with
  its event, a log line per request (\`LOG_LEVEL=info\`). \`ROLES=web\`, with no worker beside it, unless the row says otherwise.
- After every round the stored standups are counted and must equal the 201s; after every round of deliveries none may be left unrecorded.
- Redis runs with \`appendfsync always\` unless the row says otherwise, on the project's disk, without rewriting its file meanwhile.
- A backlog of deliveries is made while the worker is frozen (SIGSTOP), so that a warm process meets it; creating the deliveries of each
  event is inside the time.
- Hanging neighbours: more webhooks that never answer than a process takes turns at a time, over many workspaces, each with 1,000
  deliveries waiting; measured from when all of them hang, beyond the 15 s after which their requests time out. They are
  enabled and disabled in turn, in the same service; their receivers are a process of their own.
- ${
    pinned
      ? 'The arm under test has one core; Redis, the generator and the receivers share another (`taskset`), the same for both arms.'
      : 'Nothing was pinned to a core, since `taskset` or a second core is missing: expect wider spreads.'
  }

The machine: ${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; Node ${node}; Redis ${redis}; one small write with fsync ${fsyncMs} ms;
load average before the run ${loadBefore}${loadBefore > 0.5 ? ' (others were at work too: read these figures with care, or repeat them)' : ''}.

## Your own figures

\`\`\`sh
npm run bench                                  # about ten minutes; keep the machine quiet
npm run bench -- --only post,deliveries        # some rows
npm run bench -- --rounds 9 --seconds 4        # longer
npm run bench -- --only post --profile         # with CPU profiles of the service, in .cache/profiles
\`\`\`

It starts the Redis it needs and fails when the POST row falls below 0.65 of C.
Only a run of all rows rewrites this page.
`;
}

function range({min, max}: Spread): string {
  return ` (${number(min)}–${number(max)})`;
}

function number(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
