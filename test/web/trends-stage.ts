import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
import type {Json} from '../support/service.js';
import type {BrowserStage} from './support/stage.js';

const questions = [
  {key: 'mood', label: 'How are you?', type: 'mood'},
  {key: 'focus', label: 'Focus', type: 'choice', options: ['Build', 'Review', 'Help'], multiple: true},
  {key: 'hours', label: 'Hours of focus', type: 'number'},
  {key: 'help', label: 'Do you need help?', type: 'yes_no'},
  {key: 'note', label: 'Any notes?', type: 'text'},
];

const answers: readonly (readonly [date: string, answer: Json])[] = [
  ['2026-11-18', {mood: 3, focus: ['Build', 'Review'], hours: 4, help: true, note: 'Fine.'}],
  ['2026-11-19', {mood: 4, focus: ['Build'], hours: 5.5, help: true}],
  ['2026-11-23', {mood: 3, focus: ['Review'], hours: 6, help: false}],
  ['2026-11-24', {mood: 5, focus: ['Build'], hours: 6.5, help: true}],
];

/** Adds answers and blockers of two weeks to the team `platform`, and the team `quiet` without any. */
export async function createTrendsStage(stage: BrowserStage): Promise<{lead: Person; member: Person}> {
  const {workspace} = stage;
  await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC', questions}});
  await make(workspace, '/v1/teams', {slug: 'quiet', name: 'Quiet', timezone: 'UTC'});
  const lead = await stage.addPerson({name: 'Katherine Johnson', team: 'platform', as: 'lead'});
  const member = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
  await workspace.request('PUT', `/v1/teams/quiet/members/${lead.id}`, {body: {role: 'lead'}});
  for (const [date, answer] of answers)
    await make(workspace, '/v1/standups', {
      team: 'platform',
      date,
      update: 'As planned.',
      answers: Object.entries(answer).map(([question, value]) => ({question, value})),
    });
  const first = await make(workspace, '/v1/blockers', {team: 'platform', text: 'No access.'});
  await make(workspace, '/v1/blockers', {team: 'platform', text: 'No tests.'});
  await workspace.request('PATCH', `/v1/blockers/${first.id}`, {body: {state: 'resolved'}});
  return {lead, member};
}
