import {describe, expect, it} from '@jest/globals';
import {
  computeTimeAxis,
  findWaitLineLength,
  listPhases,
  findPositionOnAxis,
  buildWaterfallRows,
} from '../../../web/webhooks/waterfall-shape.ts';

const nothing = {dns_ms: null, tcp_ms: null, tls_ms: null, connect_ms: null, first_byte_ms: null};

function attempt(number: number, at: string, duration: number, parts: Partial<typeof whole> = {}) {
  return {number, at: `2026-11-23T${at}Z`, duration_ms: duration, ...nothing, ...parts};
}
const whole = {
  dns_ms: 2 as number | null,
  tcp_ms: 9 as number | null,
  tls_ms: 20 as number | null,
  connect_ms: 31 as number | null,
  first_byte_ms: 85 as number | null,
};

describe('the waterfall of a delivery', () => {
  it('shows DNS, connection, TLS, waiting and body one after the other, without a gap', () => {
    expect(listPhases(attempt(1, '09:00:00', 90, whole))).toEqual([
      {name: 'dns', from: 0, to: 2},
      {name: 'tcp', from: 2, to: 11},
      {name: 'tls', from: 11, to: 31},
      {name: 'wait', from: 31, to: 85},
      {name: 'body', from: 85, to: 90},
    ]);
  });

  it('begins with the phase of waiting when the attempt used an open connection', () => {
    expect(listPhases(attempt(1, '09:00:00', 87, {connect_ms: 0, first_byte_ms: 85}))).toEqual([
      {name: 'wait', from: 0, to: 85},
      {name: 'body', from: 85, to: 87},
    ]);
  });

  it.each([
    ['nothing known', {}, ['connect']],
    ['the name looked up', {dns_ms: 3}, ['dns', 'tcp']],
    ['the connection taken', {dns_ms: 3, tcp_ms: 4}, ['dns', 'tcp', 'tls']],
    ['a connection but no answer', {...whole, first_byte_ms: null}, ['dns', 'tcp', 'tls', 'wait']],
  ])('extends a timed-out attempt with %s to its end in the current phase', (_, parts, names) => {
    const phases = listPhases(attempt(1, '09:00:00', 15_000, parts));
    expect(phases.map(({name}) => name)).toEqual(names);
    expect(phases.at(-1)?.to).toBe(15_000);
  });

  it('never extends beyond its attempt, whatever times were measured', () => {
    const odd = attempt(1, '09:00:00', 10, {...whole, dns_ms: 400, connect_ms: 3, first_byte_ms: 900});
    for (const {from, to} of listPhases(odd))
      expect([from >= 0, to > from, to <= 10]).toEqual([true, true, true]);
    expect(listPhases(attempt(1, '09:00:00', 0))).toEqual([{name: 'wait', from: 0, to: 0}]);
  });

  it('has one axis for all attempts, in powers of ten, on which a timeout does not hide the rest', () => {
    const axis = computeTimeAxis([attempt(1, '09:00:00', 15_000), attempt(2, '09:05:00', 80)]);
    expect(axis.ticks).toEqual([1, 10, 100, 1_000, 10_000, 100_000]);
    expect(findPositionOnAxis(axis, 80)).toBeGreaterThan(0.35);
    expect(findPositionOnAxis(axis, 100_000)).toBe(1);
    expect([findPositionOnAxis(axis, 0), findPositionOnAxis(axis, 1), findPositionOnAxis(axis, 1e9)]).toEqual(
      [0, 0, 1],
    );
    expect(computeTimeAxis([]).ticks).toEqual([1, 10, 100, 1_000]);
    const positions = axis.ticks.map((tick) => findPositionOnAxis(axis, tick));
    const steps = positions.slice(1).map((position, i) => position - (positions[i] ?? 0));
    for (const step of steps) expect(step).toBeCloseTo(0.2, 10);
  });

  it('has the waits between attempts, from the end of one to the beginning of the next', () => {
    const given = [
      attempt(3, '09:05:20.000', 80),
      attempt(2, '09:00:05.000', 15_000),
      attempt(1, '09:00:00', 0),
    ];
    expect(buildWaterfallRows(given).map(({attempt: {number}, waitedMs}) => [number, waitedMs])).toEqual([
      [1, null],
      [2, 5_000],
      [3, 300_000],
    ]);
    const lengths = [0, 1_000, 5_000, 300_000, 86_400_000, 1e12].map(findWaitLineLength);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect([lengths[0], lengths.at(-1)]).toEqual([0.04, 1]);
  });
});
