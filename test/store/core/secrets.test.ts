import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {dumpRedis} from '../dump.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

it('the store contains no secret and no idempotency key in plain text', async () => {
  const chosen = 'a-key-that-a-client-has-chosen';
  const headers = {'idempotency-key': chosen};
  const value = 'a-credential-of-the-receiver';
  const body = {url: receiver.url, events: ['standup.*'], headers: {'x-api-key': value}};
  const made = await workspace.request('POST', '/v1/webhooks', {body, headers});
  const {secret} = made.body as {secret: string};
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Signed and sent.'}});
  await until(() => receiver.received.length === 1, {what: 'a delivery'});
  const rotated = await workspace.request('POST', `/v1/webhooks/${made.body.id}/rotate-secret`, {
    headers: {'idempotency-key': `${chosen}-2`},
  });

  const {text} = await dumpRedis(service.redisUrl);
  expect(text).toContain(made.body.id.slice(-16));
  const spellings = [
    ...spellingsOf(secret),
    ...spellingsOf(rotated.body.secret),
    value,
    workspace.token,
    chosen,
    'a secret key for tests, 32 characters or more',
  ];
  for (const spelling of spellings)
    expect({spelling, stored: text.includes(spelling)}).toEqual({spelling, stored: false});
  // Private keys are JWKs with a field `d`, which must not be readable.
  expect(text).not.toMatch(/"d\\*":\\*"/);
  expect(text).not.toContain('BEGIN');
});

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return [secret, secret.slice('whsec_'.length), bytes.toString('base64url'), bytes.toString('hex')];
}
