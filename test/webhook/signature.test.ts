import {createPublicKey, randomBytes, verify as verifyWith} from 'node:crypto';
import {describe, expect, test} from '@jest/globals';
import {Webhook} from 'standardwebhooks';
import {createSecret, createSigner, createSigningPair, joinSecrets} from '../../src/webhook/signature.js';

const vector = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
};

describe('the signature of a webhook request', () => {
  test('equals the one in the published test vector', () => {
    expect(createSigner()(vector)).toEqual({
      'webhook-id': vector.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is the same for bytes and for text, even with characters outside ASCII', () => {
    const body = '{"update":"Größe ✅ \u2028"}';
    expect(createSigner()({...vector, body: Buffer.from(body)})).toEqual(createSigner()({...vector, body}));
  });

  test('can be verified with the new and the old secret during a rotation, and with no other', () => {
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

  test('uses a secret of whsec_ and 32 random bytes', () => {
    const secret = createSecret(randomBytes);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(createSecret(randomBytes)).not.toBe(secret);
  });

  test('is correct after the signer has used more secrets than it caches', () => {
    const sign = createSigner();
    for (let n = 0; n < 5000; n += 1)
      sign({...vector, secrets: [`whsec_${Buffer.from(`key ${n}`).toString('base64')}`]});
    expect(sign(vector)).toEqual(createSigner()(vector));
  });

  test('is never omitted: signing without a valid secret throws an error', () => {
    expect(() => createSigner()({...vector, secrets: []})).toThrow('at least one secret');
    expect(() => createSigner()({...vector, secrets: ['plain']})).toThrow('whsec_');
  });
});

describe('the v1a signature of a webhook request', () => {
  // The example in Svix's server documentation. The tests of Svix contain its signature.
  const svix = {
    privateKey:
      'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
    publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    signature: 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  };
  const [secret = ''] = vector.secrets;
  const both = ['v1', 'v1a'] as const;

  test('follows the v1 signature, and equals the published one for the published key', () => {
    const joined = joinSecrets({secret, privateKey: svix.privateKey});
    const signed = createSigner()({...vector, secrets: [joined], versions: both})['webhook-signature'];
    expect(signed).toBe(`v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ${svix.signature}`);
  });

  test('can be verified only with the public key of its pair, for text and for bytes', () => {
    const [pair, foreign] = [createSigningPair(randomBytes), createSigningPair(randomBytes)];
    const sign = createSigner();
    for (const body of ['{"update":"Größe ✅"}', Buffer.from('{"update":"Größe ✅"}')]) {
      const headers = sign({...vector, body, secrets: [joinSecrets(pair)], versions: both});
      const content = `${vector.id}.${vector.timestamp}.${body.toString()}`;
      expect(verifiesWith(pair.publicKey, content, headers['webhook-signature'])).toBe(true);
      expect(verifiesWith(foreign.publicKey, content, headers['webhook-signature'])).toBe(false);
      expect(verifiesWith(pair.publicKey, `${content} `, headers['webhook-signature'])).toBe(false);
    }
    expect(pair.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  });

  test('is ignored by the official library, which verifies v1', () => {
    const pair = createSigningPair(randomBytes);
    const now = Math.floor(Date.now() / 1000);
    const signed = createSigner()({
      ...vector,
      timestamp: now,
      secrets: [joinSecrets(pair)],
      versions: both,
    });
    expect(new Webhook(pair.secret).verify(vector.body, {...signed})).toEqual({test: 2432232314});
    const [, v1a = ''] = signed['webhook-signature'].split(' ');
    expect(() =>
      new Webhook(pair.secret).verify(vector.body, {...signed, 'webhook-signature': v1a}),
    ).toThrow();
  });

  test('is made with each secret during a rotation', () => {
    const pairs = [createSigningPair(randomBytes), createSigningPair(randomBytes)];
    const input = {...vector, secrets: pairs.map(joinSecrets)};
    const versions = (asked?: readonly ('v1' | 'v1a')[]) => {
      const headers = createSigner()({...input, ...(asked && {versions: asked})});
      return headers['webhook-signature'].split(' ').map((part) => part.split(',')[0]);
    };
    expect(versions(both)).toEqual(['v1', 'v1', 'v1a', 'v1a']);
    expect(versions(['v1'])).toEqual(['v1', 'v1']);
    expect(versions()).toEqual(['v1', 'v1']);
  });

  test('is refused for a malformed key, and the error does not show the key', () => {
    const sign = createSigner();
    const faulty = {...vector, secrets: [`${secret} c2VjcmV0`], versions: both};
    expect(() => sign(faulty)).toThrow("A webhook's key begins with whsk_.");
  });
});

/** Verifies the first `v1a` signature of a header with the Ed25519 of Node.js alone. */
function verifiesWith(publicKey: string, content: string, header: string): boolean {
  const signature = /(?:^| )v1a,(\S+)/.exec(header)?.[1] ?? '';
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({key: {kty: 'OKP', crv: 'Ed25519', x}, format: 'jwk'});
  return verifyWith(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
}
