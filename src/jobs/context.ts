import {type Call, createCallByService} from '../domain/core/access.js';
import type {Id} from '../domain/core/ids.js';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import type {Pacer} from '../domain/core/pacer.js';
import type {Tracer, SliceSpan} from '../domain/core/tracer.js';
import type {Work} from '../domain/core/work.js';
import type {MailTransport} from '../domain/mail/mail-transport.js';
import type {SendResult} from '../domain/webhooks/attempt.js';
import type {Sha256} from '../domain/webhooks/delivery.js';
import type {SignatureVersion, TlsSettings} from '../domain/webhooks/webhook-settings.js';
import type {Services} from '../service/services.js';
import type {Store} from '../store/store.js';
import type {HostProcesses} from './host-process.js';

/** Everything that background jobs need from their process. */
export interface JobContext {
  readonly store: Store;
  readonly services: Services;
  /** Waits until this attempt may use the processor, in turn with other work of the process. */
  readonly pace: Pacer;
  readonly sign: (input: {
    id: Id<'event'>;
    timestamp: number;
    body: string;
    secrets: readonly string[];
    versions: readonly SignatureVersion[];
  }) => object;
  readonly send: (request: {
    url: string;
    body: string;
    headers: Record<string, string>;
    tls?: TlsSettings;
    maySend: () => boolean;
  }) => Promise<SendResult>;
  /** The way that mails leave; undefined while mail is off. */
  readonly mail?: MailTransport | undefined;
  /** The time (ms) after which another process may take over a mail; only tests set it. */
  readonly mailLeaseMs?: number | undefined;
  /** The default user agent, which the webhook's additional headers may replace. */
  readonly userAgent: string;
  readonly sha256: Sha256;
  readonly random: () => number;
  /** Stops the process at a named step in tests; does nothing otherwise. */
  readonly failpoint: (name: string) => void;
  readonly host: HostProcesses;
  /** The name of this process, random for each start. */
  readonly holder: string;
  /** The time (ms) for which this process may work on a delivery. It is extended while the request lasts. */
  readonly leaseMs?: number | undefined;
  /** The interval of the maintenance in ms; only tests set it. */
  readonly choresEveryMs?: number | undefined;
  /** The interval of the searches for work in ms; only tests set it, as their time runs faster. */
  readonly schedulerIntervalMs?: number | undefined;
  /** Checks whether Slack still accepts the token in the environment. It never throws. */
  readonly checkSlack?: () => Promise<void>;
  readonly meter: Meter;
  readonly tracer: Tracer;
  readonly log: Log;
}

export const standardLeaseMs = 4_000;

/** Reports new work. Returns true when a time slice of this process starts after this call. */
export type WakeHere = (workspace: Id<'workspace'>, work: Work) => boolean | undefined;

/** Removes work from the list of due work. */
export function completeWork({store}: JobContext, workspace: Id<'workspace'>, work: Work): Promise<void> {
  return store.ready.reschedule(workspace, work, undefined, callDeadline());
}

/** `span`: that of the time slice that makes the call. */
export function createSystemCall(workspace: Id<'workspace'>, span?: SliceSpan): Call {
  return createCallByService({workspace, deadline: callDeadline()}, span?.context());
}

export function callDeadline(): number {
  return performance.now() + deadlines.job;
}
