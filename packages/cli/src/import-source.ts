import type {ImportRow} from '../../import-files/src/rows.js';
import {CommandError} from './errors.js';
import type {Outside} from './outside.js';
import {isPrivateAddress, parseAddress} from './settings.js';
import {line} from './show.js';

/** The standups of a source, and those that were left out already. */
export interface SourceContent {
  /** The name of the source in the API, by which its rows are recognised. */
  readonly source: string;
  /** The rows. `team` is the name in the source. */
  readonly rows: readonly ImportRow[];
  readonly leftOut: readonly LeftOut[];
  /** Sentences for the report. */
  readonly notes: readonly string[];
  readonly absences: readonly SourceAbsence[];
}

export interface LeftOut {
  readonly count: number;
  readonly reason: string;
}

/** Days off in the source that end today or later. */
export interface SourceAbsence {
  readonly name: string;
  /** The address of the person; empty if the source does not tell it. */
  readonly email: string;
  readonly from: string;
  readonly until: string;
}

/** Days to read, both inclusive. */
export interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Counts reasons, for `leftOut`. */
export function createTally() {
  const counts = new Map<string, number>();
  return {
    add: (reason: string, count = 1) => void counts.set(reason, (counts.get(reason) ?? 0) + count),
    list: (): LeftOut[] => Array.from(counts, ([reason, count]) => ({reason, count})),
  };
}

/** A product whose API is read. */
export interface Vendor {
  readonly name: string;
  readonly url: string;
  /** The variable of the environment with another address, for tests and proxies. */
  readonly urlVariable: string;
  readonly keyVariable: string;
  readonly keyHint: string;
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
}

export type Read = (path: string, query?: Readonly<Record<string, string | undefined>>) => Promise<unknown>;

const answerWithinMs = 60_000;
const pauses = [1_000, 5_000, 15_000];
const longestWaitMs = 600_000;
/** The longest answer that is read (bytes). A page of 250 responses has about 1 MB. */
const largestAnswer = 64 * 1024 * 1024;
/** The most pages of a list: two million reports. */
export const mostPages = 20_000;

/** Asks for the key, which is kept nowhere. */
export async function readKey(outside: Outside, {name, keyVariable, keyHint}: Vendor): Promise<string> {
  const given = outside.env[keyVariable];
  if (!given && !outside.isInteractive) {
    throw new CommandError('usage', `Set ${keyVariable} to your key of ${name}. ${keyHint}`);
  }
  const key = given || (await outside.ask(`Key of ${name} (${keyHint} It is not shown): `, {isSecret: true}));
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError('usage', `This is no key of ${name}.`);
  return key;
}

/** Returns a function that reads JSON from a vendor, waits when it must, and never follows a redirect. */
export function createVendorReader(outside: Outside, vendor: Vendor, key: string): Read {
  const {name} = vendor;
  const base = parseAddress(outside.env[vendor.urlVariable] ?? vendor.url);
  if (!isPrivateAddress(base))
    throw new CommandError('usage', `${base} is not encrypted: others could read your key of ${name}.`);
  return async function read(path, query = {}) {
    const url = new URL(`${base}${path}`);
    for (const [field, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(field, value);
    }
    for (let tries = 0; ; ) {
      const response = await outside
        .send(
          new Request(url, {
            headers: {...vendor.authorize(key), accept: 'application/json'},
            redirect: 'manual',
            signal: AbortSignal.timeout(answerWithinMs),
          }),
        )
        .catch(() => undefined);
      const text = response?.ok === true ? await readText(response, name) : undefined;
      if (text !== undefined) return parseAnswer(name, url.pathname, text);
      // A connection that breaks in the middle of an answer has given none.
      const status = response === undefined || response.ok ? 0 : response.status;
      if (status > 0) await response?.body?.cancel();
      if (status === 401 || status === 403) {
        throw new CommandError('forbidden', `${name} refuses this key for ${url.pathname} (${status}).`);
      }
      if (status === 429) {
        const wait = Math.min(readRetryAfter(response, outside.now()), longestWaitMs);
        outside.showProgress(`${name} asks to wait for ${Math.ceil(wait / 1_000)} seconds …`);
        await outside.sleep(wait);
        continue;
      }
      const pause = pauses[tries];
      if ((status > 0 && status < 500) || pause === undefined) {
        const what = status === 0 ? 'does not answer' : `answers with ${status}`;
        throw new CommandError('unreachable', `${name} ${what}: ${url.origin}${url.pathname}`);
      }
      await outside.sleep(pause);
      tries += 1;
    }
  };
}

/** Reads `Retry-After`, which has seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(response: Response | undefined, now: number): number {
  const text = response?.headers.get('retry-after') ?? '';
  const seconds = Number(text);
  if (text !== '' && Number.isFinite(seconds)) return Math.max(1_000, seconds * 1_000);
  const until = Date.parse(text);
  return Number.isNaN(until) ? 30_000 : Math.max(1_000, until - now);
}

/** Returns the text of an answer; undefined if it breaks off. */
async function readText(response: Response, name: string): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
    for await (const chunk of body) {
      size += chunk.length;
      if (size > largestAnswer) break;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  if (size > largestAnswer) throw new CommandError('unreachable', `The answer of ${name} is too large.`);
  return Buffer.concat(chunks).toString();
}

function parseAnswer(name: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('unreachable', `${name} answers to ${path} with something else than JSON.`);
  }
}

/** A value of a vendor's answer, whose shape is not promised. */
export type Loose = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

/** Returns the first member that is a text or a number, as text. */
export function pickText(from: Loose, ...names: readonly string[]): string {
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

export function isTrue(from: Loose, ...names: readonly string[]): boolean {
  return names.some((name) => from[name] === true);
}

/** Returns the objects of a list: a bare one, or one in an envelope. */
export function listObjects(value: unknown, ...names: readonly string[]): Loose[] {
  const inside = names.map((name) => asObject(value)[name]).find((one) => Array.isArray(one));
  const list = Array.isArray(value) ? value : (inside ?? []);
  return (list as readonly unknown[]).map(asObject);
}

export function isZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', {timeZone: name}).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Describes a row as it was read, so that a person sees at once if something is wrong. */
export function describeRow({author, team, date, posted_at, update, answers = []}: ImportRow): string {
  const text = update ?? answers.map(({label, value}) => `${label} ${value}`).join(' · ');
  const when = date ?? posted_at ?? '';
  const short = text.length > 120 ? `${text.slice(0, 120).toWellFormed()} …` : text;
  return line(`${when}, ${team}, ${author.name}: ${short.replaceAll('\n', ' ')}`);
}
