import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {measureCost} from '../cost.js';
import {createEvents} from '../deliveries.js';
import {runClosedLoop} from '../load.js';
import type {Arm} from '../method.js';
import {connections} from '../posts.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage, type Server, type BenchStage} from '../stage.js';

const kept = 1_000;

/** Measures reads of the newest standups of a workspace. */
export const list: BenchRow = {
  service: (bench, build) => createReadContender(bench, build, 'whole'),
  peers: (bench) => [createStaticServerContender(bench, 'whole')],
  figures: [
    {
      metric: 'perSecond',
      work: 'GET a list of 50 standups',
      unit: '/s',
      against: 'static',
      aim: {atLeast: 0.15},
    },
    {metric: 'cpu', work: 'the same, CPU of the process', unit: 'µs', against: 'static'},
    {metric: 'redisCpu', work: 'the same, CPU of Redis', unit: 'µs'},
  ],
  method: {rounds: 2},
};

/** Measures the same reads by a client that already has the current list. */
export const unchanged: BenchRow = {
  service: (bench, build) => createReadContender(bench, build, 'unchanged'),
  peers: (bench) => [createStaticServerContender(bench, 'unchanged')],
  figures: [
    {
      metric: 'perSecond',
      work: 'GET a list of 50 standups with `If-None-Match`, unchanged',
      unit: '/s',
      against: 'static',
      aim: {atLeast: 0.5},
    },
    {metric: 'cpu', work: 'the same, CPU of the process', unit: 'µs', against: 'static'},
    {metric: 'redisCpu', work: 'the same, CPU of Redis', unit: 'µs'},
  ],
  method: {rounds: 2},
};

/** `unchanged`: the client already has the current list, and sends its entity tag. */
type CacheState = 'whole' | 'unchanged';

function createReadContender(bench: Bench, build: Build, cacheState: CacheState): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const {server, headers} = await startServiceWithStandups(bench, stage, build, cacheState);
      return {measure: (seconds) => measureReads({server, stage, headers}, seconds)};
    },
  };
}

function createStaticServerContender(bench: Bench, cacheState: CacheState): Arm {
  return {
    name: 'static',
    async open(closings) {
      const stage = await openStage(bench, closings);
      const {server: service, headers} = await startServiceWithStandups(
        bench,
        stage,
        bench.build,
        cacheState,
      );
      const answer = await requestList(service, headers);
      await service.process.stop();
      const file = path.join(bench.dataDir, `answer-${cacheState}.json`);
      const sent = [...answer.headers].filter(([name]) => !ofConnection.has(name));
      writeFileSync(file, JSON.stringify({status: answer.status, headers: sent, body: await answer.text()}));
      const server = await stage.startPeer('static', {ANSWER: file});
      return {measure: (seconds) => measureReads({server, stage, headers}, seconds)};
    },
  };
}

/** Headers that Node's HTTP server adds by itself. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive']);

/**
 * Starts a service with standups, and creates the headers of the request. A client that has the current list
 * sends its entity tag, if there is one.
 */
async function startServiceWithStandups(
  bench: Bench,
  stage: BenchStage,
  build: Build,
  cacheState: CacheState,
): Promise<{readonly server: Server; readonly headers: Record<string, string>}> {
  await createEvents(stage, kept);
  const server = await stage.startService(build, 'web');
  const headers = {Authorization: `Bearer ${stage.token}`};
  if (cacheState === 'whole') return {server, headers};
  const {headers: answered} = await requestList(server, headers);
  return {server, headers: {...headers, 'If-None-Match': answered.get('etag') ?? '"none"'}};
}

const listPath = '/v1/standups?limit=50';

function requestList({port}: Server, headers: Record<string, string>): Promise<Response> {
  // Asks for an uncompressed answer, as the load generator does.
  return fetch(`http://127.0.0.1:${port}${listPath}`, {headers: {...headers, 'Accept-Encoding': 'identity'}});
}

async function measureReads(
  {
    server,
    stage,
    headers,
  }: {readonly server: Server; readonly stage: BenchStage; readonly headers: Record<string, string>},
  seconds: number,
) {
  const lines = Object.entries({Host: `127.0.0.1:${server.port}`, ...headers});
  const request = `GET ${listPath} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const load = {port: server.port, connections, next: () => request};
  const {result, cost} = await measureCost(
    server.process,
    stage,
    () => runClosedLoop(load, seconds),
    ({total}) => total,
  );
  const statuses = [...result.statuses.keys()];
  const wanted = 'If-None-Match' in headers ? 304 : 200;
  // A build without entity tags on lists never answers 304, so this workload has no value for it.
  const perSecond = statuses.every((status) => status === wanted) ? result.perSecond : Number.NaN;
  return {events: result.total, perSecond, ...cost};
}
