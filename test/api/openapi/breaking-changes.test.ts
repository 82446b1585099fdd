import {readFileSync} from 'node:fs';
import {describe, expect, it} from '@jest/globals';
import {createCommittedOpenApi} from '../../../src/api/openapi/openapi.js';
import {findBreakingChanges} from '../../support/breaking-changes.js';
import type {Json} from '../../support/service.js';
import {routes} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

const {version} = JSON.parse(readFileSync('package.json', 'utf8'));
const current = createCommittedOpenApi(routes, version);

it('docs/openapi.json is the document of this source; `npm run openapi` refreshes it', () => {
  const isCurrent = readFileSync('docs/openapi.json', 'utf8') === current;
  expect({isCurrent, command: 'npm run openapi'}).toEqual({isCurrent: true, command: 'npm run openapi'});
});

const before: Json = JSON.parse(current);

/** The document after a change. */
function changed(change: (document: Json) => void): Json {
  const document = JSON.parse(current);
  change(document);
  return document;
}

const breaking: readonly (readonly [what: string, change: (document: Json) => void, reported: string])[] = [
  ['an operation goes', ({paths}) => delete paths['/v1/teams'].post, 'POST /v1/teams: the operation is gone'],
  ['a path goes', ({paths}) => delete paths['/v1/me'], 'GET /v1/me: the operation is gone'],
  [
    'an operation is renamed',
    ({paths}) => (paths['/v1/me'].get.operationId = 'whoAmI'),
    'GET /v1/me: the operation is now called whoAmI',
  ],
  [
    'another scope is needed',
    ({paths}) => (paths['/v1/teams'].get['x-required-scope'] = 'teams:list'),
    'GET /v1/teams: needs the scope teams:list',
  ],
  [
    'a scope is needed where there was none',
    ({paths}) => (paths['/v1/me'].get['x-required-scope'] = 'me:read'),
    'GET /v1/me: needs the scope me:read',
  ],
  [
    'success has another status',
    ({paths}) => {
      const {responses} = paths['/v1/teams'].post;
      responses[200] = responses[201];
      delete responses[201];
    },
    'POST /v1/teams: no longer answers 201',
  ],
  [
    'a parameter goes',
    ({paths}) => {
      const list = paths['/v1/standups'].get;
      list.parameters = list.parameters.filter(({name}: Json) => name !== 'author');
    },
    'GET /v1/standups: the query parameter author is gone',
  ],
  [
    'a parameter becomes required',
    ({paths}) =>
      (paths['/v1/standups'].get.parameters.find(({name}: Json) => name === 'team').required = true),
    'GET /v1/standups: the query parameter team is now required',
  ],
  [
    'a required parameter comes',
    ({paths}) =>
      paths['/v1/teams'].get.parameters.push({
        name: 'kind',
        in: 'query',
        required: true,
        schema: {type: 'string'},
      }),
    'GET /v1/teams: the query parameter kind is now required',
  ],
  [
    'a parameter is narrowed',
    ({paths}) =>
      (paths['/v1/standups'].get.parameters.find(({name}: Json) => name === 'limit').schema.maximum = 50),
    'GET /v1/standups: the query parameter limit has maximum 50',
  ],
  [
    'a member of a request becomes required',
    ({components}) => components.schemas.NewTeam.required.push('name'),
    'POST /v1/teams: the body/name is now required',
  ],
  [
    'a member of a request goes',
    ({components}) => delete components.schemas.NewStandup.properties.metadata,
    'POST /v1/standups: the body/metadata is gone',
  ],
  [
    'a member of a request takes another type',
    ({components}) => (components.schemas.NewTeam.properties.slug.type = 'integer'),
    'POST /v1/teams: the body/slug no longer takes string',
  ],
  [
    'a member of a request no longer takes null',
    ({components}) => {
      const {properties} = components.schemas.NewTeam;
      properties.slack_channel_id = {type: 'string'};
    },
    'POST /v1/teams: the body/slack_channel_id no longer takes null',
  ],
  [
    'a text gets shorter',
    ({components}) => (components.schemas.NewStandup.properties.update.maxLength = 2_000),
    'POST /v1/standups: the body/update has maxLength 2000',
  ],
  [
    'a pattern changes',
    ({components}) => (components.schemas.NewTeam.properties.slug.pattern = '^[a-z]+$'),
    'POST /v1/teams: the body/slug has another pattern',
  ],
  [
    'a list of values comes',
    ({components}) => (components.schemas.NewTeam.properties.timezone.enum = ['UTC']),
    'POST /v1/teams: the body/timezone no longer takes any value',
  ],
  [
    'a value of a list goes',
    ({components}) => components.schemas.NewMember.properties.role.enum.shift(),
    'POST /v1/members: the body/role no longer takes owner',
  ],
  [
    'a media type of a request goes',
    ({paths}) => delete paths['/v1/teams/{team}'].patch.requestBody.content['application/merge-patch+json'],
    'PATCH /v1/teams/{team}: application/merge-patch+json is no longer taken',
  ],
  [
    'a body becomes required',
    ({paths}) => (paths['/v1/deliveries/{delivery}/redeliver'].post.requestBody.required = true),
    'POST /v1/deliveries/{delivery}/redeliver: a body is now required',
  ],
  [
    'a member of an answer goes',
    ({components}) => delete components.schemas.ShownStandup.properties.late,
    'GET /v1/standups/{standup}: the answer/late is gone',
  ],
  [
    'a member of an answer may be missing',
    ({components}) => {
      const {Team} = components.schemas;
      Team.required = Team.required.filter((name: string) => name !== 'timezone');
    },
    'GET /v1/teams/{team}: the answer/timezone may now be missing',
  ],
  [
    'a member of an answer has another type',
    ({components}) => (components.schemas.ShownStandup.properties.late.type = 'string'),
    'POST /v1/standups: the answer/late may now be string',
  ],
  [
    'a member of an answer may be null',
    ({components}) => (components.schemas.Team.properties.timezone.type = ['string', 'null']),
    'GET /v1/teams: the answer/data/items/timezone may now be null',
  ],
  [
    'an instant has another format',
    ({components}) => (components.schemas.Team.properties.created_at.format = 'date'),
    'GET /v1/teams/{team}: the answer/created_at has another format',
  ],
  [
    'a list is answered as something else',
    ({paths}) => {
      const [, schema] = [0, paths['/v1/teams'].get.responses[200].content['application/json'].schema];
      schema.properties.data = {type: 'object'};
    },
    'GET /v1/teams: the answer/data may now be object',
  ],
  [
    'a media type of an answer goes',
    ({paths}) => delete paths['/v1/export'].get.responses[200].content['text/csv'],
    'GET /v1/export: is no longer answered as text/csv',
  ],
  [
    'a header of an answer goes',
    ({paths}) => delete paths['/v1/teams'].post.responses[201].headers.Location,
    'POST /v1/teams: the header Location is gone from the answer',
  ],
  [
    'an event type goes',
    ({webhooks}) => delete webhooks['standup.deleted'],
    'standup.deleted: the event type is gone',
  ],
  [
    'an event tells less',
    ({components}) => delete components.schemas.StandupCreatedEvent.properties.sequence,
    'standup.created: the body/sequence is gone',
  ],
  [
    'an event in full tells no more than a thin one',
    ({components}) => {
      const {StandupCreatedEvent, ThinEvent} = components.schemas;
      StandupCreatedEvent.properties.data = ThinEvent.properties.data;
    },
    'standup.created: the body/data/update is gone',
  ],
  [
    'a webhook has no attempt number',
    ({webhooks}) => {
      const {post} = webhooks['team.created'];
      post.parameters = post.parameters.filter(({$ref}: Json) => !$ref.endsWith('StandupAttemptHeader'));
    },
    'team.created: the header standup-attempt is gone',
  ],
];

const additive: readonly (readonly [what: string, change: (document: Json) => void])[] = [
  ['nothing', () => undefined],
  ['an operation', ({paths}) => (paths['/v1/polls'] = {get: {operationId: 'listPolls', responses: {}}})],
  [
    'an optional member of a request',
    ({components}) => (components.schemas.NewTeam.properties.goal = {type: 'string'}),
  ],
  [
    'an optional parameter',
    ({paths}) =>
      paths['/v1/teams'].get.parameters.push({name: 'kind', in: 'query', schema: {type: 'string'}}),
  ],
  ['a longer text', ({components}) => (components.schemas.NewStandup.properties.update.maxLength = 8_000)],
  ['a value in a request', ({components}) => components.schemas.NewMember.properties.role.enum.push('guest')],
  [
    'null in a request',
    ({components}) => (components.schemas.NewTeam.properties.timezone.type = ['string', 'null']),
  ],
  ['a member that need not be sent', ({components}) => (components.schemas.NewTeam.required = [])],
  ['a member of an answer', ({components}) => (components.schemas.Team.properties.goal = {type: 'string'})],
  [
    'a member that is no longer null',
    ({components}) => (components.schemas.Team.properties.slack_channel_id = {type: 'string'}),
  ],
  [
    'a header of an answer',
    ({paths}) => (paths['/v1/teams'].post.responses[201].headers.Age = {schema: {type: 'string'}}),
  ],
  ['a refusal', ({paths}) => (paths['/v1/teams'].post.responses[418] = {description: 'A teapot.'})],
  ['an event type', ({webhooks}) => (webhooks['poll.created'] = webhooks['team.created'])],
  [
    'a media type of a request',
    ({paths}) => (paths['/v1/teams'].post.requestBody.content['application/cbor'] = {schema: {}}),
  ],
  ['a deprecation', ({paths}) => (paths['/v1/teams'].get.deprecated = true)],
  ['another description', ({paths}) => (paths['/v1/teams'].get.summary = 'Teams')],
  ['a scope that is no longer needed', ({paths}) => delete paths['/v1/teams'].get['x-required-scope']],
];

describe('a breaking change of the document', () => {
  it.each(sampleUnlessDeep(breaking, 12))('is reported if %s', (_, change, message) => {
    expect(findBreakingChanges(before, changed(change))).toContain(message);
  });
});

describe('a compatible change of the document', () => {
  it.each(sampleUnlessDeep(additive, 6))('is not reported: %s', (_, change) => {
    expect(findBreakingChanges(before, changed(change))).toEqual([]);
  });
});
