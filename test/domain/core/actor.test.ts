import {expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {type ActingCaller, createActor, parseActor, formatActor} from '../../../src/domain/core/actor.js';
import {slackDoorkeeper} from '../../../src/domain/slack/slack-installation.js';
import {operatorCall} from '../../../src/service/workspaces/workspaces.js';
import {asId} from '../../support/ids.js';

const ada = {type: 'member', id: asId('mem_01h455vb4pex5vsknk084sn02q'), name: 'Ada'} as const;
const program = {type: 'service_account', id: asId('svc_01h455vb4pex5vsknk084sn02q'), name: 'ci'} as const;
const token = {id: asId<'access_token'>('tok_01h455vb4pex5vsknk084sn02q')};
const requestId = 'req_01h455vb4pex5vsknk084sn02q';
const operator: Call = operatorCall(asId('ws_01h455vb4pex5vsknk084sn02q'), 0);

it.each<[string, ActingCaller, object]>([
  [
    'a member by a token',
    {principal: ada, token, entryPoint: 'api', requestId},
    {type: 'member', id: ada.id, token: token.id, source: 'api', request_id: requestId},
  ],
  [
    'a program whose token another issuer has made',
    {principal: program, token: {id: program.id}, entryPoint: 'api', requestId},
    {type: 'service_account', id: program.id, token: null, source: 'api', request_id: requestId},
  ],
  ['a member in Slack', {principal: ada, entryPoint: 'slack'}, {type: 'member', id: ada.id, source: 'slack'}],
  [
    'Slack, for a person who is no member yet',
    {principal: slackDoorkeeper, entryPoint: 'slack'},
    {type: 'system', id: null, source: 'slack'},
  ],
  ['the operator', operator, {type: 'operator', id: null, source: 'cli'}],
  ['a job', {...operator, entryPoint: 'system'}, {type: 'system', id: null, source: 'system'}],
])('a stored actor can be read back: %s', (_, acting, shown) => {
  const actor = createActor(acting);
  if (actor === undefined) throw new Error('no one acts');
  expect(actor).toEqual({token: null, request_id: null, ...shown});
  const kept = formatActor(actor);
  expect(parseActor(kept)).toEqual(actor);
  expect(kept.length).toBeLessThan(90);
});

it.each([
  ['ada.lovelace-1', null],
  ['0D5C3B7E-6C0B-4C53-9F43-7F1D9C1B2A10', '0D5C3B7E-6C0B-4C53-9F43-7F1D9C1B2A10'],
  [requestId, requestId],
])(
  'the request id %s is stored as %j, since an id chosen by the caller could name a person',
  (given, kept) => {
    expect(createActor({principal: ada, entryPoint: 'api', requestId: given})?.request_id).toBe(kept);
  },
);

it('a call without a principal has no actor', () => {
  expect(createActor({principal: ada})).toBeUndefined();
});
