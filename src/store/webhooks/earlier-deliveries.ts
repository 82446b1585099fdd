import {type Id, type IdSuffix, sequenceOfId} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {EarlierDelivery} from '../../domain/webhooks/replay.js';
import type {RedisCommands} from '../core/connection.js';
import {createDeliveryFields, isDeliveryBlockName} from './delivery-blocks.js';
import {workspaceKeys} from '../core/keys.js';

/** Reads the earlier deliveries that a replay needs. */
export type EarlierDeliveries = ReturnType<typeof createEarlierDeliveries>;

/** The number of deliveries that one command reads. */
const readAtOnce = 500;

export function createEarlierDeliveries(redis: RedisCommands) {
  const {call} = redis;
  const kept = createDeliveryFields(redis);

  /** Lists deliveries that are separate list entries, as `listDeliveriesOfEvents` does for all. */
  async function listDeliveriesOutsideBlocks(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    span: {from: number; to: number},
    deadline: number,
  ): Promise<{made: IdSuffix<'delivery'>[]; to: number}> {
    const list = workspaceKeys(workspace).list(lists.deliveriesOf(webhook));
    const found = await call<IdSuffix<'delivery'>[]>(deadline, [
      ...composeDeliveryListCommand(list, span),
      '0',
      String(readAtOnce + 1),
    ]);
    const made = found.filter((name) => !isDeliveryBlockName(name));
    if (found.length <= readAtOnce) return {made, to: span.to};
    // There may be more deliveries of the last event than were read.
    const last = sequenceOfId(made.at(-1) ?? '');
    const whole = made.filter((suffix) => sequenceOfId(suffix) < last);
    if (whole.length > 0) return {made: whole, to: last - 1};
    const ofLast = [...composeDeliveryListCommand(list, {from: last, to: last}), '0', '-1'] as const;
    const all = await call<IdSuffix<'delivery'>[]>(deadline, ofLast);
    return {made: all.filter((name) => !isDeliveryBlockName(name)), to: last};
  }

  /** Lists deliveries of consecutive events, as many as one read has, and all those of the first event. */
  async function listDeliveriesOfEvents(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    span: {from: number; to: number},
    deadline: number,
  ): Promise<{made: IdSuffix<'delivery'>[]; to: number}> {
    const [inBlocks, {made, to}] = await Promise.all([
      kept.listInBlocks(workspace, webhook, span, deadline),
      listDeliveriesOutsideBlocks(workspace, webhook, span, deadline),
    ]);
    return {made: [...inBlocks.filter((suffix) => sequenceOfId(suffix) <= to), ...made], to};
  }

  return {
    /**
     * Lists the earlier deliveries of a range of events to a webhook, including those of replays, by event
     * number. `to`: the last event whose deliveries were read, if there are very many. At least the
     * deliveries of one event are read.
     */
    async listEarlier(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      span: {from: number; to: number},
      deadline: number,
    ): Promise<{deliveries: Map<number, EarlierDelivery[]>; to: number}> {
      const {made, to} = await listDeliveriesOfEvents(workspace, webhook, span, deadline);
      const deliveries = new Map<number, EarlierDelivery[]>();
      for (let at = 0; at < made.length; at += readAtOnce) {
        const some = made.slice(at, at + readAtOnce);
        const found = await kept.read(workspace, webhook, some, deadline);
        some.forEach((suffix, i) => {
          const [state, attempts] = [found[i]?.get('state'), found[i]?.get('attempts')];
          const sequence = sequenceOfId(suffix);
          const ofEvent = deliveries.get(sequence) ?? [];
          ofEvent.push({state: state ?? 'pending', attempts: Number(attempts ?? 0)});
          deliveries.set(sequence, ofEvent);
        });
      }
      return {deliveries, to};
    },
    /** Finds the number of each event for a webhook, in the order of the log. First deliveries have it. */
    async findNumbers(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      sequences: readonly number[],
      deadline: number,
    ): Promise<Map<number, string>> {
      const keys = workspaceKeys(workspace);
      const list = keys.list(lists.deliveriesOf(webhook));
      const span = {from: sequences[0] ?? 0, to: sequences.at(-1) ?? -1};
      const inBlocks = await kept.listInBlocks(workspace, webhook, span, deadline);
      const listed = new Set(inBlocks.map(sequenceOfId));
      const others = sequences.filter((sequence) => !listed.has(sequence));
      const firsts = await Promise.all(
        others.map((sequence) =>
          call<IdSuffix<'delivery'>[]>(deadline, [
            ...composeDeliveryListCommand(list, {from: sequence, to: sequence}),
            '0',
            '1',
          ]),
        ),
      );
      const made = [...inBlocks, ...firsts.flat().filter((name) => !isDeliveryBlockName(name))];
      const found = await kept.read(workspace, webhook, made, deadline);
      const numbers = new Map<number, string>();
      made.forEach((suffix, i) => {
        const number = found[i]?.get('n');
        if (number !== undefined) numbers.set(sequenceOfId(suffix), number);
      });
      return numbers;
    },
  };
}

/** Returns the command that lists deliveries, each event's first one first; offset and count follow later. */
function composeDeliveryListCommand(list: string, {from, to}: {from: number; to: number}) {
  return ['ZRANGE', list, String(from), `(${to + 1}`, 'BYSCORE', 'LIMIT'] as const;
}
