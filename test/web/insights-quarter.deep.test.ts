import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {availableParallelism, loadavg} from 'node:os';
import {gzipSync} from 'node:zlib';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {seedQuarter, type SeededTeam} from '../support/seed-quarter.js';
import type {Json, TestWorkspace} from '../support/service.js';
import {keepTable} from './support/evidence.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import type {PageRequest} from './support/recorder.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

let stage: BrowserStage;
let lead: Person;
let teams: readonly SeededTeam[];
const measured: [string, string, string][] = [];

const quarter = {since: '2026-10-15', until: '2027-01-12'};
/** The factor for the budgets, which apply to an idle machine: a test run shares its cores. */
const slower = () => 2 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2027-01-13T12:00:00Z'});
  lead = await stage.addPerson({name: 'Katherine Johnson', role: 'admin'});
  const made = {teams: 12, people: 10, ...quarter, also: [lead.id]};
  teams = await seedQuarter(stage.service, stage.workspace, made);
});

afterAll(async () => {
  keepTable('insights-quarter', ['what', 'measured', 'budget'], measured);
  await stage.close();
});

const asked = (requests: readonly PageRequest[]) =>
  requests.filter(({operation}) => operation !== 'asset' && operation !== 'door');

const sizeOf = (requests: readonly PageRequest[], operation: string): number => {
  const text = requests.find((one) => one.operation === operation)?.answer?.text;
  if (text === undefined) throw new Error(`${operation} was not asked`);
  return gzipSync(text).length;
};

const kilo = (bytes: number) => `${Math.round(bytes / 100) / 10} kB`;

/** The time (ms) from the end of a response until its data is rendered, and the longest task of the page. */
async function measureRendering({page}: Tab, path: string): Promise<{ms: number; longest: number}> {
  return page.evaluate(`(() => {
    const seen = {longest: 0};
    new PerformanceObserver((list) => {
      for (const {duration} of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({type: 'longtask', buffered: true});
    const {responseEnd} = performance.getEntriesByType('resource').findLast(({name}) => name.includes(${JSON.stringify(path)}));
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
      setTimeout(() => resolve({ms: globalThis.drawnAt - responseEnd, longest: seen.longest}), 50))));
  })()`);
}

/** Records the time at which an element is first rendered, in every page opened from now on. */
async function watchFor(tab: Tab, selector: string): Promise<void> {
  const look = `{
    const observer = new MutationObserver(() => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => { globalThis.drawnAt = performance.now(); });
    });
    observer.observe(document, {childList: true, subtree: true});
  }`;
  await tab.context.addInitScript({content: look});
}

it('twelve teams over a quarter take one request, and every number equals that of getParticipation', async () => {
  const tab = await stage.signIn(lead, {path: '/'});
  await untilQuiet(tab);
  await watchFor(tab, 'main tbody tr:nth-child(12)');
  const before = tab.requests.length;
  await tab.go('/insights?span=quarter');
  const {page} = tab;
  const rows = page.getByRole('table').locator('tbody tr');
  await rows.nth(11).waitFor();
  await untilQuiet(tab);
  const requests = asked(tab.requests.slice(before));
  const operations = requests.map(({operation}) => operation);
  expect(operations.toSorted()).toEqual(['getMe', 'listParticipation', 'streamChanges']);
  const {ms, longest} = await measureRendering(tab, '/v1/participation');
  const shown = await Promise.all((await rows.all()).map((row) => row.locator('th, td').allInnerTexts()));
  expect(shown.map(([name]) => name)).toEqual(teams.map((_, i) => `Team ${i + 1}`));
  const ask = async (workspace: TestWorkspace, slug: string): Promise<Json> => {
    const {body, status} = await workspace.request(
      'GET',
      `/v1/teams/${slug}/participation?since=${quarter.since}&until=2027-01-13`,
    );
    expect([status, body.title]).toEqual([200, undefined]);
    return body.counts;
  };
  const counted: Json[] = [];
  for (const {slug} of teams) counted.push(await ask(stage.workspace, slug));
  const numbers = counted.map(
    ({participation, expected, posted, late, missed, unreachable, away, holiday, skipped}) =>
      [
        `${Math.round(participation * 100)}%`,
        expected,
        posted + late,
        late,
        missed,
        unreachable,
        away,
        holiday,
        skipped,
      ].map(String),
  );
  expect(shown.map((row) => row.slice(2))).toEqual(numbers);
  measured.push(
    [
      'requests for 12 teams and a quarter',
      `${requests.length}: ${operations.join(', ')}`,
      '1 for the numbers',
    ],
    ['bytes of listParticipation, packed', kilo(sizeOf(requests, 'listParticipation')), ''],
    ['from the answer until the table is drawn', `${Math.round(ms)} ms`, '200 ms, idle'],
    ['longest task', `${Math.round(longest)} ms`, '100 ms, idle'],
    ['rows whose numbers are those of getParticipation', `${numbers.length} of ${teams.length}`, 'all'],
  );
  expect(ms).toBeLessThanOrEqual(200 * slower());
  await look(tab, 'insights-teams');
  await page.getByRole('link', {name: 'Team 12', exact: true}).last().click();
  await page.getByRole('grid', {name: /Who posted/}).waitFor();
  await expectEventually(() => page.url()).toMatch(/\/t\/team-12\/insights\?span=quarter$/);
  await expectInnocent(tab);
  await tab.close();
});

it('the heat map of 200 people over a quarter takes one request, and blocks the page for less than 100 ms at a time', async () => {
  const crowd = await stage.service.addWorkspace('Crowd');
  const one = await stage.addPerson({name: 'Zoe'}, crowd);
  const made = {teams: 1, people: 199, ...quarter, also: [one.id]};
  await seedQuarter(stage.service, crowd, made);
  const tab = await stage.signIn(one, {path: '/'}, crowd);
  await untilQuiet(tab);
  await watchFor(tab, '[data-position="12/1"]');
  const before = tab.requests.length;
  await tab.go('/t/team-01/insights?span=quarter');
  await tab.page.locator('[data-position="200/1"]').waitFor({state: 'attached'});
  await untilQuiet(tab);
  const requests = asked(tab.requests.slice(before));
  expect(requests.filter(({operation}) => operation === 'getParticipation')).toHaveLength(1);
  const {ms, longest} = await measureRendering(tab, '/participation');
  await expectEventually(() => tab.page.locator('[role="gridcell"]').count()).toBe(200 * 64);
  measured.push(
    [
      'bytes of getParticipation of 200 people by day, packed',
      kilo(sizeOf(requests, 'getParticipation')),
      '',
    ],
    ['from the answer until its first people are drawn', `${Math.round(ms)} ms`, '200 ms, idle'],
    ['longest task with 200 people', `${Math.round(longest)} ms`, '100 ms, idle'],
  );
  expect(longest).toBeLessThanOrEqual(100 * slower());
  await tab.close();
});
