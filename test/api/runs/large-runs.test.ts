import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {seedStandups} from '../../support/seed-standups.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

it('regression: a run of 300 large standups is shown to eight concurrent callers', async () => {
  const member = await workspace.request('POST', '/v1/members', {body: {name: 'Ada'}});
  const {id} = member.body;
  await workspace.request('PUT', `/v1/teams/platform/members/${id}`, {body: {role: 'member'}});
  const opened = await workspace.request('POST', '/v1/teams/platform/runs', {body: {}});
  expect(opened.body).toMatchObject({state: 'open'});
  const {date} = opened.body;
  const author = {type: 'member', id, name: 'Ada'} as const;
  await seedStandups(
    service.redisUrl,
    {...workspace, principal: author},
    {
      count: 300,
      update: () => '𝄞'.repeat(limits.update),
      days: 1,
      from: date,
    },
  );
  const path = `/v1/teams/platform/runs/${date}`;
  const one = await workspace.request('GET', path);
  const answers = await Promise.all(Array.from({length: 8}, () => workspace.request('GET', path)));
  expect(answers.map(({status}) => status)).toEqual(Array(8).fill(200));
  expect(answers[0]?.body).toEqual(one.body);
  expect(one.body.report.lines[0].standups).toHaveLength(300);
});
