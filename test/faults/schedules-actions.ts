import type {Chance} from '../support/seeded-random.js';
import type {Action, Oracle, OracleTeam} from './schedules-oracle.js';
import {addDays, dateIn, generateSchedule, timezones} from './schedules-plan.js';

/*
 * Actions of people while schedules run. Each action is some seconds away from every step, so that only one
 * outcome is right; only `generateAtStep` acts at a step. Every step is due at a full or half hour.
 */

const minute = 60_000;
/**
 * Minutes after a step at which people act: soon after the step, between two steps, soon before the next.
 * None is one minute after a step, because `untilIdle` may move the clock by a second at that time.
 */
const minutesOfHalfHour = [0.5, 7, 29];
/** Length of a run that is opened by hand (min). Its closing does not coincide with another step. */
const minutesByHand = 75;

/** Returns times of actions in order: at most `many` between `from` and `until` (ms). */
export function generateMoments(
  chance: Chance,
  [from, until]: readonly [number, number],
  many: number,
): number[] {
  const halfHours = Math.floor((until - from) / (30 * minute));
  const moments = Array.from(
    {length: many},
    () => from + (chance.between(1, halfHours - 1) * 30 + chance.pick(minutesOfHalfHour)) * minute,
  );
  return [...new Set(moments)].toSorted((a, b) => a - b);
}

/**
 * Generates actions that fit the current state of the oracle. The service may refuse them only for reasons
 * that the oracle knows.
 */
export function createActionGenerator(chance: Chance, oracle: Oracle, startsOn: string) {
  const resumptions = new Map<OracleTeam, number>();
  let named = 0;

  const teamOf = () => chance.pick([...oracle.teams.values()]);
  const personOf = (team: OracleTeam) => chance.pick(team.people);

  /**
   * Changes the schedule or the time zone, removes the schedule, or adds one to a team without a schedule.
   */
  function changeOfTeam({planned, schedule, timezone}: OracleTeam): Action {
    const kind = chance.between(1, 6);
    const body =
      schedule === null || kind <= 3
        ? {schedule: generateSchedule(chance, startsOn)}
        : kind <= 5
          ? {timezone: chance.pick(timezones.filter((one) => one !== timezone))}
          : {schedule: null};
    return {do: 'change-team', team: planned.slug, body};
  }

  function enterAbsence(now: number): Action {
    const team = teamOf();
    const {planned, timezone} = personOf(team);
    const today = dateIn(timezone ?? team.timezone, now);
    const from = addDays(today, chance.between(-1, 2));
    const kind = chance.between(1, 3) === 1 ? 'skip' : 'away';
    const until =
      kind === 'skip' ? from : chance.between(1, 6) === 1 ? null : addDays(from, chance.between(0, 4));
    const about = chance.between(1, 5) === 1 ? team.planned.slug : null;
    named += 1;
    return {
      do: 'enter-absence',
      name: `absence ${named}`,
      user: planned.user,
      kind,
      from,
      until,
      team: about,
    };
  }

  /** Takes back a recent absence. Digests follow changes of absences only for two weeks. */
  function takeBackAbsence(now: number): Action | undefined {
    const since = addDays(dateIn('UTC', now), -3);
    const some = [...oracle.absences].filter(
      ([, {from, until}]) => from >= addDays(since, -7) && (until === null || until >= since),
    );
    return some.length === 0 ? undefined : {do: 'take-back-absence', name: chance.pick(some)[0]};
  }

  /**
   * Moves a person to another time zone, unless an opening would then be in the past. The rules do not say
   * whether such a run opens at once.
   */
  function movePerson(now: number): Action | undefined {
    const person = personOf(teamOf());
    const before = person.timezone;
    const timezone = chance.pick(timezones.filter((one) => one !== before));
    const isPast = oracle.opensAtOnce(person, timezone, now);
    return isPast ? undefined : {do: 'change-person', user: person.planned.user, body: {timezone}};
  }

  /** Posts a standup for the next run of a team before the run opens. */
  function postEarly(now: number): Action | undefined {
    const team = teamOf();
    const {planned, timezone} = personOf(team);
    const coming = oracle.comingOf(team);
    const zone = team.schedule?.clock === 'member' ? (timezone ?? team.timezone) : team.timezone;
    if (coming === undefined || coming.date > addDays(dateIn(zone, now), 1)) return undefined;
    const post = {team: team.planned.slug, user: planned.user, date: coming.date};
    return oracle.isPosted(post) ? undefined : {do: 'post', ...post};
  }

  function generateOne(now: number): Action | undefined {
    const kind = chance.between(1, 16);
    if (kind <= 4) return enterAbsence(now);
    if (kind <= 6) return takeBackAbsence(now);
    if (kind <= 8) return changeOfTeam(teamOf());
    if (kind === 9) {
      const team = teamOf();
      if (team.paused) return undefined;
      resumptions.set(team, now + chance.pick([1, 3, 12, 30, 72]) * 60 * minute);
      return {do: 'change-team', team: team.planned.slug, body: {paused: true}};
    }
    if (kind === 10) return movePerson(now);
    if (kind === 11) {
      const {planned, enabled} = personOf(teamOf());
      return {do: 'change-person', user: planned.user, body: {reminders: {enabled: !enabled}}};
    }
    if (kind <= 13) return postEarly(now);
    if (kind === 14) return {do: 'remind', team: teamOf().planned.slug};
    return {do: 'open-run', team: teamOf().planned.slug, minutes: minutesByHand};
  }

  return {
    /**
     * Generates actions for one instant, each after the ones before it are done. Paused teams are resumed.
     */
    *generateSome(now: number, many: number): Generator<Action> {
      for (const [team, at] of resumptions) {
        if (at > now) continue;
        resumptions.delete(team);
        yield {do: 'change-team', team: team.planned.slug, body: {paused: false}};
      }
      for (let i = 0; i < many; i++) {
        const action = generateOne(now);
        if (action !== undefined) yield action;
      }
    },

    /**
     * Changes a schedule or time zone at the exact time at which a step of the team is due. The step must
     * come first.
     */
    generateAtStep(teams: readonly OracleTeam[]): Action | undefined {
      const some = teams.filter(({paused}) => !paused);
      return some.length === 0 || chance.between(1, 12) > 1 ? undefined : changeOfTeam(chance.pick(some));
    },
  };
}
