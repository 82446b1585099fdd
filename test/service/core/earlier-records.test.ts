import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {toInstant} from '../../../src/domain/core/dates.js';
import type {WireJson} from '../../../src/domain/core/resource.js';
import {addMissingFieldsToRecord} from '../../../src/store/core/earlier-records.js';
import {addPerson} from '../../api/people.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, sendRequest, startService, type TestService} from '../../support/service.js';

// Every answer is also checked against the OpenAPI document, which requires all these fields.

/**
 * Removes fields from all stored data that an earlier release did not write. ARGV: a pattern. Returns the
 * number of removals.
 */
const takeOutScript = `
local taken = 0
local function without(text)
  local rest, times = string.gsub(text, ARGV[1], '')
  taken = taken + times
  return rest
end
for _, key in ipairs(redis.call('KEYS', '{ws_*')) do
  if redis.call('TYPE', key).ok == 'string' then
    redis.call('SET', key, without(redis.call('GET', key)), 'KEEPTTL')
  elseif string.find(key, ':v:', 1, true) then
    local kept = redis.call('HGETALL', key)
    for i = 1, #kept, 2 do redis.call('HSET', key, kept[i], without(kept[i + 1])) end
  end
end
return taken`;

const [first, second, third] = [30, 31, 32].map((days) =>
  toInstant(Date.now() + days * 86_400_000).slice(0, 10),
);

describe('data stored by a release without `reason_for`, `absence_reasons` and `not_reminded`', () => {
  let service: TestService;
  let token: string;
  let absence: Json;
  let team: Json;
  let reminder: Json;

  const ask = (method: string, path: string, body?: Json, key?: string) =>
    sendRequest(service.url, method, path, {
      token,
      ...(body !== undefined && {body}),
      ...(key !== undefined && {headers: {'idempotency-key': key}}),
    });
  const remind = () => ask('POST', '/v1/teams/platform/reminders', undefined, 'once');

  beforeAll(async () => {
    const redisUrl = await testRedisUrl();
    service = await startService({redisUrl});
    const workspace = await service.addWorkspace();
    ({token} = await addPerson(service, workspace, {name: 'Ada', team: 'platform', role: 'owner'}));
    const body = {from: first, until: second, reason: 'A cold, "reason_for":"team",'};
    const {id} = (await ask('POST', '/v1/absences', body)).body;
    absence = (await ask('PATCH', `/v1/absences/${id}`, {until: third})).body;
    team = (await ask('PATCH', '/v1/teams/platform', {name: 'Platforms'})).body;
    expect((await ask('POST', '/v1/teams/platform/runs')).status).toBe(201);
    reminder = (await remind()).body;
    expect(reminder.not_reminded).toHaveLength(1);
    await service.close();
    const members = ['"reason_for":"leads",', '"absence_reasons":"leads",', ',\\"not_reminded\\":%[.-%]'];
    const taken = await sendToRedis(
      redisUrl,
      members.map((member) => ['EVAL', takeOutScript, 0, member]),
    );
    expect(taken).toEqual([2, 2, 1]);
    service = await startService({redisUrl});
  });

  afterAll(() => service.close());

  it('is shown with these fields, and with reasons for leads only', async () => {
    expect((await ask('GET', `/v1/absences/${absence.id}`)).body).toEqual(absence);
    expect((await ask('GET', '/v1/absences')).body.data).toEqual([absence]);
    expect((await ask('GET', '/v1/teams/platform')).body).toEqual(team);
    expect((await ask('GET', '/v1/teams')).body.data).toEqual([team]);
    const lines = await ask('GET', '/v1/export/absences?format=ndjson');
    expect(JSON.parse(lines.text)).toEqual(absence);
    expect((await ask('GET', '/v1/export/absences?format=csv')).text).toMatch(/,leads\r\n$/);
    expect((await remind()).body).toEqual({...reminder, not_reminded: []});
  });

  it('is shown with these fields in each event, without the text of the reason', async () => {
    const {data} = (await ask('GET', '/v1/events?types=absence.*,team.created,team.updated')).body;
    const events = data.map(({type, data: shown, previous_attributes: before}: Json) => ({
      type,
      reason: shown.reason_for ?? shown.absence_reasons,
      text: shown.reason ?? null,
      before,
    }));
    expect(events).toEqual([
      {type: 'team.created', reason: 'leads', text: null, before: undefined},
      {type: 'absence.created', reason: 'leads', text: null, before: undefined},
      {type: 'absence.updated', reason: 'leads', text: null, before: {until: second}},
      {type: 'team.updated', reason: 'leads', text: null, before: {name: 'Platform'}},
    ]);
  });

  it('can be changed, and the events report only the requested change', async () => {
    expect((await ask('PATCH', `/v1/absences/${absence.id}`, {until: absence.until})).body).toEqual(absence);
    const shorter = (await ask('PATCH', `/v1/absences/${absence.id}`, {until: first})).body;
    const {revision, updated_at: at} = shorter;
    expect(shorter).toEqual({
      ...absence,
      until: first,
      revision: absence.revision + 1,
      updated_at: at,
    });
    const renamed = (await ask('PATCH', '/v1/teams/platform', {name: 'Team'})).body;
    expect(renamed).toMatchObject({name: 'Team', absence_reasons: 'leads', revision});
    const {data} = (await ask('GET', '/v1/events?types=absence.updated,team.updated')).body;
    const before = data.slice(-2).map((event: Json) => event.previous_attributes);
    expect(before).toEqual([{until: third}, {name: 'Platforms'}]);
  });
});

it('a record that lacks several fields of later releases gets all of them', () => {
  const fields = ['one', 'two'].map((name) => ({begins: '{"id":"team_', member: `"${name}":`, value: '1'}));
  const record = '{"id":"team_1","name":"Platform","revision":3}' as WireJson;
  expect(addMissingFieldsToRecord(record, fields)).toBe(
    '{"id":"team_1","name":"Platform","one":1,"two":1,"revision":3}',
  );
});
