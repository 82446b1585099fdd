import {randomUUID} from 'node:crypto';
import type {RedisClient} from './stage.js';

export type RedisCommand = readonly string[];

/** A command that a client sent to Redis, and the commands that its script ran, in order. */
export interface WatchedCommand {
  readonly args: RedisCommand;
  readonly within: readonly RedisCommand[];
}

/** Returns all commands that a Redis server received during `work`. */
export async function recordCommands<T>(
  redis: RedisClient,
  work: () => Promise<T>,
): Promise<{result: T; commands: readonly WatchedCommand[]}> {
  const commands: {args: RedisCommand; within: RedisCommand[]}[] = [];
  const mark = randomUUID();
  let marked = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    marked = resolve;
  });
  const watcher = redis.duplicate();
  watcher.on('error', () => undefined);
  await watcher.connect();
  try {
    await watcher.monitor((line) => {
      const args = parseArguments(line);
      if (args.includes(mark)) marked();
      else if (/^[\d.]+ \[\d+ lua\]/.test(line)) commands.at(-1)?.within.push(args);
      else commands.push({args, within: []});
    });
    const result = await work();
    await redis.echo(mark);
    await end;
    return {result, commands};
  } finally {
    watcher.destroy();
  }
}

const named: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b'};

/** Parses a line of MONITOR: `<time> [<database> <client>] "<argument>" …`. */
function parseArguments(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, argument = '']) =>
    argument.replaceAll(/\\(?:x([\da-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined ? (named[letter] ?? letter) : String.fromCodePoint(Number.parseInt(hex, 16)),
    ),
  );
}
