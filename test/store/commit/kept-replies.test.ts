import {describe, expect, it} from '@jest/globals';
import type {KeptReply} from '../../../src/domain/commit/reply.js';
import type {ReplayPlan} from '../../../src/domain/webhooks/replay.js';
import {parseStoredAnswer, serializeStoredAnswer} from '../../../src/store/commit/kept-replies.js';
import {asId, asSuffix} from '../../support/ids.js';

describe('a stored reply', () => {
  const fingerprint = 'A-_0'.repeat(11).slice(0, 43);
  const of = {suffix: asSuffix('0123456789abcdef'), revision: 1};
  const beside = {slack: null};
  const posted: KeptReply = {kind: 'resource', created: true, of, beside};
  const plan = {webhook: 'whk_0', created_by: null} as unknown as ReplayPlan;
  const ref = '{"drawn":"0123456789abcdef","revision":1}';
  /** Each reply with its form in the store since the first data format. */
  const others: [KeptReply, string][] = [
    [posted, `{"status":201,"beside":{"slack":null},"resource":${ref}}`],
    [{kind: 'empty'}, '{"status":204}'],
    [
      {kind: 'resource', created: false, of: {...of, revision: 2}},
      `{"status":200,"resource":${ref.replace('1}', '2}')}}`,
    ],
    [
      {...posted, sealed: 'x={"'},
      `{"status":201,"resource":${ref},"beside":{"slack":null},"sealed":"x={\\""}`,
    ],
    [
      {kind: 'resource', created: true, of, signedBy: 'key'},
      `{"status":201,"resource":${ref},"signedBy":"key"}`,
    ],
    [
      {kind: 'list', of: [of, of], beside},
      `{"status":201,"beside":{"slack":null},"resources":[${ref},${ref}]}`,
    ],
    [{kind: 'inline', accepted: true, body: '{"a":"="}'}, '{"status":202,"inline":"{\\"a\\":\\"=\\"}"}'],
    [{kind: 'test', webhook: asId('whk_0')}, '{"status":202,"tests":"whk_0"}'],
    [{kind: 'erasure', erasure: asSuffix<'erasure'>('abc')}, '{"status":204,"erases":"abc"}'],
    [
      {kind: 'replay', suffix: asSuffix<'replay'>('abc'), plan},
      `{"status":202,"starts":{"drawn":"abc","plan":${JSON.stringify(plan)}}}`,
    ],
  ];

  it('can be read back, and has 28 characters for a new standup', () => {
    for (const [reply, text] of others) {
      const record = serializeStoredAnswer({fingerprint, reply});
      expect(parseStoredAnswer(record)).toEqual({fingerprint: fingerprint.slice(0, 11), reply});
      if (reply !== posted) expect(JSON.parse(record.slice(11))).toEqual(JSON.parse(text));
    }
    expect(serializeStoredAnswer({fingerprint, reply: posted})).toHaveLength(28);
  });

  it('can be read in the first data format as well, with its full fingerprint', () => {
    for (const [reply, text] of others)
      expect(parseStoredAnswer(fingerprint + text)).toEqual({fingerprint, reply});
  });
});
