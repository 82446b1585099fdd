import {isReadOnly} from '../../src/api/http/route.js';
import type {Json, TestResponse} from '../support/service.js';
import {type Fixtures, routes, sampleOf} from './samples.js';

/** Reads everything that a token may read, and returns the answers by operation. */
export async function readEverything(
  fixtures: Fixtures,
  request: (path: string, token?: string) => Promise<TestResponse>,
): Promise<Map<string, TestResponse>> {
  const found = new Map<string, TestResponse>();
  for (const route of routes.filter((one) => isReadOnly(one) && one.method === 'GET')) {
    const {path, token} = sampleOf(route, fixtures);
    found.set(route.operation, await request(path, token));
  }
  return found;
}

/** Leaves out what belongs to the installation: its address, cursors, last uses of tokens, and waiting programs. */
export function withoutInstallation(answers: ReadonlyMap<string, TestResponse>): object[] {
  const moved = [...answers].filter(([operation]) => operation !== 'getDeviceLogin');
  return moved.map(([operation, {status, body, text}]) => {
    const shown = JSON.stringify(body ?? text, (name, value: Json) =>
      /^(?:next_cursor|request_id|last_used_at|last_cursor|cursor)$/.test(name) ? null : value,
    );
    return {operation, status, shown: shown.replaceAll(/http:\/\/localhost:\d+/g, 'http://localhost')};
  });
}
