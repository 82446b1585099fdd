import {type ChildProcess, spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import type {Waits} from '../../src/bot/showing/waits.js';
import type {Retention} from '../../src/domain/core/limits.js';
import {findFreePort} from './free-port.js';
import {until} from './until.js';
import path from 'node:path';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that a test has started, with its output. Kill it in `afterEach`, whatever the test's result. */
export interface TestProcess {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the process has ended and its output is complete. */
  readonly exited: Promise<Exit>;
  signal(name: NodeJS.Signals): void;
  /**
   * Sends a message to a process that was started with `messages`. Resolves with the process's next message,
   * or undefined if the process ends before.
   */
  ask(message: object): Promise<object | undefined>;
  /** Sends kill -9, and waits until the process has ended. Does nothing if it has already ended. */
  kill(): Promise<void>;
}

export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  /** Returns the current process, or the last one. */
  readonly current: () => TestProcess;
  kill(): Promise<void>;
  /**
   * Restarts the service on the same port after its end. Resolves when it is ready, or already killed by its
   * failpoint. The failpoint of the first start is not armed again.
   */
  restart(failpoint?: FailpointHit): Promise<void>;
  /**
   * Makes the service kill or freeze itself when it next reaches a step. Resolves when that has happened, or
   * when the service has ended otherwise. Works only for a service started with `armable`.
   */
  arm(failpoint: FailpointHit & {readonly signal: 'SIGKILL' | 'SIGSTOP'}): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code or signal of the process. */
  stop(): Promise<Exit>;
}

export interface ServiceProcessOptions {
  readonly redisUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another build; default: the one of this source tree. */
  readonly folder?: string;
  /** Default: a free one. */
  readonly port?: number;
  /**
   * The service uses the test's clock in its database (test-clock.ts). The clock must exist before the
   * service starts.
   */
  readonly clock?: boolean;
  /** The service kills itself with -9 when it reaches this step for the `hit`-th time. */
  readonly failpoint?: FailpointHit | undefined;
  /** Lets a test arm failpoints while the service runs. */
  readonly armable?: boolean;
  /** True: no process reads the service's standard output. */
  readonly unread?: boolean;
  /** Options of `composeService` that only tests set. */
  readonly composed?: {
    readonly retention?: Partial<Retention>;
    readonly upkeepMs?: number;
    readonly schedulerIntervalMs?: number;
    readonly leaseMs?: number;
    readonly mailLeaseMs?: number;
    readonly slackWaits?: Partial<Waits>;
  };
}

export interface FailpointHit {
  readonly name: string;
  readonly hit: number;
}

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * Key that encrypts secrets in tests. `startService` uses the same key, so that one service can set up data
 * for another.
 */
export const testSecretKey = 'a secret key for tests, 32 characters or more';

/** Keeps only the environment variables that programs need to run. */
export function minimalEnv(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const {PATH, HOME, REDIS_SERVER_BIN} = process.env;
  return {PATH, HOME, ...(REDIS_SERVER_BIN && {REDIS_SERVER_BIN}), ...env};
}

/**
 * Starts a process. `group`: the process starts others, and signals go to all of them, as Ctrl-C in a
 * terminal does. `uid`: the user of the process, which only root may choose.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  options: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    uid?: number;
    group?: boolean;
    messages?: boolean;
    unread?: boolean;
  } = {},
): TestProcess {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? minimalEnv(),
    stdio: ['ignore', 'pipe', 'pipe', ...(options.messages ? ['ipc' as const] : [])],
    detached: options.group ?? false,
    ...(options.uid !== undefined && {uid: options.uid, gid: options.uid}),
  });
  const output = {stdout: '', stderr: ''};
  for (const name of options.unread === true ? (['stderr'] as const) : (['stdout', 'stderr'] as const)) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    // The `close` event waits for the end of the output, which never comes if no one reads the output.
    child.once(options.unread === true ? 'exit' : 'close', (code, signal) => resolve({code, signal}));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    signal: (name) => send(child, name, options.group ?? false),
    ask: (message) =>
      new Promise((resolve) => {
        const end = (answer?: object): void => {
          child.off('message', end);
          child.off('exit', endWithout);
          resolve(answer);
        };
        const endWithout = (): void => end();
        child.on('message', end);
        child.on('exit', endWithout);
        child.send(message, () => undefined);
      }),
    kill: () => killAndWait(child, options.group ?? false),
  };
}

function send(child: ChildProcess, name: NodeJS.Signals, group: boolean): void {
  if (!group || child.pid === undefined) return void child.kill(name);
  try {
    process.kill(-child.pid, name);
  } catch {
    // The process group is already empty, so there is no process to signal.
  }
}

/**
 * Kills a process and waits until it has ended. Does not wait for its output, which a grandchild may still
 * hold open.
 */
async function killAndWait(child: ChildProcess, group: boolean): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const ended = hasEnded || new Promise((resolve) => child.once('exit', resolve));
  if (group || !hasEnded) send(child, 'SIGKILL', group);
  await ended;
}

/**
 * Starts the built service in a separate process, as the Procfile runs it. Resolves when the service is
 * ready.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const port = options.port ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  let current = await launch(options.failpoint);

  async function launch(failpoint?: FailpointHit): Promise<TestProcess> {
    const isPlain =
      failpoint === undefined &&
      options.armable !== true &&
      options.clock !== true &&
      options.composed === undefined;
    const entry = isPlain ? 'dist/main.js' : 'test/support/service-process.mjs';
    const started = startProcess(process.execPath, [entry], {
      ...(options.folder !== undefined && {cwd: options.folder}),
      messages: options.armable ?? false,
      unread: options.unread ?? false,
      env: minimalEnv({
        PORT: String(port),
        REDIS_URL: options.redisUrl,
        SECRET_KEY: testSecretKey,
        RATE_LIMIT: '0',
        RATE_LIMIT_WRITES: '0',
        RATE_LIMIT_AUTH_FAILURES: '0',
        LOG_LEVEL: options.env?.['ROLES'] === 'worker' ? 'info' : 'warn',
        ...(options.clock === true && {STANDUP_TEST_CLOCK: '1'}),
        ...(failpoint && {STANDUP_TEST_FAILPOINT: `${failpoint.name}:${failpoint.hit}`}),
        ...(options.composed && {STANDUP_TEST_COMPOSED: JSON.stringify(options.composed)}),
        ...options.env,
      }),
    });
    try {
      await untilReady(started, url, options.env?.['ROLES'] === 'worker');
    } catch (error) {
      await started.kill();
      throw error;
    }
    return started;
  }

  return {
    url,
    port,
    current: () => current,
    kill: () => current.kill(),
    async restart(failpoint) {
      await current.kill();
      current = await launch(failpoint);
    },
    async arm(failpoint) {
      await current.ask(failpoint);
      if (failpoint.signal === 'SIGKILL') await current.exited;
    },
    async stop() {
      current.signal('SIGTERM');
      return current.exited;
    },
  };
}

async function untilReady(started: TestProcess, url: string, workerOnly: boolean): Promise<void> {
  let ended: Exit | undefined;
  started.exited.then(
    (exit) => (ended = exit),
    () => undefined,
  );
  await until(
    async () => {
      if (ended?.signal === 'SIGKILL') return true;
      if (ended !== undefined) throw new Error(`the service ended at its start: ${started.stderr()}`);
      // A worker has no port, so its log says when it has started.
      if (workerOnly) return started.stdout().includes('"started"');
      return fetch(`${url}/readyz`).then(
        async (response) => {
          await response.text();
          return response.ok;
        },
        () => false,
      );
    },
    {what: 'the service is ready', withinMs: 60_000, everyMs: 50},
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${started.stdout()}${started.stderr()}`);
  });
}
