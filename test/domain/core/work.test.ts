import {expect, it} from '@jest/globals';
import {parseWorkName, type Work, workName} from '../../../src/domain/core/work.js';
import {asId, asSuffix} from '../../support/ids.js';

const all: Record<Work['kind'], Work> = {
  'fan-out': {kind: 'fan-out'},
  'read-slack': {kind: 'read-slack'},
  remind: {kind: 'remind'},
  notify: {kind: 'notify'},
  'send-mail': {kind: 'send-mail'},
  deliver: {kind: 'deliver', webhook: asSuffix('7h455vb4pex5vskn')},
  'catch-up': {kind: 'catch-up', webhook: asSuffix('7h455vb4pex5vskn')},
  replay: {kind: 'replay', replay: asSuffix('7h455vb4pex5vskn')},
  'post-slack': {kind: 'post-slack', channel: 'C024BE91L'},
  'finish-team': {kind: 'finish-team', form: 'V07UQ7J5Y0Q'},
  'read-replies': {
    kind: 'read-replies',
    since: 1_796_025_600_000,
    past: 20_784.000_012,
    left: 99,
    after: '1.2',
  },
  'look-at-statuses': {kind: 'look-at-statuses', run: asSuffix('7h455vb4pex5vskn')},
  schedule: {kind: 'schedule', team: asSuffix('7h455vb4pex5vskn')},
  'clear-thread': {
    kind: 'clear-thread',
    standup: asId('std_01h455vb4pex5vsknk084sn02q'),
    erase: true,
  },
  'purge-team': {kind: 'purge-team', team: asId('team_01h455vb4pex5vsknk084sn02q')},
  'undo-import': {kind: 'undo-import', import: asId('imp_01h455vb4pex5vsknk084sn02q')},
  'mail-reports': {kind: 'mail-reports', run: asSuffix('7h455vb4pex5vskn')},
  'restate-runs': {
    kind: 'restate-runs',
    member: asId('mem_01h455vb4pex5vsknk084sn02q'),
    from: '2026-11-23',
    until: '2026-11-25',
    asked: '7h455vb4pex5vskn',
  },
  'forget-member': {
    kind: 'forget-member',
    member: asId('mem_01h455vb4pex5vsknk084sn02q'),
    erase: true,
    erasure: asSuffix<'erasure'>('7h455vb4pex5vskn'),
  },
};

it('the stored name of an erasure can be parsed even if an earlier version stored it without the progress', () => {
  const work = {
    kind: 'forget-member',
    member: asId<'member'>('mem_01h455vb4pex5vsknk084sn02q'),
    erase: true,
  } as const;
  expect(parseWorkName('forget-member/mem_01h455vb4pex5vsknk084sn02q/erase')).toEqual(work);
  expect(workName(work)).toBe('forget-member/mem_01h455vb4pex5vsknk084sn02q/erase');
});

it.each(Object.values(all))('the stored name of work of the kind $kind can be parsed', (work) => {
  expect(parseWorkName(workName(work))).toEqual(work);
});

it('the stored name of work of an unknown kind, made by a newer version, is not parsed', () => {
  expect(parseWorkName('fly/to-the-moon')).toBeUndefined();
});
