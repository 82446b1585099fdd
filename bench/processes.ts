import {type ChildProcess, spawn} from 'node:child_process';
import net from 'node:net';
import type {Cores} from './machine.js';

export interface NodeProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Kills the process at once. A process that is being profiled first writes its profile. */
  stop(): Promise<void>;
}

const alive = new Set<ChildProcess>();

// Child processes end with this process.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/**
 * Starts `node script` on the core for measured implementations, with only the given environment variables.
 */
export function startNode(options: {
  readonly script: string;
  readonly nodeArgs?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cores: Cores | undefined;
  readonly talks?: boolean;
}): NodeProcess {
  const {script, nodeArgs = [], env, cores, talks = false} = options;
  const args = [...nodeArgs, script];
  const [command, commandArgs] =
    cores === undefined
      ? [process.execPath, args]
      : ['taskset', ['-c', String(cores.arm), process.execPath, ...args]];
  const child = spawn(command, commandArgs, {
    env: {PATH: process.env['PATH'] ?? '', ...env},
    // The output is discarded. A service that logs to a file also writes without delay.
    stdio: ['ignore', 'ignore', 'inherit', ...(talks ? ['ipc' as const] : [])],
  });
  alive.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      alive.delete(child);
      resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(nodeArgs.includes('--cpu-prof') ? 'SIGTERM' : 'SIGKILL');
      await ended;
    },
  };
}

/** Resolves when a port accepts connections. */
export function waitUntilListening(process: NodeProcess, port: number): Promise<void> {
  return waitUntilReady(process, () => acceptsConnections(port));
}

/** Resolves when a process is ready. Throws when the process has ended, or is not ready after 30 s. */
export async function waitUntilReady({child}: NodeProcess, ready: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + 30_000;
  while (!(await ready())) {
    if (child.exitCode !== null)
      throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}.`);
    if (performance.now() > late) throw new Error(`${child.spawnargs.join(' ')} is not ready after 30 s.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Sends a message to a peer and waits for its next answer. */
export function askPeer({child}: NodeProcess, message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    function rejectWhenEnded(): void {
      reject(new Error(`A peer ended while it was asked for ${JSON.stringify(message).slice(0, 80)}.`));
    }
    child.once('exit', rejectWhenEnded);
    child.once('message', (answer) => {
      child.off('exit', rejectWhenEnded);
      resolve(answer);
    });
    child.send(message);
  });
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
