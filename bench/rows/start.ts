import {request} from 'node:http';
import {type Figure, single} from '../figures.js';
import {residentMegabytes} from '../machine.js';
import {type Bench, withStage} from '../stage.js';

const idleMs = 2_000;

/** How soon a process serves, and how much it holds when it has nothing to do. */
export function benchStart(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const seconds: number[] = [];
    const megabytes: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const from = performance.now();
      const {process, port} = await stage.startService('web,worker');
      while ((await getMe(port, stage.token)) !== 200) {
        if (performance.now() - from > 15_000) throw new Error('The service does not answer.');
      }
      const took = (performance.now() - from) / 1_000;
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      // The first start reads its files from the disk.
      if (round > 0) {
        seconds.push(took);
        megabytes.push(residentMegabytes(process.pid));
      }
      await process.stop();
    }
    return [
      single(seconds, {work: 'start to the first 2xx (`GET /v1/me`)', unit: 's', atMost: 1}),
      single(megabytes, {work: 'resident memory, idle', unit: 'MB', atMost: 130}),
    ];
  });
}

function getMe(port: number, token: string): Promise<number> {
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
