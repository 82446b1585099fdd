import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {askedTypist, createTypist, keptOf, labelsOf, postedBy} from './typing-scene.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitFaults).toEqual([]);
  scene.slack.slack.clear();
});

describe('somebody who has been asked', () => {
  test('is told that they can type, answers question by question, and posts with a word', async () => {
    const ada = await askedTypist(scene);
    const [prompt] = await scene.messagesOf(ada.person);
    expect(prompt?.text).toContain('Or just type your answer here.');
    expect((await ada.type('Fix the importer')).reply.status).toBe(200);
    expect((await ada.last()).text).toMatch(/yesterday/i);
    await ada.type('Wrote tests');
    expect((await ada.last()).text).toMatch(/in your way/);
    await ada.type('skip');
    const summary = await ada.last();
    expect(summary.text).toContain('Yesterday\nWrote tests\n\nToday\nFix the importer');
    expect(labelsOf(summary)).toEqual(['Post', 'Edit', 'Discard']);
    expect(await postedBy(scene, ada)).toEqual([]);
    await ada.type('Post');
    const [standup, ...others] = await postedBy(scene, ada);
    expect(others).toEqual([]);
    expect(standup?.update).toBe('Yesterday\nWrote tests\n\nToday\nFix the importer');
    expect((await ada.last()).text).toMatch(/^Posted for Platform/);
    expect(labelsOf(await ada.last())).toEqual(['Edit', 'Undo']);
    expect(await ada.said()).toHaveLength(4);
    expect(await keptOf(scene, ada)).not.toMatch(/importer|tests/);
  });
});

test('what is typed when nothing is asked is posted only when its author says so', async () => {
  const person = await scene.addPerson();
  const grace = await createTypist(scene, person);
  await grace.type('Shipped it');
  const offer = await grace.last();
  expect(offer.text).toMatch(/^Post this as your update for Platform, .*\?/);
  expect(labelsOf(offer)).toEqual(['Post', 'Open the form', 'No']);
  expect(await postedBy(scene, grace)).toEqual([]);
  await grace.press('Post');
  expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped it']);
});
