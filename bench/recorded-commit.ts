import {suffixOf, type Id} from '../src/domain/core/ids.js';
import {lists} from '../src/domain/core/lists.js';
import {type RedisCommand, recordCommands} from './monitor.js';
import type {BenchStage} from './stage.js';

/** The commit of a typical post, recorded as the service sent it to Redis. */
export interface Recording {
  /** The digest of the service's Lua script, which the recording's Redis has loaded. */
  readonly sha: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** The parts of keys and arguments that differ in every post. */
  readonly unique: readonly string[];
  /** The Redis commands that write, of those that the script ran. */
  readonly writes: readonly RedisCommand[];
  /** A Lua script that makes the same writes from the same keys and arguments, and does nothing else. */
  readonly bareScript: string;
  /** The key of the hash in which a workspace counts its events. */
  readonly head: string;
  /** The key of the list of all standups. */
  readonly list: string;
  /** The body of the answer to the post. */
  readonly body: string;
}

/** The Redis database that is used for a recording. */
export type RecordingStage = Pick<BenchStage, 'redis' | 'keys' | 'principal'>;

/** Records a commit. `post` sends one post and resolves to the body of its answer. */
export async function recordCommit(stage: RecordingStage, post: () => Promise<string>): Promise<Recording> {
  // Two posts come before the recording. The first has a different script, and the first use of a script
  // sends its whole text instead of its digest.
  await post();
  await post();
  const one = await captureCommit(stage, post);
  const next = await captureCommit(stage, post);
  const differing = one.keys.filter((key, i) => key !== next.keys[i]);
  const [head, quota] = [stage.keys.head(), stage.keys.quota(stage.principal.id)];
  const writes = one.writes.map((args, i) => {
    const call = `redis.call(${args.map((argument, at) => convertArgumentToLua(argument, next.writes[i]?.[at] ?? '', one)).join(', ')})`;
    // The counter of a rate limit is not written to the append-only file.
    return args[1] === quota
      ? `redis.set_repl(redis.REPL_NONE)\n${call}\nredis.set_repl(redis.REPL_ALL)`
      : call;
  });
  const counter = `local sequence = redis.call('HGET', KEYS[${one.keys.indexOf(head) + 1}], 'sequence') + 1`;
  return {
    ...one,
    unique: [...new Set(differing.map((key) => key.slice(key.lastIndexOf(':') + 1)))],
    bareScript: ['#!lua', counter, ...writes, "return {0, 0, '', sequence}"].join('\n'),
    head,
    list: stage.keys.list(lists.standups()),
  };
}

type RecordedCommit = Pick<Recording, 'sha' | 'keys' | 'args' | 'writes' | 'body'> & {
  readonly sequence: number;
};

async function captureCommit(
  {redis, keys}: RecordingStage,
  post: () => Promise<string>,
): Promise<RecordedCommit> {
  const {commands, result: body} = await recordCommands(redis, post);
  const {id} = JSON.parse(body) as {id: Id<'standup'>};
  const record: string = keys.record(suffixOf(id));
  const commit = commands.find(({args}) => args[0]?.toUpperCase() === 'EVALSHA' && args.includes(record));
  if (commit === undefined) throw new Error(`No script of Redis has made ${id}.`);
  const [, sha = '', count = '', ...rest] = commit.args;
  const writers = await redis.sendCommand<string[]>(['COMMAND', 'LIST', 'FILTERBY', 'ACLCAT', 'write']);
  const writes = commit.within.filter(([name = '']) => writers.includes(name.toLowerCase()));
  const entry = writes.find(([name]) => name === 'XADD')?.find((argument) => /^\d+-0$/.test(argument)) ?? '';
  return {
    sha,
    keys: rest.slice(0, Number(count)),
    args: rest.slice(Number(count)),
    writes,
    body,
    sequence: Number.parseInt(entry, 10),
  };
}

/** Renders one argument of a write as Lua: a key, an argument, a sequence number, or a constant. */
function convertArgumentToLua(
  argument: string,
  next: string,
  {keys, args, sequence}: RecordedCommit,
): string {
  const [key, arg] = [keys.indexOf(argument), args.indexOf(argument)];
  if (key >= 0) return `KEYS[${key + 1}]`;
  if (argument === `${sequence}-0`) return "sequence .. '-0'";
  if (Number(next) - Number(argument) === 1) {
    const more = BigInt(argument) - BigInt(sequence);
    return more === 0n ? 'sequence' : `${more} + sequence`;
  }
  if (arg >= 0) return `ARGV[${arg + 1}]`;
  return composeFromArguments(argument, args);
}

/**
 * Composes a text from the arguments that occur in it, the longest first. Short arguments are ignored,
 * because they may occur by chance.
 */
function composeFromArguments(text: string, args: readonly string[]): string {
  const longest = args
    .filter((arg) => arg.length >= 8 && text.includes(arg))
    .reduce((one, other) => (other.length > one.length ? other : one), '');
  if (longest === '') return text === '' ? '' : quoteForLua(text);
  const at = text.indexOf(longest);
  const [before, after] = [text.slice(0, at), text.slice(at + longest.length)];
  return [
    composeFromArguments(before, args),
    `ARGV[${args.indexOf(longest) + 1}]`,
    composeFromArguments(after, args),
  ]
    .filter((part) => part !== '')
    .join(' .. ');
}

function quoteForLua(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
