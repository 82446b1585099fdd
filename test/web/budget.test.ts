import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {startService, type TestService} from '../support/service.js';
import {createWeights} from './support/weights.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

// One file has the styles of all pages, so it grows with each page.
it('the first paint uses at most 130 kB of script and 22 kB of style', async () => {
  const {weigh, namedFiles} = createWeights(service.url);
  const {first} = await namedFiles();
  const [script, style] = [await weigh(first, 'js'), await weigh(first, 'css')];
  const kilo = (bytes: number) => `${Math.round(bytes / 100) / 10} kB`;
  process.stdout.write(`First paint: ${kilo(script)} of script, ${kilo(style)} of style.\n`);
  expect(script).toBeGreaterThan(50_000);
  expect(script).toBeLessThanOrEqual(130_000);
  expect(style).toBeLessThanOrEqual(22_000);
});
