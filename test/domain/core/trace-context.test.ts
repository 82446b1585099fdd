import {expect, it} from '@jest/globals';
import {formatTraceparent, parseTraceparent} from '../../../src/domain/core/trace-context.js';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

it.each([
  ['as W3C writes it', `00-${trace}-${parent}-01`],
  ['with other flags', `00-${trace}-${parent}-ff`],
  ['of a later version', `01-${trace}-${parent}-01`],
  ['of a later version with more fields', `cc-${trace}-${parent}-01-what-comes-later`],
])('a traceparent %s names its trace', (_, header) => {
  expect(parseTraceparent(header)?.traceId).toBe(trace);
});

it.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['two headers', [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`]],
  ['version ff', `ff-${trace}-${parent}-01`],
  ['version 00 with more fields', `00-${trace}-${parent}-01-more`],
  ['capitals', `00-${trace.toUpperCase()}-${parent}-01`],
  ['zeros as trace', `00-${'0'.repeat(32)}-${parent}-01`],
  ['zeros as parent', `00-${trace}-${'0'.repeat(16)}-01`],
  ['too short a trace', `00-${trace.slice(1)}-${parent}-01`],
  ['no flags', `00-${trace}-${parent}`],
  ['a line break', `00-${trace}-${parent}-01\n`],
])('no trace is read from %s', (_, header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});

it.each([
  ['01', true],
  ['03', true],
  ['00', false],
  ['fe', false],
])('the flags %s of a traceparent say whether its span is recorded', (flags, sampled) => {
  expect(parseTraceparent(`00-${trace}-${parent}-${flags}`)).toEqual({
    traceId: trace,
    spanId: parent,
    sampled,
  });
});

it('a traceparent that is written is read again as the same', () => {
  for (const sampled of [true, false]) {
    const context = {traceId: trace, spanId: parent, sampled};
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
  }
});
