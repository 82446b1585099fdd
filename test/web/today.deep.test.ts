import {afterAll, beforeAll, expect, it} from '@jest/globals';
import path from 'node:path';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
import {expectEventually} from '../support/expect-eventually.js';
import {root} from '../support/service-process.js';
import {recordMainThread} from './support/main-thread.js';
import {openDashboard, type BrowserStage} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;

/** Adds a team of 200 people; 100 of them have posted. */
async function addFleet({workspace, service}: BrowserStage): Promise<void> {
  const {members, teamMembers} = service.core.services;
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Sydney',
    'America/Sao_Paulo',
  ];
  await make(workspace, '/v1/teams', {slug: 'fleet', name: 'Fleet', timezone: 'Europe/Berlin'});
  const add = async (index: number): Promise<void> => {
    const timezone = zones[index % zones.length] ?? 'UTC';
    const {id = ''} = await members.createMember(workspace.operator(), {name: `Sailor ${index}`, timezone});
    await teamMembers.setTeamMember(workspace.operator(), 'fleet', id, 'member');
    if (index % 2 === 1) return;
    const update = `Knots and ropes, part ${index}.\n`.repeat(1 + (index % 9));
    await make(workspace, '/v1/standups', {team: 'fleet', author: id, update});
  };
  for (let at = 0; at < 200; at += 10) {
    await Promise.all(Array.from({length: 10}, (_, index) => add(at + index)));
  }
}

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {name: 'Analytical Engines'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
}, 60_000);

afterAll(() => stage.close());

it('Today shows a post from another browser within a second', async () => {
  const tab = await stage.signIn(ada, {path: '/t/platform'});
  const alan = await stage.addPerson({name: 'Alan Turing', team: 'platform'});
  const delays: number[] = [];
  // Tries again, since the machine may be busy with other work.
  while (delays.length < 5 && !delays.some((ms) => ms < 1_000)) {
    const from = performance.now();
    const update = `Halting, perhaps: ${delays.length}.`;
    await make(stage.workspace, '/v1/standups', {team: 'platform', author: alan.id, update});
    await tab.page.getByText(update).waitFor();
    delays.push(performance.now() - from);
  }
  process.stdout.write(`Another browser sees a post after ${delays.map(Math.round).join(', ')} ms.\n`);
  expect(Math.min(...delays)).toBeLessThan(1_000);
  await tab.close();
});

it('the board of a team of 200 is shown without a task of over 100 ms, and nothing on the page jumps', async () => {
  await addFleet(stage);
  const tab = await stage.signIn(ada, {path: '/', script: watchPaint});
  const {page} = tab;
  const {longest} = await recordMainThread(stage.browser, async () => {
    await tab.go('/t/fleet');
    await page.getByText('100 of 200 posted').waitFor();
    await page.getByText('Sailor 199', {exact: true}).waitFor();
  });
  const shift = await page.evaluate<number>('shift');
  process.stdout.write(
    `200 people: longest task ${longest.toFixed(0)} ms, layout shift ${shift.toFixed(4)}.\n`,
  );
  expect(longest).toBeLessThanOrEqual(100);
  expect(shift).toBeLessThanOrEqual(0.02);
  await expectEventually(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
    true,
  );
  await page.screenshot({path: path.join(root, '.cache/pictures/dashboard/today-200.png')});
});

const watchPaint = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const {value, hadRecentInput} of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({type: 'layout-shift', buffered: true});`;
