import {expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {dataFormats} from '../../src/store/core/installation.js';
import {newDeadline, openTestStore} from '../store/open-test-store.js';
import {rowsOf, runStandup} from './run-standup.js';

const {writes} = dataFormats;
const next = {reads: [writes, writes + 1], writes: writes + 1};

it('standup-admin data upgrade changes nothing if the data has the newest format of this version', async () => {
  const {store, url: REDIS_URL} = await openTestStore();
  await store.close();
  const {code, stdout} = await runStandup(['data', 'upgrade'], {REDIS_URL});
  expect({code, stdout}).toEqual({
    code: 0,
    stdout: `The data already has format ${writes}, the newest of this version.\n`,
  });
  const doctor = await runStandup(['doctor'], {REDIS_URL});
  expect(rowsOf(doctor.stdout)).toContainEqual(['Data format', String(writes), 'the newest of this version']);
});

it('regression: standup-admin data upgrade says what to do if the data is lost while it runs', async () => {
  const {store, url} = await openTestStore();
  const later = await openTestStore({url, formats: next});
  try {
    await sendToRedis(url, [['FLUSHDB']]);
    const lost = {
      code: 'store_lost',
      message: expect.stringMatching(/^Redis has lost its data .*: restore it/),
    };
    await expect(later.store.processes.raiseFormat(newDeadline())).rejects.toMatchObject(lost);
    const rotated = store.signingKeys.rotate(async () => 'a key', newDeadline());
    await expect(rotated).rejects.toMatchObject(lost);
  } finally {
    await store.close();
    await later.store.close();
  }
});

it('standup-admin data upgrade names the processes that are too old, and raises the data format once they are replaced', async () => {
  const {store, url: REDIS_URL} = await openTestStore();
  const standup = (...args: string[]) => runStandup(args, {REDIS_URL}, next);
  const findRow = async () =>
    rowsOf((await standup('doctor')).stdout).find(([name]) => name === 'Data format');
  try {
    await store.processes.note('one', {version: '0.1.0', location: 'web-1:31'}, newDeadline());
    await store.workers.join('abcd', '', newDeadline());
    const named = 'abcd (an older version), web-1:31 (version 0.1.0)';
    expect(await findRow()).toEqual([
      'Data format',
      String(writes),
      `before format ${writes + 1}, replace ${named}`,
    ]);
    expect(await standup('data', 'upgrade')).toEqual({
      code: 1,
      stdout: '',
      stderr: `These processes do not read format ${writes + 1}: ${named}. Replace them by this version, then repeat the command. Nothing was changed.\n`,
    });
    await store.workers.leave('abcd', newDeadline());
    await store.processes.leave('one', newDeadline());
    const advice = `all processes read format ${writes + 1}: standup-admin data upgrade`;
    expect(await findRow()).toEqual(['Data format', String(writes), advice]);
    expect(await standup('data', 'upgrade')).toEqual({
      code: 0,
      stdout: `The data now has format ${writes + 1}. Versions that do not read it no longer start.\n`,
      stderr: '',
    });
    expect(await findRow()).toEqual(['Data format', String(writes + 1), 'the newest of this version']);
    const refused = await runStandup(['doctor'], {REDIS_URL});
    expect(refused.stderr).toMatch(
      /^The data in Redis has format \d+, and this version knows only \d+: start the newer/,
    );
  } finally {
    await store.close();
  }
});
