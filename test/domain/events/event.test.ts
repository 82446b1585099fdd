import {expect, it} from '@jest/globals';
import {
  addPlainText,
  type LogEntry,
  renderEvent,
  removeResourceContent,
} from '../../../src/domain/events/event.js';
import {asId, asSuffix} from '../../support/ids.js';

const workspace = asId<'workspace'>('ws_01h455vb4pex5vsknk084sn02q');
const entry: LogEntry = {
  id: asId('evt_01h455vb4pex5vsknk084sn02q'),
  sequence: 42,
  type: 'standup.updated',
  about: asSuffix('7h455vb4pex5vskn'),
  revision: 2,
  at: Date.UTC(2026, 10, 23, 9),
  actor: {type: 'system', id: null, token: null, source: 'system', request_id: null},
};
const [before, after] = [
  '{"id":"std_1","update":"one","revision":1,"updated_at":"a"}',
  '{"id":"std_1","update":"two","revision":2,"updated_at":"b"}',
];
const head = `{"id":"${entry.id}","object":"event","type":"standup.updated","timestamp":"2026-11-23T09:00:00.000Z","sequence":42,"workspace":"${workspace}","api_version":"v1","actor":{"type":"system","id":null,"token":null,"source":"system","request_id":null}`;

it('an event contains its own fields, the stored bytes of the resource’s revision, and the replaced values', () => {
  const body = renderEvent(workspace, entry, after, before);
  expect(body).toBe(`${head},"data":${after},"previous_attributes":{"update":"one"}}`);
});

it('an event stored by a version without actors has an actor of null', () => {
  const {actor: _, ...old} = entry;
  expect(JSON.parse(renderEvent(workspace, old, after))).toMatchObject({actor: null});
});

it('an event whose text has been erased keeps its own fields and has no data', () => {
  expect(renderEvent(workspace, entry, undefined, before)).toBe(`${head},"data":null}`);
});

it('an event whose earlier revision has been erased does not contain the replaced values', () => {
  expect(renderEvent(workspace, entry, after)).toBe(`${head},"data":${after}}`);
});

it('a thin event contains of its resource only the id and the type', () => {
  const data = '{"id":"std_1","object":"standup","update":"two"}';
  const thin = removeResourceContent(renderEvent(workspace, entry, data, before));
  expect(thin).toBe(`${head},"data":{"id":"std_1","object":"standup"}}`);
});

it('the event of a standup can also have its text without Markdown, at the end of its resource', () => {
  const data = '{"id":"std_1","object":"standup","format":"markdown","update":"**two**"}';
  const event = JSON.parse(addPlainText(renderEvent(workspace, entry, data, before)));
  expect(event.data).toEqual({...JSON.parse(data), update_plain: 'two'});
  expect(JSON.parse(addPlainText(renderEvent(workspace, entry, after))).data.update_plain).toBe('two');
  const erased = renderEvent(workspace, entry, undefined, before);
  expect(addPlainText(erased)).toBe(erased);
});

it('a thin event whose text has been erased has no data', () => {
  expect(removeResourceContent(renderEvent(workspace, entry, undefined, before))).toBe(
    `${head},"data":null}`,
  );
});
