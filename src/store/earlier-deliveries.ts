import {sequenceOfId} from '../domain/ids.js';
import {lists} from '../domain/lists.js';
import type {EarlierDelivery} from '../domain/replay.js';
import type {Connection} from './connection.js';
import {createDeliveryFields} from './done-deliveries.js';
import {workspaceKeys} from './keys.js';

/** What a replay asks of the deliveries that were made before it. */
export interface EarlierDeliveries {
  /**
   * Deliveries of some events to a webhook, by the events' sequences, made before by fan-out or by replays. `to`: the last event of which
   * they were read, when the events have very many; at least one event's are.
   */
  listEarlier(
    workspace: string,
    webhook: string,
    span: {from: number; to: number},
    deadline: number,
  ): Promise<{deliveries: Map<number, EarlierDelivery[]>; to: number}>;
  /** Numbers of some events for a webhook, as their first deliveries have them. */
  findNumbers(
    workspace: string,
    webhook: string,
    sequences: readonly number[],
    deadline: number,
  ): Promise<Map<number, string>>;
}

/** Deliveries read at once. */
const readAtOnce = 500;

export function createEarlierDeliveries({call}: Pick<Connection, 'call'>): EarlierDeliveries {
  const kept = createDeliveryFields({call});

  /** Deliveries of consecutive events, as many as are read at once; at least those of the first event with deliveries. */
  async function listMade(
    workspace: string,
    webhook: string,
    span: {from: number; to: number},
    deadline: number,
  ): Promise<{made: string[]; to: number}> {
    const list = workspaceKeys(workspace).list(lists.deliveriesOf(webhook));
    const made = await call<string[]>(deadline, [...madeOf(list, span), '0', String(readAtOnce + 1)]);
    if (made.length <= readAtOnce) return {made, to: span.to};
    // The last event may have more than was read.
    const last = sequenceOfId(made.at(-1) ?? '');
    const whole = made.filter((drawn) => sequenceOfId(drawn) < last);
    if (whole.length > 0) return {made: whole, to: last - 1};
    const ofLast = [...madeOf(list, {from: last, to: last}), '0', '-1'];
    return {made: await call<string[]>(deadline, ofLast), to: last};
  }

  return {
    async listEarlier(workspace, webhook, span, deadline) {
      const {made, to} = await listMade(workspace, webhook, span, deadline);
      const deliveries = new Map<number, EarlierDelivery[]>();
      for (let at = 0; at < made.length; at += readAtOnce) {
        const some = made.slice(at, at + readAtOnce);
        const found = await kept.read(workspace, webhook, some, deadline);
        some.forEach((drawn, i) => {
          const [state, attempts] = [found[i]?.get('state'), found[i]?.get('attempts')];
          const sequence = sequenceOfId(drawn);
          const ofEvent = deliveries.get(sequence) ?? [];
          ofEvent.push({state: state ?? 'pending', attempts: Number(attempts ?? 0)});
          deliveries.set(sequence, ofEvent);
        });
      }
      return {deliveries, to};
    },
    async findNumbers(workspace, webhook, sequences, deadline) {
      const keys = workspaceKeys(workspace);
      const list = keys.list(lists.deliveriesOf(webhook));
      const firsts = await Promise.all(
        sequences.map((sequence) =>
          call<string[]>(deadline, [...madeOf(list, {from: sequence, to: sequence}), '0', '1']),
        ),
      );
      const made = firsts.flatMap(([drawn]) => drawn ?? []);
      const found = await kept.read(workspace, webhook, made, deadline);
      const numbers = new Map<number, string>();
      made.forEach((drawn, i) => {
        const number = found[i]?.get('n');
        if (number !== undefined) numbers.set(sequenceOfId(drawn), number);
      });
      return numbers;
    },
  };
}

/** The command that lists deliveries of consecutive events, the first of each event first; offset and count follow. */
function madeOf(list: string, {from, to}: {from: number; to: number}): string[] {
  return ['ZRANGE', list, String(from), `(${to + 1}`, 'BYSCORE', 'LIMIT'];
}
