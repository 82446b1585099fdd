import {randomBytes} from 'node:crypto';
import {addDays} from '../../src/domain/core/dates.js';
import {suffixFromBytes, type Id} from '../../src/domain/core/ids.js';
import type {LineReference} from '../../src/domain/runs/run.js';
import {type Chance, createChance} from './seeded-random.js';
import {seedRun} from './seed-runs.js';
import type {TestService, TestWorkspace} from './service.js';
import {asId} from './ids.js';

export interface SeededTeam {
  readonly slug: string;
  readonly id: string;
  /** Ids of the people in the team. */
  readonly people: readonly string[];
}

/**
 * Stores teams (`team-01` …) with members, and a closed run on each weekday from the first to the last date.
 * The runs refer to standups that do not exist. `also`: people who are members of every team.
 */
export async function seedQuarter(
  service: Pick<TestService, 'core'>,
  workspace: TestWorkspace,
  {
    teams,
    people,
    since,
    until,
    also = [],
    seed = 1,
    name = (i, j) => `Person ${i}.${j}`,
  }: {
    teams: number;
    people: number;
    since: string;
    until: string;
    also?: readonly Id<'member'>[];
    seed?: number;
    name?: (team: number, person: number) => string;
  },
): Promise<SeededTeam[]> {
  const {services} = service.core;
  const dates: string[] = [];
  for (let date = since; date <= until; date = addDays(date, 1)) {
    const day = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (day > 0 && day < 6) dates.push(date);
  }
  const numbers = (most: number) => Array.from({length: most}, (_, i) => i + 1);
  return Promise.all(
    numbers(teams).map(async (i): Promise<SeededTeam> => {
      const chance = createChance(seed + i);
      const slug = `team-${String(i).padStart(2, '0')}`;
      const input = {slug, name: `Team ${i}`, timezone: 'UTC'};
      const {id = ''} = await services.teams.createTeam(workspace.operator(), input);
      const own = await Promise.all(
        numbers(people).map(async (j) => {
          const made = await services.members.createMember(workspace.operator(), {name: name(i, j)});
          return asId<'member'>(made.id ?? '');
        }),
      );
      const all = [...own, ...also];
      for (const member of all) {
        await services.teamMembers.setTeamMember(workspace.operator(), slug, member, 'member');
      }
      await Promise.all(
        dates.map((date) =>
          seedRun(service, workspace, {
            team: slug,
            team_id: asId(id),
            date,
            state: 'closed',
            closes_at: `${date}T10:00:00.000Z`,
            closed_at: `${date}T10:00:00.000Z`,
            participants: all.map((member) => ({member, timezone: null})),
            report: {lines: all.map((member) => generateRunLine(member, chance)), blockers: []},
          }),
        ),
      );
      return {slug, id, people: all};
    }),
  );
}

/**
 * Draws a member's result in a run at random. Most members post on time. No one is away, since the seeded
 * data has no absences.
 */
function generateRunLine(member: Id<'member'>, chance: Chance): LineReference {
  const otherwise = chance.pick(['missed', 'missed', 'missed', 'unreachable', 'holiday'] as const);
  const standup = (late: boolean) => ({suffix: suffixFromBytes(randomBytes(10)), revision: 1, late});
  const roll = chance.between(1, 10);
  return {
    member,
    revision: 1,
    otherwise,
    ...(otherwise === 'holiday' && {holiday: 'A day off'}),
    ...(roll > 1 && {standups: [standup(roll === 2)]}),
  };
}
