import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {listAll} from './audit.js';
import type {AcknowledgedStandup} from './load.js';
import type {Outage} from './webhook-failures.js';
import {type ReceivedDelivery, type StageWebhook, type WebhookStage} from './webhook-stage.js';

export interface WebhookCounts {
  standups: number;
  /**
   * Number of deliveries that were required: one for each event that a webhook subscribes to, and those of
   * replays.
   */
  created: number;
  delivered: number;
  lost: number;
  /** Number of deliveries besides that of the event and webhook and those of replays. */
  'delivered twice with another id': number;
  requests: number;
  /** Number of requests after a successful answer to the same delivery, each explained by an outage. */
  'repeats at the wire': number;
  'retries of refusals': number;
  redeliveries: number;
  /** Number of deliveries by replays. */
  replayed: number;
}

/**
 * Time from an answer until its result is recorded (ms). A process that is killed earlier sends the request
 * again.
 */
const recordWithinMs = 2_000;

export const asksFor = ({team}: StageWebhook, standup: {team?: string}): boolean =>
  team === undefined || team === standup.team;

/** Checks all invariants after the failures. Returns the violations as sentences, and the counts. */
export async function auditWebhooks(
  stage: WebhookStage,
  acknowledged: readonly AcknowledgedStandup[],
  outages: readonly Outage[],
): Promise<{violations: string[]; counts: WebhookCounts}> {
  const {services, token, hooks, arrivals} = stage;
  const violations: string[] = [];
  const counts: WebhookCounts = {
    standups: acknowledged.length,
    created: 0,
    delivered: 0,
    lost: 0,
    'delivered twice with another id': 0,
    requests: arrivals.length,
    'repeats at the wire': 0,
    'retries of refusals': 0,
    redeliveries: stage.again.size,
    replayed: 0,
  };
  await until(() => nothingWaits(stage), {what: 'nothing waits any more', withinMs: 30_000}).catch(
    async (error: unknown) => violations.push(`${String(error)}: ${await listLeft(stage)}`),
  );

  const events = await listAll(services[0].url, '/v1/events', token);
  const created = events.filter(({type}) => type === 'standup.created');
  if (events.some(({sequence}, i) => sequence !== i + 1)) violations.push('the event log has a gap');
  const createdIds = new Set(created.map(({data}) => data.id));
  if (createdIds.size !== created.length) violations.push('two events tell of one standup');
  for (const {id} of acknowledged)
    if (!createdIds.has(id)) violations.push(`${id} was acknowledged and has no event`);
  if (createdIds.size !== acknowledged.length)
    violations.push(`${createdIds.size} standups, ${acknowledged.length} acknowledged`);

  for (const hook of hooks) {
    const wanted = created.filter(({data}) => asksFor(hook, {team: data.team}));
    const own = arrivals.filter((arrival) => arrival.hook === hook);
    const rows = await listAll(services[0].url, `/v1/webhooks/${hook.id}/deliveries`, token);
    counts.delivered += rows.filter(({state}) => state === 'succeeded').length;
    for (const row of rows)
      if (row.state !== 'succeeded') violations.push(`${hook.name}: ${row.id} is ${row.state}`);

    const come = new Set(own.map(({event}) => event));
    const made = groupBy(rows, (row) => String(row.event_id));
    const replays = stage.replays.filter((replay) => replay.webhook_id === hook.id);
    for (const {id, timestamp} of wanted) {
      if (!come.has(id)) {
        counts.lost += 1;
        violations.push(`${hook.name}: ${id} never came`);
      }
      const again = replays.filter(({since, until}) => since <= timestamp && timestamp <= until).length;
      const found = made.get(id)?.length ?? 0;
      made.delete(id);
      counts.created += 1 + again;
      counts.replayed += again;
      counts['delivered twice with another id'] += Math.max(0, found - 1 - again);
      if (found !== 1 + again)
        violations.push(`${hook.name}: ${found} deliveries of ${id}, which was replayed ${again} times`);
    }
    for (const id of made.keys())
      violations.push(`${hook.name}: a delivery of ${id}, which it does not ask for`);
    for (const {id, progress} of replays)
      if (progress.succeeded !== progress.matched || progress.failed > 0)
        violations.push(`${hook.name}: ${id} has ended as ${JSON.stringify(progress)}`);

    const known = new Map(rows.map((row) => [String(row.id), row]));
    for (const [id, requests] of groupBy(own, ({delivery}) => delivery)) {
      const row = known.get(id);
      const events = new Set(requests.map(({event}) => event));
      if (row === undefined) counts['delivered twice with another id'] += 1;
      if (events.size > 1 || !events.has(row?.event_id))
        violations.push(`${hook.name}: ${id} is of ${row?.event_id} and came as ${[...events].join()}`);
      else checkAttempts({come: requests, row, again: stage.again.get(id), outages}, counts, violations);
    }
    for (const violation of new Set(own.flatMap(({verified}) => verified)))
      if (violation !== undefined) violations.push(`${hook.name}: ${violation}`);
    checkNumbers(hook, own, wanted, violations);
    checkOrder(hook, own, violations);
  }
  return {violations, counts};
}

interface AttemptsOf {
  readonly come: readonly ReceivedDelivery[];
  /** The delivery as the API shows it. */
  readonly row: Json;
  /** Time at which the delivery was requested again (Unix ms), if it was. */
  readonly again: number | undefined;
  readonly outages: readonly Outage[];
}

/**
 * Checks that each attempt has its own number. A successful answer may be unrecorded only if an outage began
 * while its request was in progress.
 */
function checkAttempts(
  {come, row, again, outages}: AttemptsOf,
  counts: WebhookCounts,
  violations: string[],
): void {
  const what = `${come[0]?.hook.name} ${row.id}`;
  const numbers = come.map(({attempt}) => attempt);
  if (new Set(numbers).size < numbers.length)
    violations.push(`${what}: two requests of one attempt: ${numbers.join()}`);
  const recorded = row.last_attempt?.number;
  if (!numbers.includes(recorded)) violations.push(`${what}: attempt ${recorded} is recorded and never came`);
  if (again !== undefined && !come.some(({request}) => request.at >= again))
    violations.push(`${what}: asked for again and did not come`);
  for (const {attempt, failed, request, answeredAt} of come) {
    if (attempt === recorded) continue;
    if (failed) {
      counts['retries of refusals'] += 1;
      continue;
    }
    if (again !== undefined && request.at < again) continue;
    counts['repeats at the wire'] += 1;
    if (attempt > recorded) violations.push(`${what}: attempt ${attempt} after ${recorded} was recorded`);
    const until = (answeredAt ?? Infinity) + recordWithinMs;
    if (!outages.some(({from, to}) => request.at <= to + 1_000 && from <= until))
      violations.push(`${what}: attempt ${attempt} of ${numbers.join()} was repeated without an outage`);
  }
}

/**
 * Checks that each webhook numbers its events without a gap, in log order, with the same number at each
 * attempt.
 */
function checkNumbers(
  hook: StageWebhook,
  own: readonly ReceivedDelivery[],
  wanted: readonly Json[],
  violations: string[],
): void {
  const numbers = new Map(wanted.map(({id}, i) => [String(id), String(i + 1)]));
  for (const {event, request} of own) {
    const said = request.headers['standup-sequence'];
    if (said !== numbers.get(event))
      violations.push(`${hook.name}: ${event} came as number ${said} and is ${numbers.get(event)}`);
  }
}

/** Checks that the first requests of an ordered webhook follow the log order of each team. */
function checkOrder(hook: StageWebhook, own: readonly ReceivedDelivery[], violations: string[]): void {
  if (!hook.ordered) return;
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const {event, request} of own) {
    if (seen.has(event)) continue;
    seen.add(event);
    const {sequence, data}: Json = JSON.parse(request.body.toString());
    if (sequence < (last.get(data.team) ?? 0)) violations.push(`${hook.name}: ${event} came out of order`);
    last.set(data.team, sequence);
  }
}

function groupBy<T>(rows: readonly T[], nameOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row]);
  return groups;
}

async function nothingWaits(stage: WebhookStage): Promise<boolean> {
  return (await listLeft(stage)) === '';
}

/** Lists names and sizes of the keys that contain unfinished deliveries. */
export async function listLeft({ask, workspace, hooks}: WebhookStage): Promise<string> {
  const keys = workspaceKeys(workspace);
  const sets = hooks.flatMap(({suffix}) =>
    [keys.pending, keys.inflight, keys.waiting, keys.replays, keys.replaying].map((name) => name(suffix)),
  );
  const hashes = hooks.flatMap(({suffix}) => [keys.tries(suffix), keys.heads(suffix)]);
  const script = `
    local left = {}
    for i, key in ipairs(KEYS) do
      local size = redis.call(i <= tonumber(ARGV[1]) and 'ZCARD' or 'HLEN', key)
      if size > 0 then left[#left + 1] = key .. ' ' .. size end
    end
    for i = 3, #ARGV do
      local opened = redis.call('HMGET', ARGV[i], 'breaker', 'streak')
      if opened[1] then left[#left + 1] = ARGV[i] .. ' ' .. opened[1] .. ' ' .. (opened[2] or '') end
    end
    for _, work in ipairs(redis.call('ZRANGE', ARGV[2], 0, -1)) do
      if string.match(work, '^deliver/') or work == 'fan-out' then left[#left + 1] = work end
    end
    return table.concat(left, ', ')`;
  const names = [...sets, ...hashes];
  const states = hooks.map(({suffix}) => keys.webhookState(suffix));
  const args = [String(sets.length), keys.ready(), ...states];
  return String(await ask(['EVAL', script, String(names.length), ...names, ...args]));
}
