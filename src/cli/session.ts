import type {Call} from '../domain/core/access.js';
import type {Durability} from '../domain/core/durability.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import type {Services} from '../service/services.js';

/** The services and settings that all nouns of the command use. */
export interface Session {
  readonly services: Services;
  readonly signingKeys: SigningKeyAdmin;
  /**
   * Encrypts everything again under the present SECRET_KEY; counts the values that were under another key,
   * and those that no key decrypts.
   */
  reencrypt: () => Promise<{rewritten: number; unreadable: number}>;
  readonly print: (text: string) => void;
  /** Prints everything but the command's answer, on stderr. */
  readonly warn: (text: string) => void;
  /**
   * Resolves when the process is asked to stop (Ctrl-C, SIGTERM, SIGHUP) or its output is no longer read.
   * Once called, it replaces the usual sudden end: the caller must clean up and return.
   */
  untilStopped: () => Promise<void>;
  /** The reason why a request is not signed by this service with the secret; undefined when it is. */
  findSignatureError: (request: SignedRequest, secret: string) => string | undefined;
  /** Monotonic ms after which a call gives up. */
  readonly deadline: () => number;
  /** The workspace named by `--workspace`, or the only one. */
  chooseWorkspace: (reference: string | undefined) => Promise<Workspace>;
  /** A call on behalf of the operator. */
  call: (workspace: Pick<Workspace, 'id'>) => Call;
  /** Counts the jobs in each queue. */
  countQueued: () => Promise<readonly QueueCounts[]>;
  /**
   * Slack's error code for the token in the environment, or `no_answer`; null when Slack accepts it.
   * Undefined without a token.
   */
  askSlack: () => Promise<string | null | undefined>;
  readonly facts: Facts;
}

/** `counts` is undefined when the queue's Redis does not answer. */
export interface QueueCounts {
  readonly name: string;
  readonly counts:
    | {readonly waiting: number; readonly active: number; readonly delayed: number; readonly failed: number}
    | undefined;
}

/** A request that claims to come from the service: header names in lower case, and the exact bytes. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The keys that sign access tokens, as the command shows and replaces them. */
export interface SigningKeyAdmin {
  /**
   * The signing key comes first. Instants in ms: `since` is 0 when unknown, `until` is infinite for the
   * signing key.
   */
  list: (deadline: number) => Promise<readonly {kid: string; since: number; until: number}[]>;
  rotate: (deadline: number) => Promise<{kid: string}>;
  drop: (kid: string, deadline: number) => Promise<boolean>;
}

/** The state of the installation, as `doctor` reports it. */
export interface Facts {
  /** Settings whose names are nearly ours, one sentence each. */
  readonly warnings: readonly string[];
  readonly redisVersion: string;
  /** Whether the store takes reads and writes now, and why not. */
  readonly store: {readonly state: string; readonly detail?: string | undefined};
  readonly durability: Durability;
  readonly installation: string;
  /** The set-up in the environment; undefined when there is none. */
  readonly slack:
    | {
        readonly mode: 'token' | 'oauth';
        readonly socket: boolean;
        readonly admins: boolean;
        readonly workspace?: string;
      }
    | undefined;
  readonly publicUrl: string;
  /** The way by which webhook requests leave. */
  readonly webhooks: string;
}

/** Opens a session when a command needs one, so that `--help` works without a store. */
export type WithSession = (run: (session: Session) => Promise<void>) => Promise<void>;

/** A line break in a name would look like a row, and a control sequence would be obeyed by the terminal. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Rows under their headings, in columns as wide as they need, or the sentence `none` when there are no rows.
 * A character that a terminal would act on is shown by its code.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none?: string,
): string {
  if (rows.length === 0 && none !== undefined) return `${none}\n`;
  const shown = (cell: string) =>
    cell.replaceAll(unprintable, (found) => `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}`);
  const all = [headings, ...rows].map((row) => row.map(shown));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
