import type {Page} from 'playwright-core';
import type {Person} from '../../api/people.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {sendRequest} from '../../support/service.js';
import {openDashboard, type BrowserStage, type Tab} from './stage.js';

// Ada on the page about a person, for both test files about it.
export let stage: BrowserStage;
export let ada: Person;
export let grace: Person;
export let dashboard: Tab;
export let page: Page;

export const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token: person.token, body});

export async function openPeople(): Promise<void> {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  const {service, workspace} = stage;
  const name = 'Grace Brewster Murray Hopper of the United States Navy';
  const others = {team: 'platform'} as const;
  [ada, grace] = await Promise.all([
    stage.addPerson({...others, name: 'Ada Lovelace', role: 'admin', timezone: 'Europe/London'}),
    stage.addPerson({...others, name, as: 'lead', timezone: 'America/New_York'}),
  ]);
  const days = ['2035-11-19', '2035-11-20', '2035-11-21', '2035-11-22'];
  const participants = [ada, grace].map(({id}) => ({member: id, timezone: null}));
  for (const date of days) {
    const run = await seedRun(service, workspace, {date, closes_at: `${date}T10:00:00.000Z`, participants});
    if (date !== '2035-11-20') {
      const update = `Compilers, day ${date}.`;
      await ask(grace, 'POST', '/v1/standups', {team: 'platform', update, date});
    }
    await closeRun(service, workspace, run);
  }
  await ask(grace, 'PATCH', '/v1/teams/platform', {absence_reasons: 'team'});
  for (const absence of [
    {from: '2035-11-23', until: '2035-11-30', reason: 'At sea'},
    {from: '2035-10-01', until: '2035-10-05', reason: 'Autumn leaves'},
  ]) {
    await ask(grace, 'POST', '/v1/absences', {kind: 'away', ...absence});
  }
  const raised = await ask(grace, 'POST', '/v1/blockers', {team: 'platform', text: 'A moth is in relay 70.'});
  await ask(grace, 'POST', '/v1/blockers', {team: 'platform', text: 'No compiler will run it.'});
  await ask(ada, 'PATCH', `/v1/blockers/${raised.body.id}`, {state: 'resolved'});
}

export async function open(path: string, options: Parameters<BrowserStage['signIn']>[1] = {}): Promise<void> {
  dashboard = await stage.signIn(ada, {path, ...options});
  page = dashboard.page;
}

export const heading = (name: string) => page.getByRole('heading', {name});
export const tab = (name: string) =>
  page.getByRole('navigation', {name: 'About this person'}).getByRole('link', {name});
/** Replaces the tab with one that a test has opened itself. */
export function goOn(other: Tab): void {
  dashboard = other;
  page = other.page;
}
