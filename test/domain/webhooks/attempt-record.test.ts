import {describe, expect, it} from '@jest/globals';
import {
  presentAttemptError,
  type SendErrorClass,
  type SendResult,
} from '../../../src/domain/webhooks/attempt.js';
import {createAttemptRecord, createExchangeRecord} from '../../../src/domain/webhooks/attempt-record.js';
import {measureCpuMs} from '../../support/stopwatch.js';

const way = {dnsMs: 1.4, tcpMs: 2.6, tlsMs: 3, connectMs: 7, remoteAddress: '10.0.0.7'};

describe('the record of an attempt', () => {
  it('is the same for a blocked private address as for a refused connection', () => {
    const [blocked, refused, none] = (['blocked', 'refused', 'blocked'] as const).map((error, i) =>
      createAttemptRecord({error, durationMs: 3, ...(i < 2 && way)}, 0, false),
    );
    expect(blocked).toEqual(refused);
    expect(none).toEqual(refused);
    expect(JSON.stringify(blocked)).not.toContain('10.0.0.7');
    expect(blocked).toMatchObject({error: 'connection_failed', dns_ms: null, tcp_ms: null, connect_ms: null});
  });

  it('shows no details of our own outgoing proxy when that fails', () => {
    const attempt = createAttemptRecord({error: 'proxy', durationMs: 3, ...way}, 0, false);
    expect(attempt).toMatchObject({error: 'proxy_failed', remote_address: null, connect_ms: null});
  });

  it.each<SendErrorClass>(['reset', 'tls', 'timeout', 'protocol'])(
    'shows how long connecting took if the attempt fails with a %s',
    (error) => {
      const attempt = createAttemptRecord({error, durationMs: 3, ...way}, 0, true);
      expect(attempt).toMatchObject({
        dns_ms: 1,
        tcp_ms: 3,
        tls_ms: 3,
        remote_address: '10.0.0.7',
        probe: true,
      });
      expect(attempt.error).toBe(presentAttemptError({error, durationMs: 3}));
    },
  );
});

describe('the record of a request and its response', () => {
  const ours = {'webhook-id': 'evt_1', 'webhook-signature': 'v1,secret', 'user-agent': 'us'};
  const own = {'x-key': 'short', authorization: 'Bearer s3cr3t/va"lue', 'x-partner': 'a-long-value-of-ours'};
  const keep = (sent: SendResult) =>
    createExchangeRecord(sent, {url: 'https://a.test/', own, headers: {...ours, ...own}});
  const repeated = (responseExcerpt: string, responseHeaders: Record<string, string> = {}) =>
    keep({status: 500, durationMs: 1, responseExcerpt, responseHeaders}).response;

  it('contains neither the signature nor the values of the webhook’s own headers', () => {
    const {request} = keep({status: 204, durationMs: 1});
    const hidden = {'x-key': '[hidden]', authorization: '[hidden]', 'x-partner': '[hidden]'};
    expect(request.headers).toEqual({...ours, 'webhook-signature': '[hidden]', ...hidden});
  });

  it('has no response if the receiver sent none, and an empty one if the receiver sent an empty one', () => {
    expect(keep({error: 'reset', durationMs: 1}).response).toBeNull();
    expect(keep({status: 204, durationMs: 1}).response).toEqual({headers: {}, body: null});
    const begun = {status: 200, error: 'reset', responseHeaders: {a: 'b'}, responseExcerpt: 'x'} as const;
    expect(keep({...begun, durationMs: 1}).response).toEqual({headers: {a: 'b'}, body: 'x'});
  });

  it.each([
    ['whole', 'got Bearer s3cr3t/va"lue, thanks', 'got [hidden], thanks'],
    ['without its scheme', 'key s3cr3t/va"lue is wrong', 'key [hidden] is wrong'],
    ['as JSON', '{"key":"s3cr3t/va\\"lue"}', '{"key":"[hidden]"}'],
    ['as JSON with escaped slashes', '{"key":"s3cr3t\\/va\\"lue"}', '{"key":"[hidden]"}'],
    ['more than once', 'a-long-value-of-ours a-long-value-of-ours', '[hidden] [hidden]'],
    ['cut off by the end', 'x-partner: a-long-value-of-o', 'x-partner: [hidden]'],
    ['cut off behind another', 'a-long-value-of-ours s3cr3t', '[hidden] [hidden]'],
  ])('hides a header value of the webhook that the receiver repeats, %s', (_, said, shown) => {
    expect(repeated(said)?.body).toBe(shown);
    expect(repeated('', {'x-echo': `${said}…`})?.headers).toEqual({'x-echo': `${shown}…`});
  });

  it('shows a repeated text that is too short to be a credential or a part of one', () => {
    expect(repeated('a short answer, a-lo')?.body).toBe('a short answer, a-lo');
    expect(repeated('', {'x-name': 's3cr3t'})?.headers).toEqual({'x-name': 's3cr3t'});
  });

  it('is made quickly, even if a webhook has many long header values and its receiver repeats them', async () => {
    const names = Array.from({length: 10}, (_, n) => `x-${n}`);
    const many = Object.fromEntries(names.map((name, n) => [name, '/'.repeat(1_000 + n)]));
    const said = `${'/'.repeat(990)}.`.repeat(4);
    const sent = {status: 500, durationMs: 1, responseExcerpt: said, responseHeaders: {a: `${said}…`}};
    const ms = await measureCpuMs(() =>
      createExchangeRecord(sent, {url: 'https://a.test/', own: many, headers: many}),
    );
    expect(ms).toBeLessThan(400);
  });
});
