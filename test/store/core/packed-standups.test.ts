import {describe, expect, it} from '@jest/globals';
import {asId, asSuffix} from '../../support/ids.js';
import fc from 'fast-check';
import type {KeptReply} from '../../../src/domain/commit/reply.js';
import type {ReplayPlan} from '../../../src/domain/webhooks/replay.js';
import {toInstant} from '../../../src/domain/core/dates.js';
import {composeId, suffixFromBytes, type IdSuffix} from '../../../src/domain/core/ids.js';
import {renderDraft, renderStampFields} from '../../../src/domain/core/resource.js';
import {parseStoredAnswer, serializeStoredAnswer} from '../../../src/store/commit/kept-replies.js';
import {packDraft, packedMark, unpackRecord} from '../../../src/store/core/packed-standups.js';
import {anyCharacter} from '../../support/any-character.js';

/** Texts, including some that look like the separators of a packed standup. */
const texts = fc.oneof(
  fc.string({unit: anyCharacter, maxLength: 40}),
  fc.constantFrom('"},"posted_by":', '","answers":[]', '\n', '","late":', '{}', 'null', '\ud83d', '\u2028'),
);
const suffix = fc.uint8Array({minLength: 10, maxLength: 10}).map(suffixFromBytes);
const instants = fc.integer({min: Date.UTC(1970, 0, 1), max: Date.UTC(2200, 0, 1)});
const another = fc.option(fc.record({type: fc.constant('member'), id: texts}));

/** Drafts of standups as `planPost` creates them, with any text that people may write. */
const drafts = fc.record({
  object: fc.constant('standup'),
  team: texts,
  team_id: suffix.map((half) => composeId('team', 1, half)),
  update: texts,
  answers: fc.array(fc.record({question: texts, author: texts, text: texts}), {maxLength: 2}),
  questions_version: fc.option(fc.nat()),
  author: fc.record({type: fc.constantFrom('member', 'service_account'), id: texts, name: texts}),
  posted_by: another,
  date: fc.constant('2026-03-02'),
  source: fc.constantFrom('api', 'slack', 'dashboard', 'cli'),
  late: fc.boolean(),
  edited: fc.constant(false),
  edited_by: fc.constant(null),
  metadata: fc.dictionary(texts, texts, {maxKeys: 3}),
});

function recordOf(draft: object, half: IdSuffix<'standup'>, at: number) {
  const id = composeId('standup', at, half);
  const [rendered, instant] = [renderDraft(draft), toInstant(at)];
  const end = renderStampFields({revision: 1, created_at: instant, updated_at: instant});
  return {id, rendered, json: `{"id":"${id}",${rendered}${end}`};
}

describe('a packed standup', () => {
  it('unpacks to the same JSON that it was packed from, whatever members have written', () => {
    let packed = 0;
    fc.assert(
      fc.property(drafts, suffix, instants, (draft, half, at) => {
        const {id, rendered, json} = recordOf(draft, half, at);
        const kept = packDraft(rendered);
        if (kept === undefined) return;
        packed += 1;
        const record = `${packedMark}${id.slice('std_'.length)}${kept}`;
        expect(record.length).toBeLessThan(json.length - 250);
        expect(unpackRecord(record)).toBe(json);
      }),
      {numRuns: 500},
    );
    expect(packed).toBe(500);
  });

  it('is not created from a record in the form of earlier versions, which stays readable', () => {
    const draft = {object: 'standup', team: 'a', team_id: 'b', update: 'c', date: '2026-03-02'};
    const {rendered, json} = recordOf(draft, asSuffix<'standup'>('0'.repeat(16)), 1);
    expect(packDraft(rendered)).toBeUndefined();
    expect(packDraft(renderDraft({object: 'team', name: 'a'}))).toBeUndefined();
    expect(unpackRecord(json)).toBe(json);
  });
});

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
