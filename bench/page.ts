import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {renderMarkdown, type Report} from './report.js';

/** The last whole run on each Node version, by its major number. */
type Reports = Readonly<Record<string, Report>>;

/** Replaces the previous whole run on the same Node version, in the data file and on the page. */
export function writePage(root: string, report: Report): void {
  const data = path.join(root, 'bench', 'results', 'latest.json');
  const before = existsSync(data) ? (JSON.parse(readFileSync(data, 'utf8')) as Reports) : {};
  const [major = ''] = report.machine.node.split('.');
  const reports = {...before, [major]: report};
  mkdirSync(path.dirname(data), {recursive: true});
  writeFileSync(data, `${JSON.stringify(reports, null, 2)}\n`);
  writeFileSync(path.join(root, 'docs', 'performance.md'), renderPage(reports));
}

function renderPage(reports: Reports): string {
  const newestFirst = Object.entries(reports).toSorted(([one], [other]) => Number(other) - Number(one));
  return `# Performance

\`npm run bench\` writes this page; do not edit it. \`bench/results/latest.json\` has the same figures as data.
${newestFirst.map(([, report]) => renderRun(report)).join('')}
${explanation}`;
}

function renderRun({date, machine, figures}: Report): string {
  const {cpu, cores, memoryGb, system, node, redis, fsyncMs, pinned, loadBefore} = machine;
  return `
## Node ${node}

${renderMarkdown(figures)}

${date}; ${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; Redis ${redis}; one small write with fsync ${fsyncMs} ms. The load average before the
run was ${loadBefore}${loadBefore > 0.5 ? ' (**other work ran at the same time: read these figures with care, or repeat them**)' : ''}.${
    pinned
      ? ''
      : ' Nothing was pinned to a core, because `taskset` or a second core is missing: expect wider spreads.'
  }
`;
}

const explanation = `Each figure is a median over several processes, with the smallest and the largest of them in parentheses. Absolute figures on a
shared machine mean little. Compare the **ratio** to something measured in the same run, of every process of ours to every one of theirs.

## What it is compared with

- **C**, the ceiling of a POST: a bare \`node:http\` server. It parses the body and sends the keys and arguments of the service's own commit to a
  script with the same writes. Both are recorded from the service at the start of the run, so they always match it.
  No token, no validation, no plan, no log. [ceiling.ts](../bench/peers/ceiling.ts), [recorded-commit.ts](../bench/recorded-commit.ts)
- **Small C**, the C of earlier runs: the same server with nine short keys and arguments. [small-ceiling.ts](../bench/peers/small-ceiling.ts)
- **The obvious build**: Express and node-redis with their defaults, \`jwtVerify\` on each request, zod, a hash with its indexes, and
  \`queue.add\`. [obvious.ts](../bench/peers/obvious.ts)
- **Raw loop**, the ceiling of deliveries: \`undici\` sending the same bodies over as many connections, unsigned and unrecorded.
  [raw-loop.ts](../bench/peers/raw-loop.ts)
- **A BullMQ job per delivery**: signed and recorded in a hash. [job-per-delivery.ts](../bench/peers/job-per-delivery.ts)
- **Static**, the ceiling of a read: a bare server that answers every request with the service's bytes, headers included.
  [static.ts](../bench/peers/static.ts)
- **A service account**: the same build, with posts that name a team without schedule and questions.

## How it is measured

- **Processes.** Two identical processes differ by 10–25 % during their whole life. So each figure comes from several, each with a Redis of its own. All
  are alive at once and are measured in every round, in a new random order. Only one works at a time.
- **Warm-up.** Each process runs until its CPU per event is steady: at least 15,000 requests, or 5,000 events with their deliveries.
- **CPU** is read from \`/proc/PID/task/*/schedstat\`: all threads, in ns. For Redis it is all that its process uses, with its files and replies.
- **Throughput** is in closed loop: each of 64 connections sends when it has its answer. **Latency** is in open loop: a timer sends at a fixed rate, and
  the time counts from the planned send.
- **"Everything on"** is \`dist/main.js\` with the options of the Procfile, which the peers have too, and as in production. It has access token, scope, strict
  validation, idempotency key, one atomic commit with its event, and a log line per request (\`LOG_LEVEL=info\`). It is \`ROLES=web\`, with no worker
  beside it, unless the row says otherwise.
- **Checks.** After every measurement the stored standups must equal the 201s. After a backlog of deliveries none may be unrecorded.
- **Redis** runs with \`appendfsync always\` unless the row says otherwise, on the project's disk, and does not rewrite its file during the run.
- **A backlog of deliveries** is made while the worker is frozen (SIGSTOP), so a warm process gets it. The time includes creating the deliveries of
  each event.
- **The commit in Redis** is the recorded commands alone, 64 at a time, with no server between. The service's are recorded again for each second, because
  they have the time that the service expects.
- **A member's post** answers three questions, while the run of their team is open.
- **20,000 posts** are in closed loop, to a process that is warm and has delivered everything before. The last delivery counts.
- **Bytes** are the growth of Redis after 10,000 posts, by its own account, with texts of 172 to 428 bytes.
- **\`listTeamsOf\`** is what Slack reads at each command. The benchmark calls it in its own process.
- **Hanging neighbours** are more webhooks that never answer than a process serves at a time, over many workspaces, each with 500
  waiting deliveries. It is measured when all of them hang, beyond the 15 s after which their requests time out. They are alternately
  enabled and disabled, in the same service. Their receivers are a process of their own.
- **Cores.** The process under test has one core. Redis, the generator and the receivers share another (\`taskset\`), the same for all.

## Your own figures

\`\`\`sh
npm run bench                                        # all rows, about twelve minutes; keep the machine quiet
npm run bench -- --only post,deliveries              # some rows
npm run bench -- --quick --against ../before/dist    # did a change help? this build against another, within 90 s
npm run bench -- --quick --only deliveries,latency --against ../before/dist
npm run bench -- --processes 5 --rounds 9 --seconds 4
npm run bench -- --only post --profile               # with CPU profiles of the service, in .cache/profiles
npm run bench -- --help                              # all options and rows
npm run bench -- scale                               # how costs grow with workspaces and their sizes, about ten minutes
\`\`\`

The other build needs its \`package.json\` and \`node_modules\` beside its \`dist\`, as in a checkout. Only a run of all rows rewrites this page, in the section
of its Node version.
`;
