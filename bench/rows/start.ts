import {request} from 'node:http';
import type {Arm} from '../method.js';
import {readResidentMegabytes} from '../machine.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage} from '../stage.js';

const idleMs = 2_000;

/** Measures the time until a process serves requests, and its memory when idle. */
export const start: BenchRow = {
  service: createServiceStartContender,
  figures: [
    {metric: 'seconds', work: 'start to the first 2xx (`GET /v1/me`)', unit: 's', aim: {atMost: 0.7}},
    {metric: 'both', work: 'resident memory, idle, web and worker', unit: 'MB', aim: {atMost: 125}},
    {metric: 'web', work: 'resident memory, idle, web alone', unit: 'MB', aim: {atMost: 105}},
  ],
  method: {processes: 4, rounds: 1, warmUp: 0},
};

function createServiceStartContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      async function measureOneStart(roles: string): Promise<{seconds: number; megabytes: number}> {
        const from = performance.now();
        const {process, port} = await stage.startService(build, roles);
        while ((await requestOwnAccount(port, stage.token)) !== 200) {
          if (performance.now() - from > 15_000) throw new Error('The service does not answer.');
        }
        const seconds = (performance.now() - from) / 1_000;
        await new Promise((resolve) => setTimeout(resolve, idleMs));
        const megabytes = readResidentMegabytes(process.pid);
        await process.stop();
        return {seconds, megabytes};
      }
      return {
        async measure() {
          const both = await measureOneStart('web,worker');
          const web = await measureOneStart('web');
          return {events: 1, seconds: both.seconds, both: both.megabytes, web: web.megabytes};
        },
      };
    },
  };
}

function requestOwnAccount(port: number, token: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {Authorization: `Bearer ${token}`, Connection: 'close'};
    const sent = request({host: '127.0.0.1', port, path: '/v1/me', headers}, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', () => resolve(0));
    sent.end();
  });
}
