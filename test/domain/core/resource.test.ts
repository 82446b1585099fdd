import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {findPreviousAttributes, renderResource, toDraft} from '../../../src/domain/core/resource.js';
import {asId} from '../../support/ids.js';

const stamp = {
  id: asId('std_01h455vb4pex5vsknk084sn02q'),
  revision: 3,
  created_at: '2026-11-23T09:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
};

it('a resource is written as its id, then its own fields in order, then its revision and timestamps', () => {
  const json = renderResource({object: 'standup', update: 'A "b" \n', late: false}, stamp);
  expect(json).toBe(
    `{"id":"${stamp.id}","object":"standup","update":"A \\"b\\" \\n","late":false,"revision":3,"created_at":"${stamp.created_at}","updated_at":"${stamp.updated_at}"}`,
  );
});

it('a stored resource can be read back, and writes the same text again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (own) => {
      const draft = {object: 'thing', metadata: own};
      const json = renderResource(draft, stamp);
      const read = JSON.parse(json);
      expect(read).toEqual({...stamp, ...JSON.parse(JSON.stringify(draft))});
      expect(renderResource(toDraft(read), stamp)).toBe(json);
    }),
  );
});

it('the previous attributes of an update are the changed fields with their previous values', () => {
  const before = {id: 'a', update: 'one', late: false, metadata: {a: '1'}, revision: 1, updated_at: 'x'};
  expect(findPreviousAttributes(before, {...before, revision: 2, updated_at: 'y'})).toEqual({});
  expect(findPreviousAttributes(before, {...before, update: 'two', revision: 2})).toEqual({update: 'one'});
  expect(findPreviousAttributes(before, {...before, metadata: {a: '1', b: '2'}})).toEqual({
    metadata: {a: '1'},
  });
  expect(findPreviousAttributes(before, {...before, added: 1})).toEqual({added: null});
  const {late: _, ...without} = before;
  expect(findPreviousAttributes(before, without)).toEqual({late: false});
});
