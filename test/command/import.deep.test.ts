import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {eventsOf} from '../api/samples.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createMachine, type Machine} from './machine.js';
import {packCommand} from './pack-command.js';
import {serveGeekbot, type StandIn} from './vendors.js';

let service: TestService;
let workspace: TestWorkspace;
let machine: Machine;
let program: string;
let standIn: StandIn | undefined;

beforeAll(async () => {
  [service, program] = await Promise.all([startService(), packCommand()]);
});
beforeEach(async () => {
  machine = createMachine();
  workspace = await service.addWorkspace();
});
afterEach(async () => {
  machine.remove();
  await standIn?.close();
});
afterAll(() => service.close());

const rowCount = 10_000;
/** The most memory of the command (MiB). Node alone takes 45, and with `fetch` 70. */
const mostMemory = 300;

const dayOf = (index: number) => new Date(Date.UTC(2020, 0, 1) + (index % 1_800) * 86_400_000).toISOString();
const textOf = (index: number) =>
  `Finished part ${index} of the importer; "quoted", with a comma.\nÜbrigens: ${'more words '.repeat(20)}`;
const indexes = Array.from({length: rowCount}, (_, index) => index);
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

interface Export {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function writeCsv(): Export {
  const file = path.join(machine.home, 'history.csv');
  const lines = indexes.map((index) => {
    const [year, month, day] = dayOf(index).slice(0, 10).split('-');
    const cells = [
      `${day}.${month}.${year}`,
      `Person ${index % 40}`,
      `p${index % 40}@example.com`,
      'Platform',
    ];
    return [...cells, quote(textOf(index)), index % 3 === 0 ? '' : 'None.'].join(';');
  });
  const head = 'Datum;Name;E-Mail;Team;What did you do?;question: Blockers';
  writeFileSync(file, `\uFEFF${[head, ...lines].join('\r\n')}\r\n`);
  return {args: ['csv', file]};
}

function writeNdjson(): Export {
  const file = path.join(machine.home, 'history.ndjson');
  const lines = indexes.map((index) =>
    JSON.stringify({
      external_id: `row-${index}`,
      team: 'platform',
      date: dayOf(index).slice(0, 10),
      author: {name: `Person ${index % 40}`, external_id: `U${index % 40}`},
      update: textOf(index),
    }),
  );
  writeFileSync(file, lines.join('\n'));
  return {args: ['csv', file]};
}

async function startGeekbot(): Promise<Export> {
  const members = indexes.slice(0, 40).map((id) => ({id: `U${id}`, realname: `Person ${id}`}));
  const reports = indexes.map((id) => ({
    id,
    standup_id: 1,
    standup_name: 'Platform',
    user_id: `U${id % 40}`,
    posted_at: dayOf(id),
    is_anonymous: false,
    is_confidential: false,
    answers: [{id, question_id: 1, question: 'What did you do?', answer: textOf(id)}],
  }));
  standIn = await serveGeekbot({
    standups: [{id: 1, name: 'Platform', timezone: 'Europe/Berlin', members}],
    reports,
    pageSize: 100,
  });
  return {args: ['geekbot'], env: {GEEKBOT_URL: standIn.url, GEEKBOT_API_KEY: 'geekbot-key'}};
}

const printMemory =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('MEMORY '+process.resourceUsage().maxRSS+'\\n'))";

/** Runs the packed command. Returns its output, its time (s) and its most memory (MiB). */
async function run({args, env = {}}: Export) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', printMemory, program, 'import', ...args, '--yes'], {
    cwd: machine.home,
    env: {...env, HOME: machine.home, STANDUP_URL: service.url, STANDUP_TOKEN: workspace.token},
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const memory = Number(/MEMORY (\d+)/.exec(stderr)?.[1]) / 1_024;
  return {code, stdout, stderr, memory, seconds: (performance.now() - startedAt) / 1_000};
}

it.each([
  ['a CSV file without ids', writeCsv],
  ['a file of rows as JSON', writeNdjson],
  ['Geekbot', startGeekbot],
] as const)(
  'an import of 10,000 standups from %s is complete, and a second run creates nothing',
  async (_, prepare) => {
    const source = await prepare();
    const first = await run(source);
    process.stdout.write(
      `import of ${rowCount} standups, ${source.args[0]}: ${first.seconds.toFixed(1)} s, ${first.memory.toFixed(0)} MiB\n`,
    );
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(`\n${rowCount} standups imported.\n`);
    expect(first.memory).toBeLessThan(mostMemory);
    const second = await run(source);
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/\n10000 +imported before\n[^]*There is nothing to import\.\n$/);
    const {body} = await workspace.request('GET', '/v1/imports');
    const real = body.data.filter(({dry_run: isDry}: {dry_run: boolean}) => !isDry);
    expect(real).toMatchObject([{state: 'completed', counts: {created: rowCount, existing: 0}}]);
    const events = await eventsOf(workspace);
    expect(events.filter(({type}) => type === 'import.completed')).toHaveLength(1);
  },
);
