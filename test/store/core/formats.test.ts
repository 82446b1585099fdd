import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {startPresence} from '../../../src/jobs/presence.js';
import {script} from '../../../src/store/core/script.js';
import {type DataFormats, dataFormats, StartupError} from '../../../src/store/core/installation.js';
import {globalKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {until} from '../../support/until.js';
import {newDeadline, openTestStore} from '../open-test-store.js';

/** Versions in the order of their releases. Only these tests have a format after the first. */
const first = dataFormats.writes;
const second = first + 1;
const earlier: DataFormats = {reads: [first], writes: first};
const between: DataFormats = {reads: [first, second], writes: first};
const later: DataFormats = {reads: [first, second], writes: second};
const last: DataFormats = {reads: [second], writes: second};

let url: string;
const closings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  url = await testRedisUrl();
});

afterEach(async () => {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
});

async function open(formats: DataFormats) {
  const {store} = await openTestStore({url, formats});
  closings.push(() => store.close());
  return store;
}

/** Starts the part of a process that tells others of it. Collects its error lines, and whether it must stop. */
async function start(formats: DataFormats, holder: string) {
  const store = await open(formats);
  const errors: object[] = [];
  const quiet = () => undefined;
  const log = {debug: quiet, info: quiet, warn: quiet, error: (fields: object) => void errors.push(fields)};
  let stops = 0;
  const presence = startPresence(
    {store, log},
    {holder, version: `v-${holder}`, location: `${holder}.example:1`},
    () => void (stops += 1),
  );
  closings.push(() => presence.close());
  await until(async () => (await store.processes.list(newDeadline())).some((one) => one.holder === holder));
  return {store, presence, errors, stops: () => stops};
}

async function readFormat(): Promise<number> {
  const {connection} = await open(later);
  return Number(await connection.call(newDeadline(), ['HGET', globalKeys.installation(), 'format']));
}

it('a version that writes a newer data format runs on the earlier one, and does not raise it by its start', async () => {
  const {installation} = await open(earlier);
  expect(installation.format).toBe(first);
  expect((await open(later)).installation).toMatchObject({format: first, isNew: false});
  expect((await open(between)).installation.format).toBe(first);
  expect(await readFormat()).toBe(first);
  expect((await open(earlier)).installation.format).toBe(first);
});

it('a new installation has the newest data format that its version writes', async () => {
  expect((await open(later)).installation.format).toBe(second);
});

it('the data format is raised once all processes read the new one, and versions that do not are refused', async () => {
  const {presence} = await start(earlier, 'old');
  const {store} = await start(later, 'new');
  const {processes} = store;
  expect(processes.format()).toBe(first);
  const old = {holder: 'old', location: 'old.example:1', version: 'v-old', reads: [first]};
  expect(await processes.listTooOld(newDeadline())).toEqual([old]);
  expect(await processes.raiseFormat(newDeadline())).toEqual([old]);
  expect(await readFormat()).toBe(first);

  await presence.close();
  await start(between, 'middle');
  expect(await processes.raiseFormat(newDeadline())).toEqual([]);
  expect(await readFormat()).toBe(second);
  await until(() => processes.format() === second, {withinMs: 4_000, what: 'the process knows of it'});
  await expect(open(earlier)).rejects.toThrow(StartupError);
  await expect(open(earlier)).rejects.toThrow(
    `The data in Redis has format ${second}, and this version knows only ${first}: start the newer version again`,
  );
  expect((await open(between)).installation.format).toBe(second);
  expect((await open(last)).installation.format).toBe(second);
});

it('raising the data format again changes nothing, also by a version that writes an earlier one', async () => {
  const {processes} = await open(later);
  expect(await processes.raiseFormat(newDeadline())).toEqual([]);
  expect(await (await open(between)).processes.raiseFormat(newDeadline())).toEqual([]);
  expect(await readFormat()).toBe(second);
});

it('a worker of a version that does not say what it reads prevents a newer data format', async () => {
  await open(earlier);
  const {workers, processes} = await open(later);
  await workers.join('0123', 'boot namespace 7 8', newDeadline());
  const unknown = {holder: '0123', location: '0123', version: undefined, reads: []};
  expect(await processes.raiseFormat(newDeadline())).toEqual([unknown]);
  await workers.leave('0123', newDeadline());
  expect(await processes.raiseFormat(newDeadline())).toEqual([]);
});

it('a process without a heartbeat for a minute does not prevent a newer data format, and is forgotten after a day', async () => {
  await open(earlier);
  const {connection, processes} = await open(later);
  const note = (age: number) =>
    connection.call(newDeadline(), [
      'HSET',
      globalKeys.processes(),
      'killed',
      `${connection.clock.now() - age} ${first} 0.1.0 killed:1`,
    ]);
  await note(50_000);
  expect(await processes.raiseFormat(newDeadline())).toMatchObject([{holder: 'killed'}]);
  await note(70_000);
  expect(await processes.listTooOld(newDeadline())).toEqual([]);
  expect(await processes.raiseFormat(newDeadline())).toEqual([]);
  await note(24 * 3_600_000 + 1_000);
  await processes.note('alive', {version: '1', location: 'a b:1'}, newDeadline());
  expect(await connection.call(newDeadline(), ['HKEYS', globalKeys.processes()])).toEqual(['alive']);
  expect(await processes.list(newDeadline())).toMatchObject([
    {holder: 'alive', location: 'a b:1', version: '1'},
  ]);
});

it('a running process notices within seconds that the data was raised beyond what it reads, and stops once', async () => {
  const old = await start(earlier, 'old');
  const middle = await start(between, 'middle');
  const {connection} = old.store;
  await connection.call(newDeadline(), ['HSET', globalKeys.installation(), 'format', String(second)]);
  await until(() => old.stops() > 0, {withinMs: 4_000});
  await until(async () => {
    const entry = await connection.call<string>(newDeadline(), ['HGET', globalKeys.processes(), 'middle']);
    return Number.parseInt(entry, 10) > connection.clock.now() - 1_000;
  });
  expect(old.errors).toEqual([{format: second, reads: String(first)}]);
  expect(old.stops()).toBe(1);
  expect(middle.stops()).toBe(0);
});

it('a workspace is neither exported nor imported before the data has the newest format', async () => {
  await open(earlier);
  const store = await open(later);
  const passphrase = 'correct horse battery';
  const workspace = {id: asId<'workspace'>('ws_1'), slug: 'acme'};
  const unused = () => undefined;
  const refused = `The data has format ${first}, and a workspace moves with format ${second}. First: standup-admin data upgrade`;
  const write = async () => undefined;
  await expect(store.exportWorkspace({workspace, passphrase, write, note: unused})).rejects.toThrow(refused);
  const readLines = async function* () {
    yield '{}';
  };
  await expect(store.importWorkspace({passphrase, readLines})).rejects.toThrow(refused);
  await store.processes.raiseFormat(newDeadline());
  const {importWorkspace} = await open(later);
  await expect(importWorkspace({passphrase, readLines})).rejects.toThrow('This is no file of');
});

it('two versions of a script run beside each other, also after the server has forgotten both', async () => {
  const [{connection}, other] = [await open(earlier), await open(earlier)];
  const [old, changed] = [script("return 'old'"), script("return 'changed'")];
  const key = [globalKeys.generation()];
  for (let round = 0; round < 2; round += 1) {
    expect(await connection.run(newDeadline(), old, key, [])).toBe('old');
    expect(await other.connection.run(newDeadline(), changed, key, [])).toBe('changed');
    await sendToRedis(url, [['SCRIPT', 'FLUSH']]);
  }
});

it('a process does not stop because the data of its store is lost', async () => {
  const {store, stops} = await start(earlier, 'old');
  await store.connection.call(newDeadline(), ['DEL', globalKeys.installation()]);
  expect(await store.processes.note('old', {version: '1', location: 'x'}, newDeadline())).toBeUndefined();
  expect(stops()).toBe(0);
});
