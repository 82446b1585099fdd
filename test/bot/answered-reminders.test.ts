import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {minute, type PromptScene, quick, startPromptScene} from './prompt-scene.js';

/** Few in `npm test`; `PRINT_CALLS=1` prints the numbers for 200 people. */
const print = process.env['PRINT_CALLS'] === '1';
const people = print ? 200 : 6;

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene({strangers: people});
});
afterAll(() => scene.close());

test(
  'each person who answers a reminder costs one edit of it, and no search for its message',
  async () => {
    const {slack, clock} = scene;
    const closesAt = clock.now() + 60 * minute;
    const run = await scene.openRun(closesAt);
    const persons = [];
    for (let i = 0; i < people; i += 1) persons.push(await scene.addPerson());
    for (const person of persons) await scene.remind(person, run, closesAt);
    for (const person of persons) await scene.work(person);
    slack.slack.limitViolations.length = 0;
    const reminded = slack.slack.calls.length;
    for (const [i, {user}] of persons.entries()) {
      await slack.command(`Fixing bug number ${i}`, {user: {id: user, name: user}});
      await clock.advance(1_000);
      while ((await slack.read()).more);
      // The reminder comes first and has to wait, so nothing hides a second edit.
      for (let round = 0; round < 3; round += 1) {
        await scene.work(persons[i]!);
        await slack.work({waits: quick});
        await clock.advance(20_000);
      }
      await scene.work(persons[i]!);
    }
    const counts = new Map<string, number>();
    const edits = slack.slack.of('chat.update').filter(({body}) => String(body['channel']).startsWith('D'));
    for (const {method} of slack.slack.calls.slice(reminded)) {
      if (method !== 'users.info' && method !== 'respond') counts.set(method, (counts.get(method) ?? 0) + 1);
    }
    if (print) {
      const summary = JSON.stringify(Object.fromEntries(counts));
      process.stdout.write(`${people} people answer one reminder each: ${summary}\n`);
    }
    expect(counts.get('conversations.open') ?? 0).toBe(0);
    expect(edits).toHaveLength(people);
    for (const person of persons.slice(0, 2)) {
      expect((await scene.messagesOf(person))[0]?.text).toMatch(/: posted https?:/);
    }
  },
  print ? 300_000 : 20_000,
);
