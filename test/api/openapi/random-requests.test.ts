import {afterAll, beforeAll, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {exampleIds, pathParameters} from '../../../src/api/examples/ids.js';
import {type ApiDocument, readDocument} from '../../support/api-document.js';
import {getPublishedDocument} from '../../support/contract.js';
import {deep} from '../../support/deep.js';
import {limits} from '../../../src/domain/core/limits.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {randomRequests, type RandomRequest, type TokenChoice} from '../random-requests.js';
import {addFixtures, routes} from '../samples.js';

/** Run more with `RANDOM_SEED=n RANDOM_RUNS=n npm test -- test/api/openapi/random-requests`. */
const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_123);
const runs = Number(process.env['RANDOM_RUNS'] ?? (deep ? 1_000 : 60));

let service: TestService;
let receiver: Receiver;
let foreign: TestWorkspace;
let foreignIds: Readonly<Record<string, string>>;
const document: ApiDocument = readDocument(getPublishedDocument());

beforeAll(async () => {
  service = await startService({
    env: {RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_AUTH_FAILURES: '0'},
  });
  receiver = await startReceiver();
  foreign = await service.addWorkspace();
  foreignIds = {...(await addFixtures(foreign, receiver.url))};
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** The resources for a number of requests; new ones are made after that number. */
interface RequestScene {
  readonly workspace: TestWorkspace;
  readonly tokens: Readonly<Record<TokenChoice, string | undefined>>;
  readonly ids: Readonly<Record<string, string>>;
  left: number;
}

async function setScene(): Promise<RequestScene> {
  const workspace = await service.addWorkspace();
  const fixtures = await addFixtures(workspace, receiver.url);
  const narrow = await workspace.addToken({scopes: ['members:read']});
  const revoked = await workspace.addToken();
  await service.core.services.tokens.revokeToken(workspace.operator(), revoked.id);
  const examples = Object.entries(pathParameters).map(([name, {example}]) => [name, example]);
  return {
    workspace,
    tokens: {
      good: workspace.token,
      foreign: foreign.token,
      narrow: narrow.value,
      revoked: revoked.value,
      garbage: `${workspace.token.slice(0, -4)}AAAA`,
      none: undefined,
    },
    ids: {
      ...Object.fromEntries(examples),
      ...exampleIds,
      ...fixtures,
      principal: workspace.principal.id,
      receiver: receiver.url,
      today: new Date().toISOString().slice(0, 10),
    },
    left: 60,
  };
}

/** Replaces placeholders by existing ids. */
function resolved(text: string, {ids}: RequestScene): string {
  return text.replaceAll(/@(foreign\.)?([a-z_]+)/g, (whole, other, name) => {
    const value = (other === undefined ? ids : foreignIds)[name];
    return value ?? (other === undefined ? whole : 'nothing');
  });
}

async function send(request: RandomRequest, scene: RequestScene) {
  const {method, path, headers, body, token} = request;
  const value = scene.tokens[token];
  return scene.workspace.request(method, resolved(path, scene), {
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, resolved(text, scene)])),
      ...(value === undefined ? {} : {authorization: `Bearer ${value}`}),
    },
    ...(body !== undefined && {body: Buffer.from(resolved(body, scene))}),
    token: undefined,
  } as object);
}

/** The document's errors of a body; undefined when it cannot be parsed. */
function bodyErrors({operation, body}: RandomRequest, scene: RequestScene): string[] | undefined {
  const route = routes.find((one) => one.operation === operation);
  const {requestBody} = document.operation(route ?? {path: '', method: ''});
  if (requestBody === undefined) return [];
  if (body === undefined || body === '') return requestBody.required === true ? ['has no body'] : [];
  try {
    // RFC 8259 section 8.1 lets a parser ignore a byte order mark.
    const value: unknown = JSON.parse(resolved(body, scene).replace(/^\uFEFF/, ''));
    const errors = document.errors(requestBody.content['application/json'].schema, value);
    // A wrong row stops no other one: the answer says what is wrong with it.
    return operation === 'addImportRows' ? errors.filter((error) => !error.startsWith('/rows/')) : errors;
  } catch {
    return undefined;
  }
}

type ResponseCounts = Map<string, Map<string, number>>;

function report(counts: ResponseCounts): void {
  const classes = ['2xx', '3xx', '4xx', '5xx'];
  const lines = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, row]) => {
      const cells = classes.map((name) => String(row.get(name) ?? 0).padStart(6));
      return `  ${operation.padEnd(22)}${cells.join('')}\n`;
    });
  process.stderr.write(
    `  random requests: seed ${seed}, ${runs} runs (RANDOM_SEED, RANDOM_RUNS)\n  ${''.padEnd(22)}${classes.map((name) => name.padStart(6)).join('')}\n${lines.join('')}`,
  );
}

/** `sendRequest` checks every answer against the document; these checks are additional. */
it(
  `all of ${runs} random requests, good and bad, are answered as documented, and none with a 5xx`,
  async () => {
    const counts: ResponseCounts = new Map();
    let retried = 0;
    let scene = await setScene();
    const property = fc.asyncProperty(randomRequests(document), async (request) => {
      if (scene.left === 0) scene = await setScene();
      scene.left -= 1;
      let answer = await send(request, scene);
      // An overloaded machine may miss a request's deadline; the answer asks for a repeat.
      if (answer.status === 503) {
        retried += 1;
        answer = await send(request, scene);
      }
      const row = counts.get(request.operation) ?? new Map<string, number>();
      const name = `${Math.floor(answer.status / 100)}xx`;
      counts.set(request.operation, row.set(name, (row.get(name) ?? 0) + 1));
      expect(answer.status).toBeLessThan(500);
      if (answer.status < 300 && request.method !== 'HEAD') {
        expect(['revoked', 'garbage', 'none']).not.toContain(request.token);
        expect(bodyErrors(request, scene)).toEqual([]);
      }
      // No request that the document allows is refused for its form alone.
      if (request.isGood) expect([401, 405, 406, 414, 415]).not.toContain(answer.status);
      // A schema counts characters and cannot limit the bytes of a whole body.
      const isSmall = Buffer.byteLength(request.body ?? '') <= limits.bodyBytes;
      if (request.isGood && isSmall) expect(answer.status).not.toBe(413);
      // Later requests would not find the deleted resources.
      if (request.method === 'DELETE' && answer.status === 204) scene.left = 0;
    });
    await fc.assert(property, {seed, numRuns: runs}).finally(() => report(counts));
    const successes = [...counts.values()].reduce((sum, row) => sum + (row.get('2xx') ?? 0), 0);
    expect(successes).toBeGreaterThan(runs / 8);
    expect(retried).toBeLessThan(runs / 100);
    // Fewer runs may miss an operation; examples.test.ts sends one request to each.
    if (runs >= 1_000)
      expect([...counts.keys()].toSorted()).toEqual(routes.map(({operation}) => operation).toSorted());
  },
  120_000 + runs * 120,
);
