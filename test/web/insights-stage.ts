import {randomBytes} from 'node:crypto';
import {addDays} from '../../src/domain/core/dates.js';
import {suffixFromBytes, type Id} from '../../src/domain/core/ids.js';
import type {LineReference} from '../../src/domain/runs/run.js';
import type {Person} from '../api/people.js';
import {closeRun, seedRun} from '../support/seed-runs.js';
import {sendRequest, type TestResponse} from '../support/service.js';
import {openDashboard, type BrowserStage} from './support/stage.js';
import {asId} from '../support/ids.js';

export interface InsightsStage {
  readonly stage: BrowserStage;
  /** Katherine Johnson. */
  readonly lead: Person;
  readonly ada: Person;
  ask(person: Person, method: string, path: string, body?: unknown): Promise<TestResponse>;
}

/** One letter for each run: posted, late, missed, unreachable, holiday; a dot: not in the run. */
export const history = [
  ['Ada Lovelace', 'ppppphpppphpplmmm'],
  ['Alan Turing', 'pplpphpppphppmppp'],
  ['Grace Hopper', 'ppppmhpppphpuplpp'],
  ['Katherine Johnson', 'ppppphppppppppppp'],
  ['Margaret Hamilton', '.........phpmpppp'],
  ['Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh', 'mpppmhpmpphppmmpp'],
] as const;
/** The weekdays before the last run. */
const dates = weekdaysBefore('2027-01-12', 17);

/** The dashboard of a team with 17 seeded runs, and a last run to which members post. */
export async function openInsights(): Promise<InsightsStage> {
  const stage = await openDashboard({}, {at: '2027-01-13T12:00:00Z'});
  const ask: InsightsStage['ask'] = (person, method, path, body) =>
    sendRequest(stage.service.url, method, path, {body, token: person.token});
  const lead = await stage.addPerson({name: 'Katherine Johnson', team: 'platform', as: 'lead'});
  const people = await Promise.all(
    history.map(async ([name]) => (name === lead.name ? lead : stage.addPerson({name, team: 'platform'}))),
  );
  const ada = people[0] as Person;
  await ask(lead, 'PATCH', '/v1/teams/platform', {
    timezone: 'UTC',
    name: 'Platform',
    absence_reasons: 'team',
  });
  await ask(ada, 'POST', '/v1/absences', {from: dates[14], until: dates[16], reason: 'At sea'});
  await Promise.all(
    dates.map((date, i) =>
      seedRun(stage.service, stage.workspace, {
        date,
        state: 'closed',
        closes_at: `${date}T10:00:00.000Z`,
        closed_at: `${date}T10:00:00.000Z`,
        participants: people.map(({id}) => ({member: id, timezone: null})),
        report: {
          lines: history.flatMap(([, days], j) => lineOf(asId(people[j]?.id ?? ''), days[i] ?? '.', date)),
          blockers: [],
        },
      }),
    ),
  );
  await playRun({stage, lead, ada, ask}, people, '2027-01-12');
  return {stage, lead, ada, ask};
}

function weekdaysBefore(last: string, count: number): string[] {
  const found: string[] = [];
  for (let date = addDays(last, -1); found.length < count; date = addDays(date, -1)) {
    const day = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (day > 0 && day < 6) found.unshift(date);
  }
  return found;
}

function lineOf(member: Id<'member'>, letter: string, date: string): LineReference[] {
  if (letter === '.') return [];
  const otherwise = ({h: 'holiday', u: 'unreachable'} as const)[letter] ?? 'missed';
  const standups = [{suffix: suffixFromBytes(randomBytes(10)), revision: 1, late: letter === 'l'}];
  const holiday = otherwise === 'holiday' && {holiday: date < '2027' ? 'Christmas Day' : 'New Year’s Day'};
  return [{member, revision: 1, otherwise, ...holiday, ...('pl'.includes(letter) && {standups})}];
}

/** Two members post on time, one posts late, and one does not post. */
async function playRun({stage, ask}: InsightsStage, people: readonly Person[], date: string): Promise<void> {
  const [first, second, third] = people as [Person, Person, Person];
  const post = (by: Person, update: string) =>
    ask(by, 'POST', '/v1/standups', {team: 'platform', date, update});
  await post(first, 'The retry page is done.\nToday: its tests.');
  await post(second, 'Read the paper of the week.');
  const run = await seedRun(stage.service, stage.workspace, {
    date,
    closes_at: `${date}T10:00:00.000Z`,
    participants: people.slice(0, 4).map(({id}) => ({member: id, timezone: null})),
    schedule: {
      frequency: 'weekly',
      interval: 1,
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      opens: '08:00',
      closes: '10:00',
      clock: 'team',
      reminders: [15, 60],
      starts_on: '2026-01-05',
    },
    missed_steps: [{step: 'remind', due_at: `${date}T09:45:00.000Z`}],
  });
  await closeRun(stage.service, stage.workspace, run);
  await post(third, 'Sorry, the train was late.');
}
