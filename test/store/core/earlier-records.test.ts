import {expect, it} from '@jest/globals';
import type {WireJson} from '../../../src/domain/core/resource.js';
import {teamDefaults} from '../../../src/domain/teams/team.js';
import {memberDefaults, usualAwayEmoji} from '../../../src/domain/workspaces/workspace.js';
import {addMissingFieldsToRecord} from '../../../src/store/core/earlier-records.js';

const fields = ['one', 'two'].map((name) => ({begins: '{"id":"team_', member: `"${name}":`, value: '1'}));

it('a record that lacks several fields of later releases gets all of them', () => {
  const record = '{"id":"team_1","name":"Platform","revision":3}' as WireJson;
  expect(addMissingFieldsToRecord(record, fields)).toBe(
    '{"id":"team_1","name":"Platform","one":1,"two":1,"revision":3}',
  );
});

it.each([
  ['has these fields', '{"id":"team_1","one":2,"two":3,"revision":3}'],
  ['is of another kind', '{"id":"mem_1","name":"Ada","revision":3}'],
])('a record that %s stays as it is', (_, record) => {
  expect(addMissingFieldsToRecord(record, fields)).toBe(record);
});

it('a webhook of an earlier release has no plain text in its events', () => {
  expect(addMissingFieldsToRecord('{"id":"whk_1","created_by":null,"revision":1}')).toBe(
    '{"id":"whk_1","created_by":null,"plain_text":false,"revision":1}',
  );
});

it('a team of an earlier release keeps its comments and the threads in Slack apart', () => {
  const complete = {id: 'team_1', ...teamDefaults, revision: 1};
  const {slack_replies: _, ...earlier} = complete;
  const read = addMissingFieldsToRecord(JSON.stringify(earlier) as WireJson);
  expect(JSON.parse(read)).toEqual({...complete, slack_replies: 'off'});
});

it('leads of a team of an earlier release get no message when a run closes', () => {
  const record = addMissingFieldsToRecord('{"id":"team_1","name":"Platform","revision":3}');
  expect(record).toContain('"lead_summary":"never"');
});

it('a member of an earlier release is asked about their status in Slack, and hears what new members hear', () => {
  const record = addMissingFieldsToRecord('{"id":"mem_1","name":"Ada","revision":3}');
  expect(JSON.parse(record)).toEqual({
    id: 'mem_1',
    name: 'Ada',
    notify: memberDefaults.notify,
    slack_status: 'ask',
    revision: 3,
  });
});

it('an absence of an earlier release was entered, and its workspace counts the usual emoji as away', () => {
  expect(addMissingFieldsToRecord('{"id":"abs_1","kind":"away","revision":1}')).toContain('"source":null');
  expect(addMissingFieldsToRecord('{"id":"ws_1","slug":"acme","revision":1}')).toContain(
    `"away_emoji":${JSON.stringify(usualAwayEmoji)}`,
  );
});

it('a text that looks like the field of a later release is not taken for it', () => {
  const name = JSON.stringify('"one":5');
  expect(addMissingFieldsToRecord(`{"id":"team_1","name":${name},"two":3,"revision":3}`, fields)).toBe(
    `{"id":"team_1","name":${name},"two":3,"one":1,"revision":3}`,
  );
});
