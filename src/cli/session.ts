import type {Call} from '../domain/core/access.js';
import type {ClusterReport, LargeWorkspace} from '../domain/core/cluster-report.js';
import type {Durability} from '../domain/core/durability.js';
import type {ServerReport} from '../domain/core/server-report.js';
import type {WayIn} from '../domain/tokens/sign-in.js';
import type {SendResult} from '../domain/mail/mail-transport.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import type {Services} from '../service/services.js';

/** The services and settings that all `standup-admin` commands share. */
export interface Session {
  readonly services: Services;
  readonly signingKeys: SigningKeyAdmin;
  /** Encrypts all secrets with the current SECRET_KEY. Counts those rewritten, and those unreadable. */
  reencrypt: () => Promise<{rewritten: number; unreadable: number}>;
  readonly frozen: ReadOnlySwitch;
  readonly data: DataFormatAdmin;
  readonly moves: WorkspaceMoves;
  /** Lists workspaces with too many keys to be moved key by key while they are used, the largest first. */
  listLarge: (deadline: () => number) => Promise<readonly LargeWorkspace<Workspace['id']>[]>;
  /** Writes to stdout, and waits while its reader is slow. */
  write: (text: string) => Promise<void>;
  /** Asks for a secret at the terminal without showing it; undefined without a terminal. */
  askSecret: (question: string) => Promise<string | undefined>;
  readonly print: (text: string) => void;
  /** Prints messages to stderr, apart from the command's result. */
  readonly warn: (text: string) => void;
  /**
   * Resolves when the process is asked to stop (Ctrl-C, SIGTERM, SIGHUP) or its output is no longer read.
   * After this call, signals no longer end the process at once: the caller must clean up and return.
   */
  untilStopped: () => Promise<void>;
  /** Returns why a request's signature is invalid; undefined when it was signed with this secret. */
  findSignatureError: (request: SignedRequest, secret: string) => string | undefined;
  /** Returns the time limit for a call, in monotonic ms. */
  readonly deadline: () => number;
  /** Returns the workspace named by `--workspace`, or the only one. */
  chooseWorkspace: (reference: string | undefined) => Promise<Workspace>;
  /** Creates a call on behalf of the operator. */
  call: (workspace: Pick<Workspace, 'id'>) => Call;
  /** Counts the jobs in each queue. */
  countQueued: () => Promise<readonly QueueCounts[]>;
  /** Returns Slack's error code for the token, `no_answer`, or null when accepted; undefined without one. */
  askSlack: () => Promise<string | null | undefined>;
  /** Connects and logs in to the mail server. Returns the step that failed, or null; undefined without one. */
  askMailServer: () => Promise<SendResult | null | undefined>;
  readonly facts: Facts;
}

/** Moves workspaces between installations. */
export interface WorkspaceMoves {
  exportWorkspace: (request: {
    readonly workspace: Workspace;
    readonly passphrase: string;
    readonly write: (text: string) => Promise<void>;
    readonly note: (sentence: string) => void;
  }) => Promise<{readonly keys: number; readonly bytes: number; readonly sha256: string}>;
  importWorkspace: (request: {
    readonly readLines: () => AsyncIterable<string>;
    readonly passphrase: string;
    /** Another slug than that of the file. */
    readonly slug?: string | undefined;
  }) => Promise<
    | {
        readonly kind: 'imported';
        readonly workspace: Workspace['id'];
        readonly slug: string;
        /** The slug in the installation that the file comes from. */
        readonly slugBefore: string;
        readonly keys: number;
        readonly sha256: string;
        readonly tokens: number;
      }
    | {readonly kind: 'present'; readonly workspace: Workspace['id']}
  >;
  /** Returns a text with what makes access tokens valid. */
  exportInstallation: (passphrase: string) => Promise<string>;
  importInstallation: (text: string, passphrase: string) => Promise<void>;
  /** Removes the workspace with this slug or id. Returns the slug, and the number of deleted keys. */
  removeMovedWorkspace: (
    reference: string,
    digest: string,
  ) => Promise<{readonly slug: string; readonly keys: number}>;
}

/** The format of the data, and the processes that hinder a newer one. */
export interface DataFormatAdmin {
  readonly found: number;
  /** The newest format that this version writes. */
  readonly newest: number;
  /** Lists the running processes that do not read the newest format. */
  listTooOld: (deadline: number) => Promise<readonly ListedProcess[]>;
  /** Raises the format to the newest, unless running processes do not read it. Returns those. */
  raise: (deadline: number) => Promise<readonly ListedProcess[]>;
}

/** A running process. Its version is undefined if it is too old to say it. */
export interface ListedProcess {
  readonly location: string;
  readonly version: string | undefined;
}

/** Makes workspaces read-only, and ends that. */
export interface ReadOnlySwitch {
  /** Returns the time (ms) since which the workspace is read-only; undefined if its data is lost. */
  freeze: (workspace: Workspace['id'], deadline: number) => Promise<number | undefined>;
  /** Returns the state before. `exported`: read-only, and exported since then. */
  thaw: (
    workspace: Workspace['id'],
    deadline: number,
  ) => Promise<'open' | 'frozen' | 'exported' | 'removing'>;
  isFrozen: (workspace: Workspace['id'], deadline: number) => Promise<boolean>;
}

/** The number of jobs in a queue. `counts` is undefined when the queue's Redis does not answer. */
export interface QueueCounts {
  readonly name: string;
  readonly counts:
    | {readonly waiting: number; readonly active: number; readonly delayed: number; readonly failed: number}
    | undefined;
}

/** A webhook request with a signature to check: lower-case header names, and the exact bytes of the body. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Shows and replaces the keys that sign access tokens. */
export interface SigningKeyAdmin {
  /** Lists keys, the signing one first. In ms: `since` (0 when unknown), `until` (infinite for the first). */
  list: (deadline: number) => Promise<readonly {kid: string; since: number; until: number}[]>;
  rotate: (deadline: number) => Promise<{kid: string}>;
  drop: (kid: string, deadline: number) => Promise<boolean>;
}

/** The state of the installation, as `standup-admin doctor` reports it. */
export interface Facts {
  /** Environment variables whose names look like misspelt settings, with one sentence for each. */
  readonly warnings: readonly string[];
  readonly redisVersion: string;
  /** The state of the store, and the reason if it does not accept reads and writes. */
  readonly store: {readonly state: string; readonly detail?: string | undefined};
  /** The slots and settings of the store; undefined unless it is a cluster. */
  readonly cluster: ClusterReport | undefined;
  /** The servers of the store. */
  readonly servers: readonly ServerReport[];
  /** The number of replicas that must confirm a change; 0 for none. */
  readonly confirmReplicas: number;
  readonly durability: Durability;
  readonly installation: string;
  /** The Slack settings in the environment; undefined when there are none. */
  readonly slack:
    | {
        readonly mode: 'token' | 'oauth';
        readonly socket: boolean;
        readonly admins: boolean;
        readonly workspace?: string;
      }
    | undefined;
  /** The mail server as host and port; undefined when there is none. */
  readonly mail: string | undefined;
  /** True if the service writes mails into its log, because there is no mail server. */
  readonly isMailLogged: boolean;
  readonly publicUrl: string;
  /** The ways to sign in that are allowed and set up. */
  readonly waysIn: readonly WayIn[];
  /** The route that webhook requests take: directly to the receiver, or through a proxy. */
  readonly webhooks: string;
}

/** Opens a session for a command that needs one, so that `--help` works without a store. */
export type WithSession = (run: (session: Session) => Promise<void>) => Promise<void>;
