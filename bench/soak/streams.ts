import {get} from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import type {Tenant} from './tenants.js';

const paths = ['/v1/events/stream', '/v1/changes/stream'];

/** Keeps two streams of events open for each workspace, and opens one again a second after it has ended. */
export function followStreams(port: number, tenants: readonly Tenant[]) {
  const ending = new AbortController();
  const counts = {bytes: 0, ended: 0};

  async function follow(path: string, {token}: Tenant): Promise<void> {
    while (!ending.signal.aborted) {
      await readOnce(path, token);
      if (ending.signal.aborted) return;
      counts.ended += 1;
      await pause(1_000);
    }
  }

  function readOnce(path: string, token: string): Promise<void> {
    return new Promise((resolve) => {
      const request = get({
        port,
        host: '127.0.0.1',
        path,
        agent: false,
        headers: {Authorization: `Bearer ${token}`},
        signal: ending.signal,
      });
      request.once('error', () => resolve());
      request.once('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          counts.bytes += chunk.length;
        });
        response.once('error', () => undefined);
        response.once('close', () => resolve());
      });
    });
  }

  for (const tenant of tenants) for (const path of paths) void follow(path, tenant);
  return {counts, stop: () => ending.abort()};
}
