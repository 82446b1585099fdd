import {expect, it} from '@jest/globals';
import {createPacer} from '../../src/domain/pacer.js';

/** A pacer whose turns a test begins, and the names of those that were let in. */
function createStage(perTurn: number) {
  const asked: (() => void)[] = [];
  const pace = createPacer(perTurn, (run) => void asked.push(run));
  const begun: string[] = [];
  return {
    begun,
    enter: (name: string) => void pace().then(() => begun.push(name)),
    async nextTurn() {
      for (const run of asked.splice(0)) run();
      await settled();
    },
    isIdle: () => asked.length === 0,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('lets in so many at each turn, first come, first served, and the others at the next turns', async () => {
  const stage = createStage(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) stage.enter(name);
  await settled();
  expect(stage.begun).toEqual(['a', 'b']);
  await stage.nextTurn();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'd']);
  stage.enter('f');
  await stage.nextTurn();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('nobody passes those that wait', async () => {
  const stage = createStage(1);
  for (const name of ['a', 'b', 'c']) stage.enter(name);
  await stage.nextTurn();
  stage.enter('late');
  await stage.nextTurn();
  await stage.nextTurn();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'late']);
});

it('who comes alone is let in at once, and an idle pacer asks for no turns', async () => {
  const stage = createStage(4);
  for (let i = 0; i < 3; i += 1) {
    stage.enter(`request ${i}`);
    await settled();
    expect(stage.begun).toHaveLength(i + 1);
    await stage.nextTurn();
  }
  expect(stage.isIdle()).toBe(true);
});
