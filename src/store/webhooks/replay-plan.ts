import type {EventType} from '../../domain/events/event.js';
import type {ReplayOnly, ReplayPlan} from '../../domain/webhooks/replay.js';
import {storedId} from '../../domain/core/ids.js';

/** Encodes a plan as fields of a hash, with alternating names and values. */
export function encodePlan(plan: ReplayPlan): string[] {
  return Object.entries({
    webhook: plan.webhook,
    since: plan.since,
    until: plan.until,
    types: plan.types === null ? '' : plan.types.join(' '),
    only: plan.only,
    dry: plan.dryRun ? '1' : '',
    first: plan.first,
    last: plan.last,
    cursor: plan.first - 1,
    matched: 0,
  }).flatMap(([name, value]) => [name, String(value)]);
}

export function decodePlan(fields: ReadonlyMap<string, string>): ReplayPlan {
  const types = fields.get('types') ?? '';
  return {
    webhook: storedId(fields.get('webhook') ?? ''),
    since: Number(fields.get('since')),
    until: Number(fields.get('until')),
    types: types === '' ? null : (types.split(' ') as EventType[]),
    only: fields.get('only') as ReplayOnly,
    dryRun: fields.get('dry') === '1',
    first: Number(fields.get('first')),
    last: Number(fields.get('last')),
  };
}
