import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService} from '../support/service.js';
import {type Generator, lacksOf, makeClient} from './generators.js';

/** Installing and generating takes minutes on a busy machine, once for each document. */
const withinMs = 900_000;

/** Tests each client. A client whose language this machine lacks gets a skipped test that says so. */
export function testClients(generators: readonly Generator[]): void {
  let service: TestService;
  let receiver: Receiver;
  let document: string;

  beforeAll(async () => {
    service = await startService();
    receiver = await startReceiver();
    document = await (await fetch(`${service.url}/openapi.json`)).text();
  });

  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  for (const generator of generators) {
    const lacks = lacksOf(generator);
    const title = `the client of ${generator.name} ${generator.version} compiles; it posts, lists and edits a standup, makes a webhook and reads events`;
    const runOrSkip = lacks.length === 0 ? it : it.skip;
    runOrSkip(
      lacks.length === 0 ? title : `${title} (skipped: this machine has no ${lacks.join(', ')})`,
      async () => {
        const [program, ...args] = await makeClient(generator, document);
        const {token} = await service.addWorkspace();
        const env = {
          ...process.env,
          STANDUP_URL: service.url,
          STANDUP_TOKEN: token,
          RECEIVER_URL: receiver.url,
        };
        const {stdout} = await promisify(execFile)(program, args, {env});
        expect(JSON.parse(stdout)).toEqual({
          posted: 'Posted by a generated client.',
          listed: 1,
          edited: 'Edited by a generated client.',
          revision: 2,
          webhook: ['standup.*'],
          events: ['standup.created', 'standup.updated'],
        });
      },
      withinMs,
    );
  }
}
