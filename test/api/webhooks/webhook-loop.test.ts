import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({
    env: {
      SLACK_BOT_TOKEN: 'xoxb-test',
      SLACK_SIGNING_SECRET: 'a-signing-secret',
      SLACK_API_URL: 'http://127.0.0.1:9/',
    },
  });
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

describe('a delivery of ours that returns', () => {
  it.each([
    ['the API', 'POST', '/v1/standups'],
    ['the API, whatever else is wrong', 'POST', '/v1/no-such-thing'],
    ['Slack', 'POST', '/slack/events'],
    ['the documents', 'GET', '/docs/'],
    ['the health check', 'GET', '/healthz'],
    ['an unknown address', 'POST', '/nothing'],
  ])('is refused by %s before authentication', async (_, method, path) => {
    const before = (await eventsOf(workspace)).length;
    const headers = {'standup-delivery': 'dlv_0123456789abcdefghijklmnop'};
    const body = method === 'POST' ? {team: 'platform', update: 'Once more.'} : undefined;
    for (const token of [workspace.token, 'no token']) {
      const answer = await workspace.request(method, path, {token, headers, ...(body && {body})});
      expectProblem(answer, 'webhook_loop');
    }
    expect(await eventsOf(workspace)).toHaveLength(before);
  });

  it('ends after one hop, with a 508 in the attempt and nothing posted', async () => {
    const own = await service.addWorkspace();
    // The service does not know this address as its own: a free port was chosen when it started.
    const webhook = await make(own, '/v1/webhooks', {
      url: `${service.url}/v1/standups`,
      events: ['standup.created'],
      headers: {authorization: `Bearer ${own.token}`},
    });
    await make(own, '/v1/standups', {team: 'platform', update: 'Told to ourselves.'});
    const attempt = await until(async () => {
      const {body: deliveries} = await own.request('GET', `/v1/webhooks/${webhook.id}/deliveries`);
      const [delivery] = deliveries.data;
      if (delivery === undefined) return undefined;
      const {body} = await own.request('GET', `/v1/deliveries/${delivery.id}/attempts`);
      return body.data[0];
    });
    expect(attempt).toMatchObject({status: 508, error: 'status'});
    const types = (await eventsOf(own)).map(({type}) => type);
    expect(types.filter((type) => type === 'standup.created')).toHaveLength(1);
  });
});
