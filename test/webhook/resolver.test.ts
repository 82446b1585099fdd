import {createSocket} from 'node:dgram';
import {afterEach, expect, it} from '@jest/globals';
import {createResolver} from '../../src/webhook/resolver.js';
import {until} from '../support/until.js';

const closings: (() => void)[] = [];

afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/**
 * Starts a name server that knows no name, and does not answer for names that begin with `slow`. Returns its
 * `address:port`.
 */
async function startNameServer(): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (question, {port, address}) => {
    if (question.includes('slow')) return;
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    server.send(answer, port, address);
  });
  closings.push(() => server.close());
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${server.address().port}`;
}

/** Creates a system resolver whose answers the test releases. */
function holdLookups() {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const lookup = (hostname: string) => {
    asked.push(hostname);
    return new Promise<{address: string; family: 4}[]>((resolve) =>
      held.push(() => resolve([{address: '10.0.0.1', family: 4}])),
    );
  };
  return {asked, lookup, answerOne: () => held.shift()?.()};
}

it('regression: host names of webhooks that time out do not occupy the threads that look up Slack and the store', async () => {
  const {asked, lookup} = holdLookups();
  const resolve = createResolver({system: true, timeoutMs: 50, servers: [await startNameServer()], lookup});
  const names = Array.from({length: 4}, (_, i) => `slow${i}.example.com`);
  const codes = await Promise.all(names.map((name) => resolve(name).catch(({code}) => code)));
  expect(codes).toEqual(names.map(() => 'ETIMEOUT'));
  expect(asked).toEqual([]);
});

it('regression: names unknown to the DNS are looked up in the system one at a time, within the DNS time limit', async () => {
  const {asked, lookup, answerOne} = holdLookups();
  const resolve = createResolver({system: true, timeoutMs: 400, servers: [await startNameServer()], lookup});
  const first = resolve('one.internal');
  await until(() => asked.length === 1);
  const others = await Promise.allSettled([first, resolve('two.internal'), resolve('localhost')]);
  expect(others.map(({status}) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toEqual(['one.internal']);

  const later = resolve('three.internal');
  answerOne();
  await until(() => asked.length === 2);
  answerOne();
  expect(await later).toEqual([{address: '10.0.0.1', family: 4}]);
  expect(asked).toEqual(['one.internal', 'three.internal']);
});

it("the system's resolver is not used for webhooks unless a private network is opened", async () => {
  const {asked, lookup} = holdLookups();
  const resolve = createResolver({system: false, timeoutMs: 400, servers: [await startNameServer()], lookup});
  await expect(resolve('one.internal')).rejects.toMatchObject({code: 'ENOTFOUND'});
  expect(asked).toEqual([]);
});
