import {expect, test} from '@jest/globals';
import fc from 'fast-check';
import {packValue, parseValue} from '../../src/bot/slack/blocks/shapes.js';
import {slackLimits} from '../../src/bot/slack/blocks/names.js';
import type {FormContent} from '../../src/bot/slack/form/form-content.js';
import {type FormRequest, packRequest, parseRequest} from '../../src/bot/slack/answers/form-request.js';
import {type FormState, packForm, parseForm} from '../../src/bot/slack/form/form-state.js';
import {composeId, type IdKind} from '../../src/domain/core/ids.js';
import {asSuffix} from '../support/ids.js';

const idOf = <K extends IdKind>(kind: K) =>
  fc.nat().map((n) => composeId(kind, n, asSuffix<K>(String(n).padStart(16, '0'))));
const date = fc.constantFrom('2026-11-24', '2026-11-25', '2027-02-28');
const dates = fc.dictionary(date, fc.string(), {maxKeys: 2});
const revision = fc.nat();
const text = fc.string({unit: 'binary', maxLength: 50});
const answer = fc.record({url: fc.webUrl(), until: fc.nat(), replaces: fc.boolean()});

/** The required and optional members of a variant. */
interface Variant {
  readonly always: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly maybe: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const everyForm = {answer, setUpIn: fc.string()};
const states: Readonly<Record<FormState['form'], Variant>> = {
  choose: {always: {dates}, maybe: {typed: text, ...everyForm}},
  new: {
    always: {team: idOf('team'), by: fc.constantFrom('itself', 'channel', 'list'), dates},
    maybe: {typed: text, ...everyForm},
  },
  edit: {
    always: {
      team: idOf('team'),
      standup: idOf('standup'),
      revision,
      date,
      asWritten: fc.boolean(),
      picks: fc.boolean(),
    },
    maybe: {dates, ...everyForm},
  },
};

const begins = fc.oneof(
  fc.record({with: fc.constantFrom('text', 'addition'), text}),
  fc.record({with: fc.constant('typed'), id: text}),
  fc.record({with: fc.constant('deleted'), standup: idOf('standup'), revision}),
);
const replaces = fc.boolean();
const requests: Readonly<Record<FormRequest['mode'], Variant>> = {
  auto: {always: {}, maybe: {team: text, dates, replaces}},
  add: {always: {text}, maybe: {replaces}},
  new: {always: {}, maybe: {team: text, dates, begins, replaces}},
  edit: {always: {}, maybe: {standup: idOf('standup'), replaces}},
  'edit-shown': {always: {standup: idOf('standup'), revision}, maybe: {replaces}},
};

const contents: fc.Arbitrary<FormContent> = fc.oneof(
  fc.constant({shape: 'parts', parts: {yesterday: '', today: '', blockers: ''}} as const),
  fc.record({shape: fc.constant('whole' as const), pieces: fc.array(text)}),
  fc.record({
    shape: fc.constant('questions' as const),
    version: revision,
    answers: fc.constant([]),
    shown: fc.constant([]),
    first: fc.constant(''),
    beside: fc.constantFrom('after' as const, 'apart' as const),
    pieces: fc.array(text),
  }),
);

/** A value of each variant, with any of its optional members. */
function valuesOf(tag: string, variants: Readonly<Record<string, Variant>>): fc.Arbitrary<object> {
  return fc.oneof(
    ...Object.entries(variants).map(([name, {always, maybe}]) =>
      fc
        .record(
          {[tag]: fc.constant(name), ...always, ...maybe},
          {requiredKeys: [tag, ...Object.keys(always)]},
        )
        .map((value) => ({...value})),
    ),
  );
}

/**
 * Members of all variants under any variant's name, each with its own type. The result is no valid variant: a
 * required member is missing, or one of another variant is present.
 */
function mixesOf(tag: string, variants: Readonly<Record<string, Variant>>): fc.Arbitrary<object> {
  const members = Object.assign(
    {},
    ...Object.values(variants).map(({always, maybe}) => ({...maybe, ...always})),
  );
  const names = [...Object.keys(variants), 'none of them'];
  return fc
    .record({[tag]: fc.constantFrom(...names), ...members}, {requiredKeys: []})
    .map((value): Readonly<Record<string, unknown>> => ({...value}))
    .filter((value) => {
      const variant = variants[String(value[tag])];
      if (variant === undefined) return true;
      const has = Object.keys(value).filter((name) => name !== tag);
      const isWhole = Object.keys(variant.always).every((name) => has.includes(name));
      return !isWhole || has.some((name) => !(name in variant.always) && !(name in variant.maybe));
    });
}

test('the data of a form is the same after packing and unpacking, in each of its variants', () => {
  fc.assert(
    fc.property(valuesOf('form', states), contents, (state, content) => {
      const open = parseForm(packForm(state as FormState, content));
      expect(open?.state).toEqual(state);
      expect(open?.inputs.shape).toBe(content.shape);
      if (content.shape !== 'parts') expect(open?.inputs).toMatchObject({pieces: content.pieces.length});
    }),
  );
});

test('the data of a button is the same after packing and unpacking, in each of its variants', () => {
  fc.assert(
    fc.property(valuesOf('mode', requests), (request) => {
      const packed = packRequest(request as FormRequest);
      expect(packed.length).toBeLessThanOrEqual(slackLimits.buttonValue);
      expect(parseRequest(parseValue(packed))).toEqual(request);
    }),
  );
});

test('form data with a mix of properties that is no variant is refused', () => {
  const inputs = {shape: 'parts'};
  fc.assert(
    fc.property(mixesOf('form', states), (mix) => {
      expect(parseForm(JSON.stringify({...mix, inputs}))).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(mixesOf('mode', requests), (mix) => {
      expect(parseRequest(parseValue(packValue(mix)))).toBeUndefined();
    }),
  );
});

test('regression: a form or button of a newer version is read without the properties that only that version knows', () => {
  const later = {later: {a: 1}};
  fc.assert(
    fc.property(valuesOf('form', states), contents, (state, content) => {
      const packed = JSON.parse(packForm(state as FormState, content));
      const {answer: address, inputs} = packed;
      const newer = {
        ...packed,
        ...later,
        inputs: {...inputs, ...later},
        ...(address && {answer: {...address, ...later}}),
      };
      expect(parseForm(JSON.stringify(newer))).toEqual(parseForm(JSON.stringify(packed)));
      expect(parseForm(JSON.stringify(newer))?.state).toEqual(state);
    }),
  );
  fc.assert(
    fc.property(valuesOf('mode', requests), (request) => {
      const {begins: first} = request as {begins?: object};
      const newer = {...request, ...later, ...(first && {begins: {...first, ...later}})};
      expect(parseRequest(newer)).toEqual(request);
    }),
  );
});

test('forms and buttons that are open during an upgrade are still read', () => {
  const team = 'team_01ke6p4ym07fk9s1s2m8xq4vbt';
  const standup = 'std_01ke6p4ym07fk9s1s2m8xq4vbt';
  const dates = {'2026-11-24': '7fk9s1s2m8xq4vbt'};
  const answer = {url: 'https://hooks.slack.com/x', until: 1, replaces: true};
  const forms = [
    {form: 'choose', dates, typed: 't', inputs: {shape: 'parts'}},
    {form: 'new', team, by: 'list', dates, answer, setUpIn: 'C1', inputs: {shape: 'whole', pieces: 2}},
    {
      form: 'edit',
      team,
      standup,
      revision: 2,
      date: '2026-11-24',
      asWritten: true,
      picks: false,
      dates,
      fromPrivate: true,
      inputs: {shape: 'questions', version: 3, beside: 'apart', pieces: 1},
    },
  ];
  for (const {inputs, ...state} of forms)
    expect(parseForm(JSON.stringify({...state, inputs}))).toEqual({state, inputs});
  const buttons = [
    {mode: 'auto', team, dates, replaces: true},
    {mode: 'add', text: 'x', fromPrivate: true},
    {mode: 'new', team, dates, begins: {with: 'deleted', standup, revision: 1}},
    {mode: 'new', begins: {with: 'addition', text: 'x', fromPrivate: true}},
    {mode: 'new', begins: {with: 'typed', id: 'x'}},
    {mode: 'edit', standup, replaces: false},
    {mode: 'edit-shown', standup, revision: 1},
  ];
  for (const button of buttons) expect(parseRequest(parseValue(JSON.stringify(button)))).toEqual(button);
});

test('regression: form data with more pieces of text than a modal has blocks is refused', () => {
  const team = composeId('team', 1, asSuffix<'team'>('0'.repeat(16)));
  const state = {form: 'new', team, by: 'itself', dates: {}};
  for (const shape of [{shape: 'whole'}, {shape: 'questions', version: 1, beside: 'after'}]) {
    const packed = (pieces: number) => JSON.stringify({...state, inputs: {...shape, pieces}});
    expect(parseForm(packed(slackLimits.modalBlocks))).toBeDefined();
    for (const pieces of [slackLimits.modalBlocks + 1, 5e9])
      expect(parseForm(packed(pieces))).toBeUndefined();
  }
});

test('form data with a property of the wrong type, and malformed metadata, are refused', () => {
  const team = composeId('team', 1, asSuffix<'team'>('0'.repeat(16)));
  const state = {form: 'new', team, by: 'itself', dates: {}};
  const packed = (more: object) => JSON.stringify({...state, inputs: {shape: 'parts'}, ...more});
  expect(parseForm(packed({}))?.state).toEqual(state);
  for (const more of [
    {team: 'platform'},
    {by: 'chance'},
    {dates: {'2026-02-30': 'x'}},
    {answer: {url: 'https://hooks.slack.com/x'}},
    {inputs: undefined},
    {inputs: {shape: 'whole'}},
    {inputs: {shape: 'parts', pieces: 1}},
  ])
    expect(parseForm(packed(more))).toBeUndefined();
  for (const metadata of ['', '{', 'null', '[]', '{}']) expect(parseForm(metadata)).toBeUndefined();
});
