import {randomUUID} from 'node:crypto';
import type {RedisClient} from './stage.js';

export type Command = readonly string[];

/** A command of a client, and those of its script, in order. */
export interface WatchedCommand {
  readonly words: Command;
  readonly within: readonly Command[];
}

/** All commands that a Redis received during `work`. */
export async function watchCommands<T>(
  redis: RedisClient,
  work: () => Promise<T>,
): Promise<{result: T; commands: readonly WatchedCommand[]}> {
  const commands: {words: Command; within: Command[]}[] = [];
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
      const words = readWords(line);
      if (words.includes(mark)) marked();
      else if (/^[\d.]+ \[\d+ lua\]/.test(line)) commands.at(-1)?.within.push(words);
      else commands.push({words, within: []});
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

/** A line of MONITOR: `<time> [<database> <client>] "<word>" …`. */
function readWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(?:x([\da-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined ? (named[letter] ?? letter) : String.fromCodePoint(Number.parseInt(hex, 16)),
    ),
  );
}
