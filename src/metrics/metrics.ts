// src/metrics/: metrics for Prometheus. Only this folder may use `prom-client`. Access is checked in
// api/server/metrics-handler.ts.
import {collectDefaultMetrics, Counter, Gauge, Histogram, Registry} from 'prom-client';
import type {StoreServers} from '../domain/core/server-report.js';
import type {Backlog} from '../domain/webhooks/backlog.js';
import type {Meter} from '../domain/core/meter.js';
import {storeStates, type StoreState} from '../domain/core/store-state.js';
import {createServerGauges} from './server-gauges.js';
import {createWebhookGauges} from './webhook-gauges.js';

export interface Metrics {
  readonly meter: Meter;
  /**
   * Renders all metrics as text for Prometheus. It reads the waiting work, once for all simultaneous callers.
   */
  render: () => Promise<{contentType: string; text: string}>;
}

const requestLabels = ['operation', 'method', 'status'] as const;
type RequestLabel = (typeof requestLabels)[number];
/**
 * The histogram buckets in seconds. An answer takes one or two milliseconds, and a request times out after
 * 1.2 s.
 */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** The methods with their own label. All others share one, so that callers cannot create labels. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Creates the metrics of this process, with names and units as Prometheus recommends. */
export function createMetrics(
  version: string,
  {
    readBacklog,
    readStoreState,
    readServers,
    readLostSpans,
    readWorkers,
  }: {
    readonly readBacklog: () => Promise<Backlog>;
    readonly readStoreState: () => Promise<StoreState>;
    readonly readServers: () => Promise<StoreServers>;
    /** Absent in a process without traces. */
    readonly readLostSpans?: (() => Readonly<Record<string, number>>) | undefined;
    readonly readWorkers: () => Promise<number>;
  },
): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({register});

  /**
   * The counts of answered requests, which the metrics library gets only when metrics are read. This costs
   * far less than an `inc` for each request.
   */
  const answered = new Map<string, {readonly labels: Record<RequestLabel, string>; count: number}>();
  new Counter({
    name: 'standup_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: requestLabels,
    registers,
    collect() {
      this.reset();
      for (const {labels, count} of answered.values()) this.inc(labels, count);
    },
  });
  const latency = new Histogram({
    name: 'standup_http_request_duration_seconds',
    help: 'Time from the start of a request to the start of its answer.',
    labelNames: requestLabels,
    buckets: latencyBuckets,
    registers,
  });
  const refusals = new Counter({
    name: 'standup_http_refused_total',
    help: 'Requests that the HTTP parser refused, by status.',
    labelNames: ['status'],
    registers,
  });
  const expired = new Counter({
    name: 'standup_expired_deliveries_total',
    help: 'Deliveries that this process has given up because their event is too old.',
    registers,
  });
  const mails = new Counter({
    name: 'standup_mails_total',
    help: 'Results of sending mails in this process: what became of the mail, queued for one that is tried again.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const unshown = new Counter({
    name: 'standup_slack_unshown_total',
    help: 'What this process has given up showing in Slack since it fails on it: an event, or an item of a channel. The log says which.',
    labelNames: ['what'],
    registers,
  });
  const attempts = new Counter({
    name: 'standup_delivery_attempts_total',
    help: 'Requests to receivers of webhooks made by this process, by what became of the delivery.',
    labelNames: ['result'],
    registers,
  });
  if (readLostSpans !== undefined)
    new Counter({
      name: 'standup_spans_lost_total',
      help: 'Spans of traces that never reached the collector: the queue of this process was full, or the collector took none.',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(readLostSpans())) this.inc({reason}, count);
      },
    });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({name, help, labelNames, registers});
  const storeUp = gauge('standup_store_up', 'Whether the store answered this scrape.');
  const storeState = gauge('standup_store_state', 'The state of the store: 1 for the one it is in.', [
    'state',
  ]);
  const due = gauge('standup_work_due', 'Pieces of background work that wait for a turn now, by kind.', [
    'kind',
  ]);
  const dueFor = gauge(
    'standup_work_oldest_due_seconds',
    'How long the piece of background work that waits longest has been due, by kind; none of a kind is left out.',
    ['kind'],
  );
  const workerUp = gauge('standup_worker_up', 'Whether some process looks for background work.');
  const workers = gauge(
    'standup_workers',
    'Processes with the role worker that have given a sign of life within the last minute.',
  );
  const deliveries = gauge('standup_deliveries', 'Unfinished deliveries by state.', ['state']);
  const oldestDue = gauge(
    'standup_delivery_oldest_due_seconds',
    'How long the delivery that waits longest has been due; 0 when none is. Deliveries that wait for a later attempt are not due.',
  );
  const oldestMailDue = gauge(
    'standup_mail_oldest_due_seconds',
    'How long the mail that waits longest has been due; 0 when none is. Mails that wait for a later attempt are not due.',
  );
  const workspacesDue = gauge(
    'standup_workspaces_due',
    'Workspaces with background work that is due, by the kind of its scheduler. The other figures of waiting work cover those whose work comes first.',
    ['side'],
  );
  const webhooks = createWebhookGauges(registers);
  const servers = createServerGauges(registers);
  gauge('standup_build_info', 'Always 1; the version is in the label.', ['version']).set({version}, 1);

  let reading: Promise<unknown> | undefined;

  async function updateStateGauge(): Promise<void> {
    const found = await readStoreState();
    for (const state of storeStates) storeState.set({state}, state === found ? 1 : 0);
  }

  async function updateWorkersGauge(): Promise<void> {
    const count = await readWorkers().catch(() => undefined);
    if (count === undefined) workers.remove();
    else workers.set(count);
  }

  async function updateStoreGauges(): Promise<void> {
    try {
      const backlog = await readBacklog();
      storeUp.set(1);
      due.reset();
      for (const [kind, count] of Object.entries(backlog.due)) due.set({kind}, count);
      dueFor.reset();
      for (const [kind, ms] of Object.entries(backlog.dueForMs)) dueFor.set({kind}, ms / 1_000);
      workerUp.set(backlog.hasWorker ? 1 : 0);
      const {pending, inflight, held} = backlog;
      for (const [state, count] of Object.entries({pending, inflight, held})) deliveries.set({state}, count);
      oldestDue.set(backlog.oldestDueMs / 1_000);
      oldestMailDue.set(backlog.oldestMailDueMs / 1_000);
      for (const [side, count] of Object.entries(backlog.workspacesDue)) workspacesDue.set({side}, count);
      webhooks.show(backlog.webhooks);
    } catch {
      // The values of the last reading are removed, because old values must not look like current ones.
      storeUp.set(0);
      for (const stale of [due, dueFor, deliveries, workspacesDue]) stale.reset();
      webhooks.show([]);
      for (const stale of [oldestDue, oldestMailDue, workerUp]) stale.remove();
    }
  }

  return {
    meter: {
      countRequest(operation, method, status, ms) {
        const key = `${operation} ${method} ${status}`;
        let entry = answered.get(key);
        if (entry === undefined) {
          entry = {labels: createRequestLabels(operation, method, status), count: 0};
          answered.set(key, entry);
        }
        entry.count += 1;
        latency.observe(entry.labels, ms / 1_000);
      },
      countRefusal: (status) => refusals.inc({status: String(status)}),
      countAttempt: (result) => attempts.inc({result}),
      countExpired: (deliveries) => expired.inc(deliveries),
      countMail: (kind, state) => mails.inc({kind, state}),
      countUnshown: (what) => unshown.inc({what}),
    },
    async render() {
      // They run together, because each waits for seconds if the store does not answer.
      reading ??= Promise.all([
        updateStateGauge(),
        updateStoreGauges(),
        updateWorkersGauge(),
        servers.update(readServers),
      ]).finally(() => {
        reading = undefined;
      });
      await reading;
      return {contentType: register.contentType, text: await register.metrics()};
    },
  };
}

function createRequestLabels(
  operation: string,
  method: string,
  status: number,
): Record<RequestLabel, string> {
  return {
    operation,
    method: methods.has(method) ? method : 'other',
    status: `${Math.floor(status / 100)}xx`,
  };
}
