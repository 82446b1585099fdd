import './channel.ts';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {Problem} from '../../../web/api/problem.ts';
import {deliverRequest, getSendState, forgetDelivery} from '../../../web/write/outbox.ts';
import {until} from '../../support/until.ts';

/** Its event `online` makes waiting requests be sent at once. */
let online: EventTarget;
const before = Object.getOwnPropertyDescriptor(globalThis, 'window');

beforeEach(() => {
  online = new EventTarget();
  Object.defineProperty(globalThis, 'window', {value: online, configurable: true});
});
afterEach(() => {
  forgetDelivery('own');
  if (before === undefined) Reflect.deleteProperty(globalThis, 'window');
  else Object.defineProperty(globalThis, 'window', before);
});

const problem = (status: number) => new Problem({status, code: 'x', title: 'x', detail: 'x'});

/** Sends a request that the service answers with these statuses, one after another, and then accepts. */
function send(statuses: readonly number[]) {
  const calls: string[] = [];
  const left = [...statuses];
  const sent = deliverRequest({
    draftKey: 'own',
    body: {},
    send: async () => {
      calls.push('sent');
      const status = left.shift();
      if (status !== undefined) throw problem(status);
      return 'made';
    },
    onMade: (made) => calls.push(made),
    onWaiting: () => calls.push('waiting'),
    onRefused: ({status}) => calls.push(`refused ${status}`),
  });
  return {calls, sent};
}

it.each([0, 429, 500, 503])(
  'a standup that was answered by %i is sent again until it is made',
  async (status) => {
    const {calls, sent} = send([status, status]);
    for (const times of [1, 2]) {
      await until(
        () => calls.filter((one) => one === 'sent').length === times && getSendState('own')?.is === 'waiting',
        {
          what: 'it waits',
        },
      );
      online.dispatchEvent(new Event('online'));
    }
    await sent;
    expect(calls).toEqual(['sent', 'waiting', 'sent', 'sent', 'made']);
    expect(getSendState('own')).toBeUndefined();
  },
);

it.each([400, 401, 403, 409, 422, 428, 499])(
  'a standup that was answered by %i is refused',
  async (status) => {
    const {calls, sent} = send([status]);
    await sent;
    expect(calls).toEqual(['sent', `refused ${status}`]);
    expect(getSendState('own')).toMatchObject({is: 'refused', problem: {status}});
  },
);
