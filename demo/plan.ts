import {createZones} from '../src/calendar/zones.js';
import {addDays} from '../src/domain/core/dates.js';
import {completeSchedule, isRunDay, runWindowOf} from '../src/domain/schedules/schedule.js';
import {type Chance, createChance} from '../test/support/seeded-random.js';
import type {DemoAct, AwayDays, DemoPlan} from './acts.js';
import {type DemoPerson, type DemoTeam, openBlockers, people, reasons, skips, teams} from './cast.js';
import {createUpdateWriter, chooseBlockerText} from './update-texts.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const zones = createZones();

interface DemoPeriod {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly firstDay: string;
  readonly today: string;
}

interface Away extends AwayDays {
  readonly person: string;
  readonly reason: string;
}

/** Returns all actions of people up to an instant (ms). The same seed gives the same actions. */
export function generatePlan(seed: number, weeks: number, endsAt: number): DemoPlan {
  const chance = createChance(seed);
  const today = zones.dayIn('UTC', endsAt);
  const firstDay = addDays(today, -7 * weeks);
  const startsAt = Date.parse(`${firstDay}T00:00:00Z`) - day / 2;
  const span = {startsAt, endsAt, today, firstDay};
  const away = people.flatMap((person, i) => [...generateAbsences(person, i, weeks, today, chance)]);
  const acts: DemoAct[] = away.map((one) => createAbsenceAct(one, span, chance));
  for (const [i, team] of teams.entries())
    acts.push(...generateTeamActs(team, away, span, createChance(seed + i)));
  acts.push(...generateWebhooks(acts, span));
  const companyDays = [
    {date: findWorkdayFrom(addDays(today, -31)), name: 'Founders’ day'},
    {date: findWorkdayFrom(addDays(today, 24)), name: 'Company party'},
  ];
  const within = acts.filter(({at}) => at > startsAt && at < endsAt);
  return {startsAt, endsAt, companyDays, acts: within.toSorted((a, b) => a.at - b.at)};
}

function* generateAbsences(
  {key: person}: DemoPerson,
  i: number,
  weeks: number,
  today: string,
  chance: Chance,
): Generator<Away> {
  const away = (days: number, length: number, reason: string): Away => {
    const from = addDays(today, days);
    return {person, from, until: addDays(from, length - 1), reason};
  };
  const longest = Math.max(8, 7 * weeks - 3);
  yield away(-chance.between(7, longest), chance.between(2, 7), chance.pick(reasons));
  if (i % 4 === 1) yield away(-chance.between(2, 12), 1, notWell);
  if (i % 3 === 2) yield away(chance.between(3, 25), chance.between(3, 9), chance.pick(reasons));
  if (person === 'rohan') yield away(-2, 8, 'Vacation by the sea');
  if (person === 'ingrid') yield {person, from: addDays(today, -10), until: null, reason: 'Parental leave'};
}

const notWell = 'Not well';

/**
 * Creates the action by which a person enters an absence. Most absences are entered weeks before; an illness
 * is entered on its first morning.
 */
function createAbsenceAct(
  {reason, person, ...days}: Away,
  {startsAt, endsAt}: DemoPeriod,
  chance: Chance,
): DemoAct {
  const isSudden = reason === notWell;
  const date = addDays(days.from, isSudden ? 0 : -chance.between(4, 20));
  const at = zones.instantOf('UTC', date, isSudden ? '05:30' : '14:10');
  return {do: 'away', at: Math.min(Math.max(at, startsAt + hour), endsAt - hour), person, days, reason};
}

function* generateTeamActs(
  team: DemoTeam,
  away: readonly Away[],
  span: DemoPeriod,
  chance: Chance,
): Generator<DemoAct> {
  const schedule = completeSchedule(team.schedule, span.firstDay);
  const cast = team.people.flatMap((key) => people.find((person) => person.key === key) ?? []);
  const isAway = (person: string, date: string): boolean =>
    away.some(
      (one) => one.person === person && one.from <= date && (one.until === null || date <= one.until),
    );
  const open = openBlockers.filter(({team: slug}) => slug === team.slug);
  const writers = cast.map((person) => {
    const mates = cast.filter((one) => one !== person).map(({name}) => name.split(' ')[0] ?? name);
    // Each person posts at a similar time every day.
    return {
      person,
      writeUpdate: createUpdateWriter(team.slug, mates, chance),
      habit: chance.between(5, 70) / 100,
    };
  });
  for (let date = span.firstDay; date <= addDays(span.today, 1); date = addDays(date, 1)) {
    if (!isRunDay(schedule, date)) continue;
    for (const {person, writeUpdate, habit} of writers) {
      if (isAway(person.key, date)) continue;
      const zone = schedule.clock === 'member' ? person.zone : team.zone;
      const {opens, closes} = runWindowOf(schedule, date, zone, zones);
      const of = {team: team.slug, person: person.key, date};
      const luck = chance.between(1, 100);
      if (luck <= 2) {
        const at = opens + chance.between(2, 20) * minute;
        yield {do: 'skip', at, ...of, reason: chance.pick(skips)};
        continue;
      }
      if (luck <= 2 + person.missed) continue;
      const isLate = luck <= 2 + person.missed + person.late;
      const length = closes - opens;
      const late = length + chance.between(4, 160) * minute;
      const inTime = (length - 6 * minute) * Math.min(0.98, habit + chance.between(0, 25) / 100);
      const at = opens + Math.round((isLate ? late : inTime) / 1_000) * 1_000;
      const said = writeUpdate();
      const isDue = (one: {readonly days: number}) => date >= addDays(span.today, -one.days);
      const lasting = open[0] !== undefined && isDue(open[0]) ? open.shift()?.text : undefined;
      const asks = team.questions.some(({key}) => key === 'stuck');
      const blocker = asks && chance.between(1, 22) === 1 ? chooseBlockerText(team.slug, chance) : undefined;
      const stuck = lasting ?? blocker;
      const mood = Math.min(5, chance.between(3, 6));
      yield {do: 'post', at, ...of, said, stuck, mood, byProgram: chance.between(1, 8) === 1};
      if (chance.between(1, 20) === 1) {
        const done = `${said.done} The numbers are in the ticket.`;
        yield {do: 'edit', at: at + chance.between(3, 40) * minute, ...of, done};
      }
      if (stuck !== undefined && lasting === undefined) {
        yield* generateBlockerEnd({lead: team.people[0] ?? '', author: person.key, text: stuck}, at, chance);
      }
    }
  }
}

/** Acknowledges a blocker within hours, and resolves it within days. */
function* generateBlockerEnd(
  {lead, ...blocker}: {readonly lead: string; readonly author: string; readonly text: string},
  at: number,
  chance: Chance,
): Generator<DemoAct> {
  const seenAt = at + chance.between(20, 300) * minute;
  if (chance.between(1, 3) > 1) yield {do: 'acknowledge', at: seenAt, by: lead, ...blocker};
  const by = chance.pick([lead, blocker.author]);
  yield {do: 'resolve', at: seenAt + chance.between(2, 60) * hour, by, ...blocker};
}

/** Creates two webhooks. One receiver always works; the other was down for a while, and is down again. */
function* generateWebhooks(acts: readonly DemoAct[], {startsAt, endsAt}: DemoPeriod): Generator<DemoAct> {
  const posts = acts.flatMap((act) => (act.do === 'post' && act.at < endsAt ? [act.at] : []));
  const sorted = posts.toSorted((a, b) => a - b);
  const back = (wanted: number) => sorted.at(-wanted) ?? startsAt;
  const madeAt = Math.max(endsAt - 12 * day, startsAt + day);
  yield {do: 'subscribe', at: Math.max(endsAt - 20 * day, startsAt + day), webhook: 'healthy'};
  yield {do: 'subscribe', at: madeAt, webhook: 'failing'};
  const down = Math.max(back(70), madeAt + hour) - 1_000;
  const up = Math.max(back(64), down + hour) + 1_000;
  yield {do: 'answer', at: down, status: 502};
  yield {do: 'answer', at: up, status: 204};
  yield {do: 'replay', at: up + 20 * minute, since: down, until: up};
  yield {do: 'answer', at: Math.min(back(8), endsAt - 70 * minute) - 1_000, status: 503};
}

function findWorkdayFrom(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}
