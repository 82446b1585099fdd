import {describe, expect, it} from '@jest/globals';
import {attemptErrors} from '../../../src/domain/webhooks/attempt.js';
import type {AttemptRecord} from '../../../src/domain/webhooks/delivery.js';
import {
  decodeAttempt,
  decodeExchange,
  encodeAttempt,
  encodeExchange,
} from '../../../src/store/webhooks/attempt-records.js';
import {asSuffix} from '../../support/ids.js';

const suffix = asSuffix<'delivery'>('07n5a9d80000002a');
const nothing: AttemptRecord = {
  at: '2026-11-23T09:00:05.342Z',
  duration_ms: 0,
  dns_ms: null,
  tcp_ms: null,
  tls_ms: null,
  connect_ms: null,
  first_byte_ms: null,
  remote_address: null,
  status: null,
  error: null,
  probe: false,
};
const times = {duration_ms: 15_999, dns_ms: 1, tcp_ms: 2, tls_ms: 3, connect_ms: 6, first_byte_ms: 15_998};

describe('the stored record of an attempt', () => {
  it.each<[string, Partial<AttemptRecord>]>([
    ['one that failed without an error', {}],
    ['one that succeeded', {...times, status: 204, remote_address: '203.0.113.7'}],
    ['one that was a probe', {...times, status: 500, error: 'status', probe: true}],
    ...attemptErrors.map((error): [string, Partial<AttemptRecord>] => [
      `one that ended in ${error}`,
      {error},
    ]),
    ...[
      '::1',
      '::',
      '2606:4700::6810:84e5',
      '2600:1f18:1234:5678:9abc:def0:1234:5678',
      'fe80::1',
      '1::',
      '::ffff:192.0.2.1',
      'fe80::1%eth0',
    ].map((remote_address): [string, Partial<AttemptRecord>] => [
      `one to ${remote_address}`,
      {remote_address},
    ]),
  ])('can be read back: %s', (_, members) => {
    const attempt = {...nothing, ...members};
    const {id, object, number, ...read} = decodeAttempt(suffix, 3, encodeAttempt(attempt));
    expect(read).toEqual(attempt);
    expect({id, object, number}).toMatchObject({
      id: expect.stringMatching(/^att_/),
      object: 'attempt',
      number: 3,
    });
  });

  it('has the same error code in every version of the service', () => {
    const errors = Array.from({length: 8}, (_, code) => decodeAttempt(suffix, 1, `0,0,,${code}`).error);
    expect(errors).toEqual([
      'status',
      'timeout',
      'dns_failed',
      'connection_failed',
      'connection_closed',
      'tls_failed',
      'invalid_response',
      'proxy_failed',
    ]);
  });

  it('has at most 64 bytes, since Redis needs twice the memory above that', () => {
    const ms = 15_999;
    const longest = {
      ...nothing,
      at: '2059-05-25T17:38:27.455Z',
      duration_ms: ms,
      dns_ms: ms,
      tcp_ms: ms,
      tls_ms: ms,
      connect_ms: ms,
      first_byte_ms: ms,
      status: 599,
      error: attemptErrors.at(-1) ?? null,
      probe: true,
    };
    for (const remote_address of ['255.255.255.255', '2600:1f18:1234:5678:9abc:def0:1234:5678']) {
      expect(Buffer.byteLength(encodeAttempt({...longest, remote_address}))).toBeLessThanOrEqual(64);
    }
  });
});

describe('the stored record of a request and its answer', () => {
  const request = {method: 'POST', url: 'https://a.test/?q=1', headers: {'webhook-id': 'evt_1'}} as const;

  it.each([
    ['no answer', null],
    ['an empty answer', {headers: {}, body: null}],
    ['an answer with line ends in it', {headers: {a: 'b'}, body: '\n["x",{}]\n\u0000'}],
  ])('can be read back with %s', (_, response) => {
    expect(decodeExchange(encodeExchange({request, response}))).toEqual({request, response});
  });

  it('grows only by the size of the body', () => {
    const size = (body: string) => encodeExchange({request, response: {headers: {}, body}}).length;
    expect(size('\u0000'.repeat(4_096)) - size('')).toBe(4_096);
  });
});
