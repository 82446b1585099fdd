import {describe, expect, it} from '@jest/globals';
import {presentAttemptError, type SendErrorClass, type SendResult} from '../../src/domain/attempt.js';
import {recordAttempt, recordExchange} from '../../src/domain/attempt-record.js';

const way = {dnsMs: 1.4, tcpMs: 2.6, tlsMs: 3, connectMs: 7, remoteAddress: '10.0.0.7'};

describe('what is recorded of an attempt', () => {
  it('of a target inside the network is what is recorded of a refused connection, wherever it lay', () => {
    const [blocked, refused, none] = (['blocked', 'refused', 'blocked'] as const).map((error, i) =>
      recordAttempt({error, durationMs: 3, ...(i < 2 && way)}, 0, false),
    );
    expect(blocked).toEqual(refused);
    expect(none).toEqual(refused);
    expect(JSON.stringify(blocked)).not.toContain('10.0.0.7');
    expect(blocked).toMatchObject({error: 'connection_failed', dns_ms: null, tcp_ms: null, connect_ms: null});
  });

  it('tells nothing of our own way out when that fails', () => {
    const attempt = recordAttempt({error: 'proxy', durationMs: 3, ...way}, 0, false);
    expect(attempt).toMatchObject({error: 'proxy_failed', remote_address: null, connect_ms: null});
  });

  it.each<SendErrorClass>(['reset', 'tls', 'timeout', 'protocol'])(
    'shows the way to the receiver of a %s',
    (error) => {
      const attempt = recordAttempt({error, durationMs: 3, ...way}, 0, true);
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

describe('what is kept of what went over the wire', () => {
  const ours = {'webhook-id': 'evt_1', 'webhook-signature': 'v1,secret', 'user-agent': 'us'};
  const keep = (sent: SendResult) => recordExchange(sent, {url: 'https://a.test/', own: ['x-key'], ours});

  it('has no signature and no value of the webhook', () => {
    const {request} = keep({status: 204, durationMs: 1});
    expect(request.headers).toEqual({...ours, 'webhook-signature': '[hidden]', 'x-key': '[hidden]'});
  });

  it('is no response when no answer came, and an empty one when nothing was in it', () => {
    expect(keep({error: 'reset', durationMs: 1}).response).toBeNull();
    expect(keep({status: 204, durationMs: 1}).response).toEqual({headers: {}, body: null});
    const begun = {status: 200, error: 'reset', responseHeaders: {a: 'b'}, responseExcerpt: 'x'} as const;
    expect(keep({...begun, durationMs: 1}).response).toEqual({headers: {a: 'b'}, body: 'x'});
  });
});
