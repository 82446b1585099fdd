import {expect, it} from '@jest/globals';
import {streamNdjson} from '../../../src/api/http/exports.js';
import type {WireJson} from '../../../src/domain/core/resource.js';

it('an export writes one chunk at a time, and requests more rows when the client has read it', async () => {
  const row = JSON.stringify('x'.repeat(40_000)) as WireJson;
  let [writing, most, asked] = [0, 0, 0];
  async function* pages() {
    for (; asked < 3; asked += 1) {
      expect(writing).toBe(0);
      yield [row, row, row, row, row];
    }
  }
  let written = '';
  await streamNdjson(pages())({
    async write(text: string) {
      writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setImmediate(resolve));
      written += text;
      writing -= 1;
    },
  } as never);
  expect(most).toBe(1);
  expect(written).toBe(`${row}\n`.repeat(15));
});
