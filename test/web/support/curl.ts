import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';
import {findInPath} from '../../../scripts/paths.mjs';
import {root} from '../../support/service-process.js';
import type {SentRequest} from '../../support/request-contract.js';

const run = promisify(execFile);
const found = findInPath('curl');
const [program, ...first] =
  found === undefined ? [process.execPath, path.join(root, 'test/support/curl.mjs')] : [found];

export interface CurlAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** Sends a request by curl, with only these headers. */
export async function curl(
  origin: string,
  {method, path: at, headers, body}: SentRequest,
): Promise<CurlAnswer> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const content = body === undefined ? [] : ['-d', body];
  const args = [...first, '-sS', '-i', '-X', method, ...lines, ...content, `${origin}${at}`];
  const {stdout} = await run(program, args, {maxBuffer: 2 ** 24});
  const end = stdout.indexOf('\r\n\r\n');
  const head = stdout.slice(0, end);
  return {
    status: Number(/^HTTP\S+ (\d+)/.exec(head)?.[1]),
    etag: /^etag: (.*?)\r?$/im.exec(head)?.[1],
    location: /^location: (.*?)\r?$/im.exec(head)?.[1],
    text: stdout.slice(end + 4),
  };
}
