import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {request as sendRequest} from 'node:http';
import {DatabaseSync} from 'node:sqlite';
import {Webhook} from 'standardwebhooks';
import {findFreePort} from '../support/free-port.js';

const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const webhook = new Webhook(secret);

interface Event {
  readonly id: string;
}

export type KilledReceiver = ReturnType<typeof createKilledReceiver>;

/** The points at which the process ends itself: around the statements of its transaction. */
const killPoints = ['after BEGIN IMMEDIATE', 'before COMMIT', 'after COMMIT'] as const;

/** Loaded before the receiver, which needs no code for tests. Counts a statement, and ends the process at it. */
const killer = `
  import {DatabaseSync} from 'node:sqlite';
  const {KILL_AT, KILL_AFTER} = process.env;
  let left = Number(KILL_AFTER);
  const {exec} = DatabaseSync.prototype;
  const pass = (point) => {
    if (point === KILL_AT && left-- === 0) process.kill(process.pid, 'SIGKILL');
  };
  DatabaseSync.prototype.exec = function (statement) {
    pass('before ' + statement);
    exec.call(this, statement);
    pass('after ' + statement);
  };
`;

interface Kill {
  readonly at: (typeof killPoints)[number];
  /** How many statements pass before it. */
  readonly after: number;
}

/** A receiver of the examples as a process that is killed and started again. */
export function createKilledReceiver(folder: string, database: string) {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> | undefined;
  let port = 0;
  return {
    async start(kill?: Kill) {
      port ||= await findFreePort();
      const env = {
        ...process.env,
        ...(kill && {KILL_AT: kill.at, KILL_AFTER: String(kill.after)}),
        WEBHOOK_SECRET: secret,
        DATABASE: database,
        PORT: String(port),
      };
      const module = `data:text/javascript,${encodeURIComponent(killer)}`;
      const args = [...(kill ? ['--import', module] : []), 'receiver.ts'];
      child = spawn(process.execPath, args, {cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit']});
      ended = once(child, 'exit');
      await once(child.stdout ?? child, 'data');
    },
    /** Kills the process, or waits until it has ended itself. Returns the signal that ended it. */
    async end({itself}: {readonly itself: boolean}): Promise<string | null | undefined> {
      if (!itself) child?.kill('SIGKILL');
      await ended;
      return child?.signalCode;
    },
    /** Sends an event as the service does. Resolves to the status, or to 0 without an answer. */
    deliver(event: Event, {forged = false, at = Date.now()} = {}): Promise<number> {
      const body = JSON.stringify(event);
      const headers = {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(at / 1_000)),
        'webhook-signature': webhook.sign(event.id, new Date(at), forged ? `${body} ` : body),
      };
      return new Promise((resolve) => {
        const sent = sendRequest(
          {host: '127.0.0.1', port, method: 'POST', headers, agent: false},
          (answer) => {
            answer.resume();
            answer.on('error', () => resolve(0));
            answer.on('end', () => resolve(answer.statusCode ?? 0));
          },
        );
        sent.on('error', () => resolve(0));
        sent.end(body);
      });
    },
  };
}

export function createEvent(number: number) {
  const id = `evt_${String(number).padStart(26, '0')}`;
  return {id, object: 'event', type: 'standup.created', data: {team_id: 'team_1', date: '2026-11-23'}};
}

/**
 * Delivers events, four at a time, until each is answered with 204. The receiver is killed in its transactions.
 * Returns how often, and how many events were kept, but not answered.
 */
export async function deliverThroughKills(
  receiver: KilledReceiver,
  {events, kills, database}: {readonly events: number; readonly kills: number; readonly database: string},
) {
  let waiting = Array.from({length: events}, (_, number) => createEvent(number));
  let keptUnanswered = 0;
  let killed = 0;
  for (let round = 0; round <= kills; round += 1) {
    const at = round < kills ? killPoints[round % killPoints.length] : undefined;
    await receiver.start(at && {at, after: round % 4});
    const queue = at ? waiting.slice(0, 10) : [...waiting];
    const answered = new Set<string>();
    const sendNext = async () => {
      for (let event = queue.pop(); event !== undefined; event = queue.pop())
        if ((await receiver.deliver(event)) === 204) answered.add(event.id);
    };
    await Promise.all(Array.from({length: 4}, sendNext));
    const signal = await receiver.end({itself: at !== undefined});
    if (at && signal === 'SIGKILL') killed += 1;
    const kept = listReceived(database);
    keptUnanswered += waiting.filter(({id}) => kept.has(id) && !answered.has(id)).length;
    waiting = waiting.filter(({id}) => !answered.has(id));
  }
  return {killed, left: waiting.length, keptUnanswered};
}

function listReceived(database: string): Set<string> {
  const opened = new DatabaseSync(database, {readOnly: true});
  try {
    return new Set(
      opened
        .prepare('SELECT id FROM received')
        .all()
        .map(({id}) => String(id)),
    );
  } finally {
    opened.close();
  }
}

export function readCounts(database: string) {
  const opened = new DatabaseSync(database);
  try {
    const received = opened.prepare('SELECT count(*) AS n FROM received').get()?.['n'];
    const posted = opened.prepare('SELECT sum(posted) AS n FROM standups').get()?.['n'];
    return {received, posted};
  } finally {
    opened.close();
  }
}
