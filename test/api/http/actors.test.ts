import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {LogFields} from '../../../src/domain/core/log.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let lead: Person;
let ada: Person;
/** The actor of the lead's token in events. */
let byLead: Json;
const lines: (LogFields & {readonly msg: string})[] = [];

beforeAll(async () => {
  const keep = (fields: LogFields, msg: string) => void lines.push({...fields, msg});
  const log = {debug: () => undefined, info: keep, warn: keep, error: keep};
  service = await startService({log});
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  lead = await addPerson(service, workspace, {name: 'Lea Lead', team: 'platform', as: 'lead'});
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', team: 'platform'});
  const {body} = await workspace.request('GET', '/v1/tokens', {token: lead.token});
  byLead = {type: 'member', id: lead.id, token: body.data[0].id, source: 'api'};
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const ask = (method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
  workspace.request(method, path, {token: lead.token, headers, ...(body && {body})});

describe('the actor of a change', () => {
  it.each<[string, string, () => Promise<{headers: Headers}>]>([
    [
      'a standup for another member',
      'standup.created',
      () => ask('POST', '/v1/standups', {team: 'platform', author: ada.id, update: 'For her.'}),
    ],
    ['a token', 'token.created', () => ask('POST', '/v1/tokens', {name: 'made'})],
    [
      'an absence of another member',
      'absence.created',
      () => ask('POST', '/v1/absences', {member: ada.id, team: 'platform'}),
    ],
    [
      'a deleted team',
      'team.deleted',
      async () => {
        await ask('POST', '/v1/teams', {slug: 'going'});
        return ask('DELETE', '/v1/teams/going');
      },
    ],
  ])('is the same in the event, at receivers and in the log: %s', async (_, type, act) => {
    await make(workspace, '/v1/webhooks', {url: receiver.url, events: [type]});
    await make(workspace, '/v1/webhooks', {url: receiver.url, events: [type], payload: 'thin'});
    const before = receiver.received.length;
    const {headers} = await act();
    const requestId = headers.get('x-request-id');
    const actor = {...byLead, request_id: requestId};
    const event = (await eventsOf(workspace)).findLast((one) => one.type === type);
    expect(event?.actor).toEqual(actor);
    const bodies = await until(
      () => receiver.received.length >= before + 2 && receiver.received.slice(before),
      {
        what: 'deliveries',
      },
    );
    for (const {body} of bodies) expect(JSON.parse(String(body)).actor).toEqual(actor);
    const line = lines.find(({msg, request_id: id}) => msg === 'change' && id === requestId);
    expect(line).toMatchObject({actor: 'member', principal: lead.id, token: byLead.token, source: 'api'});
    expect(String(line?.['events'])).toContain(`${type} ${event?.id}`);
    const request = lines.find(({msg, request_id: id}) => msg === 'request' && id === requestId);
    expect(request).toMatchObject({principal: lead.id, token: byLead.token});
  });

  it('is shown on a standup posted for another member, wherever it is read, and on no other standup', async () => {
    const body = {team: 'platform', author: ada.id, update: 'For her again.'};
    const {body: standup} = await ask('POST', '/v1/standups', body);
    const posted_by = {type: 'member', id: lead.id};
    expect(standup).toMatchObject({author: {id: ada.id}, posted_by});
    const path = `/v1/standups/${standup.id}`;
    const edited = await workspace.request('PATCH', path, {token: ada.token, body: {update: 'Mine now.'}});
    expect(edited.body).toMatchObject({author: {id: ada.id}, posted_by, edited_by: null});
    const corrected = await ask('PATCH', path, {update: 'Corrected.'});
    expect(corrected.body).toMatchObject({author: {id: ada.id}, edited: true, edited_by: posted_by});
    const tagged = await workspace.request('PATCH', path, {body: {metadata: {a: '1'}}});
    expect(tagged.body).toMatchObject({edited_by: posted_by});
    const {body: list} = await ask('GET', `/v1/standups?author=${ada.id}`);
    expect(list.data[0]).toMatchObject({id: standup.id, posted_by});
    const csv = await ask('GET', `/v1/export?format=csv&author=${ada.id}`);
    expect(csv.text).toContain(lead.id);
    const own = await ask('POST', '/v1/standups', {team: 'platform', update: 'My own.'});
    expect(own.body.posted_by).toBeNull();
  });

  it('includes the request id of the caller only if the id cannot contain the name of a person', async () => {
    const idOf = async (id: string) => {
      await ask('POST', '/v1/tokens', {name: 'made'}, {'x-request-id': id});
      return (await eventsOf(workspace)).at(-1)?.actor.request_id;
    };
    expect(await idOf('ada.lovelace.of.london')).toBeNull();
    const own = '6c0b4c53-0d5c-4b7e-9f43-7f1d9c1b2a10';
    expect(await idOf(own)).toBe(own);
  });

  it('is the operator for the command line, without an id', async () => {
    await service.core.services.teams.createTeam(workspace.operator(), {slug: 'by-hand'});
    const event = (await eventsOf(workspace)).findLast(({type}) => type === 'team.created');
    expect(event?.actor).toEqual({
      type: 'operator',
      id: null,
      token: null,
      source: 'cli',
      request_id: null,
    });
  });

  it('is the service for the consequences of a removal', async () => {
    const grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
    await workspace.request('POST', '/v1/absences', {token: grace.token, body: {}});
    await workspace.request('DELETE', `/v1/members/${grace.id}`);
    const gone = async () => (await eventsOf(workspace)).find(({type}) => type === 'absence.deleted');
    const event = await until(gone, {what: 'the absence to be gone'});
    expect(event.actor).toMatchObject({type: 'system', source: 'system'});
  });

  it('is null in an entry from before actors were stored', async () => {
    const {connection, events} = service.core.store;
    const newDeadline = () => performance.now() + 5_000;
    const {id: other} = await service.addWorkspace();
    const key = workspaceKeys(other).events();
    const [[id, fields]] = await connection.call<[[string, string[]]]>(newDeadline(), [
      'XRANGE',
      key,
      '-',
      '+',
    ]);
    expect(fields[10]).toBe('p');
    await connection.call(newDeadline(), ['DEL', key]);
    await connection.call(newDeadline(), ['XADD', key, id, ...fields.slice(0, 10)]);
    const entries = await events.listAfter(other, 0, 1, newDeadline());
    const [body = ''] = await events.render(other, entries, newDeadline());
    expect(JSON.parse(body)).toMatchObject({type: 'team.created', actor: null});
  });
});
