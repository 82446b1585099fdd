import type {Page} from 'playwright-core';
import type {Person} from '../../api/people.js';
import {sendRequest} from '../../support/service.js';
import {openDashboard, type BrowserStage} from './stage.js';

// Two teams and three people, for both test files about blockers.
export let stage: BrowserStage;
export let ada: Person;
export let grace: Person;
export let lead: Person;

export async function openBlockers(): Promise<void> {
  stage = await openDashboard({}, {at: '2030-11-18T09:00:00Z'});
  const {services} = stage.service.core;
  await services.teams.createTeam(stage.workspace.operator(), {slug: 'design', name: 'Design'});
  [ada, grace, lead] = await Promise.all([
    stage.addPerson({name: 'Ada Lovelace', team: 'platform'}),
    stage.addPerson({name: 'Grace Hopper', team: 'platform'}),
    stage.addPerson({name: 'Katherine Johnson', team: 'platform', as: 'lead'}),
  ]);
  const questions = [{key: 'stuck', label: 'What is in your way?', type: 'text', raises_blocker: true}];
  await ask(lead, 'PATCH', '/v1/teams/platform', {questions});
  await services.teamMembers.setTeamMember(stage.workspace.operator(), 'design', ada.id, 'member');
}

export const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {body, token: person.token});

export async function raise(person: Person, text: string, team = 'platform'): Promise<string> {
  const {body, status} = await ask(person, 'POST', '/v1/blockers', {team, text});
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id;
}

export async function stateOf(id: string): Promise<string> {
  return (await ask(lead, 'GET', `/v1/blockers/${id}`)).body.state;
}

export const row = (page: Page, text: string) => page.getByRole('listitem', {name: text});
