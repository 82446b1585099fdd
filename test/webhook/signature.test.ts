import {randomBytes} from 'node:crypto';
import {describe, expect, test} from '@jest/globals';
import {Webhook} from 'standardwebhooks';
import {createSecret, createSigner} from '../../src/webhook/signature.js';

const vector = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
};

describe('signature', () => {
  test('the published vector gives the published signature', () => {
    expect(createSigner()(vector)).toEqual({
      'webhook-id': vector.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('a body in bytes is signed like the same body as a string, beyond ASCII too', () => {
    const body = '{"update":"Größe ✅ \u2028"}';
    expect(createSigner()({...vector, body: Buffer.from(body)})).toEqual(createSigner()({...vector, body}));
  });

  test('during a rotation the official library verifies with either secret and with no other', () => {
    const [fresh, old, foreign] = [1, 2, 3].map(() => createSecret(randomBytes)) as [string, string, string];
    const now = Math.floor(Date.now() / 1000);
    const headers = {...createSigner()({...vector, timestamp: now, secrets: [fresh, old]})};
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [fresh, old]) {
      expect(new Webhook(secret).verify(vector.body, headers)).toEqual({test: 2432232314});
    }
    expect(() => new Webhook(foreign).verify(vector.body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(fresh).verify(`${vector.body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(fresh).verify(vector.body, {...headers, 'webhook-id': 'msg_other'})).toThrow();
  });

  test('a secret is whsec_ and 32 random bytes', () => {
    const secret = createSecret(randomBytes);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(createSecret(randomBytes)).not.toBe(secret);
  });

  test('a signer that has seen more secrets than it keeps still signs right', () => {
    const sign = createSigner();
    for (let n = 0; n < 5000; n += 1)
      sign({...vector, secrets: [`whsec_${Buffer.from(`key ${n}`).toString('base64')}`]});
    expect(sign(vector)).toEqual(createSigner()(vector));
  });

  test('nothing is sent unsigned: no secret or a malformed one throws', () => {
    expect(() => createSigner()({...vector, secrets: []})).toThrow('at least one secret');
    expect(() => createSigner()({...vector, secrets: ['plain']})).toThrow('whsec_');
  });
});
