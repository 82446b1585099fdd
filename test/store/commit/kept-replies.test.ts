import {expect, it} from '@jest/globals';
import {createWrite} from '../../../src/domain/commit/writes.js';
import type {Reply} from '../../../src/domain/commit/reply.js';
import type {ReplayPlan} from '../../../src/domain/webhooks/replay.js';
import {
  createKeptReply,
  parseStoredAnswer,
  serializeStoredAnswer,
} from '../../../src/store/commit/kept-replies.js';
import {asId, asSuffix} from '../../support/ids.js';

const suffix = asSuffix<'standup'>('0123456789abcdef');
const of = createWrite('standup', suffix, {object: 'standup', update: 'Nobody else may read this.'}, []);
const ref = {suffix, revision: 1};
const beside = {slack: null};
const plan = {webhook: 'whk_0', created_by: null} as unknown as ReplayPlan;

it('a stored reply names revisions instead of their text, and can be read back', () => {
  const replies: [Reply, object?][] = [
    [{kind: 'empty'}],
    [
      {kind: 'resource', of, beside},
      {kind: 'resource', created: true, of: ref, beside},
    ],
    [
      {kind: 'resource', of, encrypted: 'x={"', signedBy: 'key'},
      {kind: 'resource', created: true, of: ref, encrypted: 'x={"', signedBy: 'key'},
    ],
    [
      {kind: 'list', of: [of, of], beside},
      {kind: 'list', of: [ref, ref], beside},
    ],
    [{kind: 'inline', accepted: true, body: '{"a":"="}'}],
    [{kind: 'test', webhook: asId('whk_0')}],
    [{kind: 'erasure', erasure: asSuffix<'erasure'>('abc')}],
    [{kind: 'replay', suffix: asSuffix<'replay'>('abc'), plan}],
  ];
  for (const [reply, kept = reply] of replies) {
    const record = serializeStoredAnswer({fingerprint: 'A-_0', reply: createKeptReply(reply)});
    expect(record).not.toContain('Nobody else');
    expect(parseStoredAnswer(record)).toEqual({fingerprint: 'A-_0', reply: kept});
  }
});
