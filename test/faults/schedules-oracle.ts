import type {PromptAt} from '../../src/domain/schedules/schedule.js';
import type {Chance} from '../support/seeded-random.js';
import {
  addDays,
  dateIn,
  endOfQuiet,
  hasRun,
  instantIn,
  type CompanyPlan,
  type PlannedPerson,
  type PlannedSchedule,
  type PlannedTeam,
  publicHolidays,
} from './schedules-plan.js';

/*
 * The expected outcome of a plan and of the actions during it. The oracle restates the rules of
 * docs/schedules.md and docs/slack.md and moves from instant to instant. It shares no code with the service
 * and computes local times with Temporal.
 */

/** An action of a person through the API. */
export type Action =
  | {
      readonly do: 'change-team';
      readonly team: string;
      readonly body: {
        readonly schedule?: PlannedSchedule | null;
        readonly timezone?: string;
        readonly paused?: boolean;
      };
    }
  | {
      readonly do: 'change-person';
      readonly user: string;
      readonly body: {readonly timezone?: string; readonly reminders?: {readonly enabled: boolean}};
    }
  | ({readonly do: 'enter-absence'; readonly name: string; readonly user: string} & Omit<OwnAbsence, 'user'>)
  | {readonly do: 'take-back-absence'; readonly name: string}
  | {readonly do: 'open-run'; readonly team: string; readonly minutes: number}
  | {readonly do: 'remind'; readonly team: string}
  | ({readonly do: 'post'} & OraclePost);

export interface OraclePost {
  readonly team: string;
  readonly user: string;
  readonly date: string;
}

export interface OwnAbsence {
  readonly user: string;
  readonly kind: 'away' | 'skip';
  /** First and last day of the absence, both included. `until` null: until the absence is taken back. */
  readonly from: string;
  readonly until: string | null;
  /** Slug of the only team that the absence applies to; null: all teams. */
  readonly team: string | null;
}

export interface OraclePerson {
  readonly planned: PlannedPerson;
  timezone: string | null;
  enabled: boolean;
}

export interface OracleTeam {
  readonly planned: PlannedTeam;
  readonly people: readonly OraclePerson[];
  schedule: PlannedSchedule | null;
  timezone: string;
  paused: boolean;
  /** Time since which openings count (ms); earlier ones are over. */
  since: number;
  /** Dates that already have a run, in any state. */
  readonly dates: Set<string>;
}

export interface OracleRun {
  readonly team: OracleTeam;
  readonly date: string;
  readonly timezone: string;
  readonly opens: number;
  readonly closes: number;
  readonly parts: readonly PersonRun[];
  state: 'open' | 'closed' | 'missed' | 'cancelled';
  /** Steps that were not done in time: `open 2027-…`, `remind …`, `close …`. */
  readonly missed: Set<string>;
  /** Time of the last reminder that was requested by hand (ms). */
  asked: number;
}

/** A run as one person sees it. */
interface PersonRun {
  readonly person: OraclePerson;
  readonly opens: number;
  readonly closes: number;
  /** Future times at which the person is prompted. */
  left: readonly OracleMoment[];
}

/** A time at which a person is prompted: the opening, or a reminder before closing. */
interface OracleMoment {
  readonly kind: 'opening' | 'before_closing';
  readonly at: number;
}

/** The direct message that prompts a person on a day. */
export interface OwnPrompt {
  readonly person: OraclePerson;
  readonly date: string;
  readonly runs: Map<OracleRun, number>;
  /** Earliest time at which the message may be sent (ms), after quiet hours. */
  at: number;
  state: 'waiting' | 'sent' | 'void';
  /** Time of the first request for the message on that day (ms), by reason. */
  readonly whys: Map<PromptReason, number>;
  /** Times at which the message notified the person (ms). */
  readonly pings: number[];
}

type PromptReason = OracleMoment['kind'] | 'asked';

export type Status = 'posted' | 'late' | 'missed' | 'away' | 'skipped' | 'holiday';

interface UpcomingRun {
  readonly date: string;
  readonly opens: number;
  readonly closes: number;
  /** Earliest time at which the run can be opened (ms). */
  readonly since: number;
}

const hour = 3_600_000;
/** A step that is later than this time (ms) is recorded as missed. */
const grace = 2 * hour;

/** Creates the oracle, whose time starts at `startAt` (ms). `habits` decides when people post. */
export function createOracle(plan: CompanyPlan, habits: Chance, startAt: number) {
  const people = new Map(
    plan.people.map((planned): [string, OraclePerson] => [
      planned.user,
      {planned, timezone: planned.timezone, enabled: planned.reminders.enabled},
    ]),
  );
  const teams = new Map(
    plan.teams.map((planned): [string, OracleTeam] => [
      planned.slug,
      {
        planned,
        people: planned.people.map(({user}) => personOf(user)),
        schedule: planned.schedule,
        timezone: planned.timezone,
        paused: false,
        since: startAt,
        dates: new Set(),
      },
    ]),
  );
  const runs: OracleRun[] = [];
  const open = new Set<OracleRun>();
  const prompts = new Map<string, OwnPrompt>();
  const waiting = new Set<OwnPrompt>();
  const absences = new Map<string, OwnAbsence>();
  /** Time of each standup (ms). */
  const posted = new Map<string, number>();
  const wishes: (OraclePost & {readonly at: number})[] = [];
  const comings = new Map<OracleTeam, UpcomingRun | undefined>();
  /** Prompts for which both outcomes are right: sent and not sent. */
  const either = new Set<OwnPrompt>();

  for (const {user, away} of plan.people) {
    if (away !== undefined) absences.set(`planned ${user}`, {user, kind: 'away', ...away, team: null});
  }

  function personOf(user: string): OraclePerson {
    const person = people.get(user);
    if (person === undefined) throw new Error(`no person is ${user}`);
    return person;
  }

  function teamOf(slug: string): OracleTeam {
    const team = teams.get(slug);
    if (team === undefined) throw new Error(`no team is ${slug}`);
    return team;
  }

  const postKey = ({team, user, date}: OraclePost) => `${team} ${user} ${date}`;

  /** Returns the reason for a day off. An absence takes precedence over a skip, and a skip over a holiday. */
  function dayOff(
    {planned: {user, holidays}}: OraclePerson,
    date: string,
    team: OracleTeam,
  ): Status | undefined {
    const own = [...absences.values()].filter(
      (one) =>
        one.user === user &&
        one.from <= date &&
        (one.until === null || date <= one.until) &&
        (one.team === null || one.team === team.planned.slug),
    );
    if (own.some(({kind}) => kind === 'away')) return 'away';
    if (own.length > 0) return 'skipped';
    const free = typeof holidays === 'number' ? plan.calendars[holidays] : publicHolidays[holidays ?? ''];
    return free?.includes(date) ? 'holiday' : undefined;
  }

  function hasPosted(team: OracleTeam, {planned}: OraclePerson, date: string): boolean {
    return posted.has(postKey({team: team.planned.slug, user: planned.user, date}));
  }

  /** Returns the start and end of a run for a person, in the person's time zone or the team's. */
  function windowOf(
    team: OracleTeam,
    schedule: PlannedSchedule,
    date: string,
    person: OraclePerson,
  ): PersonRun {
    const timezone = schedule.clock === 'member' ? (person.timezone ?? team.timezone) : team.timezone;
    const {opens, closes, reminders} = schedule;
    const opensAt = instantIn(timezone, date, opens);
    const closesAt = instantIn(timezone, closes > opens ? date : addDays(date, 1), closes);
    const before = reminders.map((minutes) => Math.max(opensAt, closesAt - minutes * 60_000));
    const left: OracleMoment[] = [
      {kind: 'opening', at: opensAt},
      ...before.toSorted((a, b) => a - b).map((at) => ({kind: 'before_closing', at}) as const),
    ];
    return {person, opens: opensAt, closes: closesAt, left};
  }

  /**
   * Finds the next run of a schedule, on the first date whose last opening is not over. People whose window
   * is already over are left out.
   */
  function findComing(team: OracleTeam): UpcomingRun | undefined {
    const {schedule, paused, since} = team;
    if (schedule === null || paused) return undefined;
    for (let date = addDays(dateIn('UTC', since), -2); ; date = addDays(date, 1)) {
      if (!hasRun(schedule, date) || team.dates.has(date)) continue;
      const windows = team.people.map((person) => windowOf(team, schedule, date, person));
      if (Math.max(...windows.map(({opens}) => opens)) < since) continue;
      const there = windows.filter(({closes}) => closes > since);
      const opens = Math.min(...there.map((window) => window.opens));
      const closes = Math.max(...there.map((window) => window.closes));
      return {date, opens, closes, since: Math.max(opens, since)};
    }
  }

  function comingOf(team: OracleTeam): UpcomingRun | undefined {
    if (!comings.has(team)) comings.set(team, findComing(team));
    return comings.get(team);
  }

  function begin(run: OracleRun): void {
    runs.push(run);
    run.team.dates.add(run.date);
    comings.delete(run.team);
    if (run.state !== 'open') return;
    open.add(run);
    for (const part of run.parts) {
      wishToPost(run, part);
      // An opening is no step if no person with these hours is prompted then.
      const isAsked = run.parts.some(
        (one) =>
          one.opens === part.opens && one.closes === part.closes && choiceOf(run, one) !== 'before_closing',
      );
      if (!isAsked) part.left = part.left.filter(({kind}) => kind !== 'opening');
    }
  }

  const choiceOf = ({team}: OracleRun, {person}: PersonRun): PromptAt =>
    person.planned.reminders.prompt_at ?? team.planned.promptAt;

  /**
   * Decides when a person posts: at the opening, after the first reminder, right after closing, or hours
   * later.
   */
  function wishToPost({team, date}: OracleRun, {person, opens, closes, left}: PersonRun): void {
    const kind = habits.between(1, 20);
    const at =
      kind <= 5
        ? opens
        : kind <= 9
          ? left.find((one) => one.kind === 'before_closing')?.at
          : kind === 10
            ? closes
            : kind === 11
              ? closes + habits.between(1, 16) * hour
              : undefined;
    if (at !== undefined) wishes.push({at, team: team.planned.slug, user: person.planned.user, date});
  }

  function openComing(team: OracleTeam, coming: UpcomingRun, now: number): void {
    const {date, opens, closes, since} = coming;
    const {schedule, timezone} = team;
    if (schedule === null) return;
    const isLate = now - since >= grace;
    const isMissed = isLate && closes <= now;
    const parts = team.people
      .map((person) => windowOf(team, schedule, date, person))
      .filter((part) => part.closes > since);
    begin({
      team,
      date,
      timezone,
      opens,
      closes,
      asked: Number.NEGATIVE_INFINITY,
      parts: isMissed ? [] : parts,
      state: isMissed ? 'missed' : 'open',
      missed: new Set(isLate ? [note('open', opens)] : []),
    });
  }

  /**
   * Sends the opening's prompt and the last due reminder, within the grace period and before closing. Others
   * are recorded as missed if the team prompts at that kind of time.
   */
  function remindAll(run: OracleRun, now: number): void {
    for (const part of run.parts) {
      const reached = part.left.filter(({at}) => at <= now);
      if (reached.length === 0) continue;
      part.left = part.left.filter(({at}) => at > now);
      const last = reached.findLast(({kind}) => kind === 'before_closing');
      const due = reached.filter(
        (one) => part.closes > now && now - one.at < grace && (one.kind === 'opening' || one === last),
      );
      const asks = (kind: PromptReason) =>
        run.team.planned.promptAt === 'both' || run.team.planned.promptAt === kind;
      for (const one of reached) {
        const isSent = due.some(({at}) => at === one.at);
        if (!isSent && asks(one.kind)) run.missed.add(note('remind', one.at));
      }
      // A person who is prompted at the opening and before closing is prompted once if both are due in the
      // same minute.
      const choice = choiceOf(run, part);
      const isLater = due.some(({kind, at}) => kind === 'before_closing' && at > part.opens);
      const both = isLater ? 'before_closing' : 'opening';
      const why = due.find(({kind}) => kind === (choice === 'both' ? both : choice))?.kind;
      if (why !== undefined) remind(run, part, now, why);
    }
  }

  function isToPost(run: OracleRun, person: OraclePerson): boolean {
    return !hasPosted(run.team, person, run.date) && dayOff(person, run.date, run.team) === undefined;
  }

  function remind(run: OracleRun, {person, closes}: PersonRun, now: number, why: PromptReason): void {
    const timezone = person.timezone ?? run.timezone;
    const at = endOfQuiet(person.planned.reminders, timezone, now);
    if (!person.enabled || at >= closes || !isToPost(run, person)) return;
    // The message has the date of the day on which it is sent.
    const date = dateIn(timezone, at);
    const key = `${person.planned.user} ${date}`;
    const known = prompts.get(key);
    const prompt: OwnPrompt = known ?? {
      person,
      date,
      runs: new Map(),
      at,
      state: 'waiting',
      whys: new Map(),
      pings: [],
    };
    prompt.runs.set(run, closes);
    if (!prompt.whys.has(why)) prompt.whys.set(why, now);
    if (prompt.state === 'sent' && !isDueAgain(prompt)) return;
    // If quiet hours end when another run postpones the message, sending it at that time or later are both
    // right.
    const mayHaveGone = known?.state === 'waiting' && known.at === now && at > now;
    prompt.at = at;
    prompt.state = 'waiting';
    if (mayHaveGone) either.add(prompt);
    else either.delete(prompt);
    waiting.add(prompt);
    prompts.set(key, prompt);
  }

  /**
   * Whether a sent message must notify again: a reason was added more than a minute after the last
   * notification.
   */
  function isDueAgain({whys, pings}: OwnPrompt): boolean {
    return [...whys.values()].some((at) => at > (pings.at(-1) ?? 0) + 60_000);
  }

  function isOpenFor(prompt: OwnPrompt, now: number): boolean {
    return firstOpen(prompt, now) !== undefined;
  }

  function firstOpen({person, runs: about}: OwnPrompt, now: number): OracleRun | undefined {
    const open = [...about].find(
      ([run, closes]) => run.state === 'open' && now < closes && isToPost(run, person),
    );
    return open?.[0];
  }

  /**
   * Sends the messages that are due, one a day for each person. A prompt that could not be sent on its day
   * becomes part of the message of the day on which it can be sent.
   */
  function sendPrompts(now: number): void {
    for (const prompt of waiting) {
      if (prompt.at > now) continue;
      const {person, date} = prompt;
      const run = firstOpen(prompt, now);
      const timezone = person.timezone ?? run?.timezone ?? 'UTC';
      const quiet = endOfQuiet(person.planned.reminders, timezone, now);
      const isWanted = person.enabled && run !== undefined;
      // The person has changed time zones, or no process ran at the end of quiet hours.
      if (isWanted && quiet > now) prompt.at = quiet;
      if (prompt.at > now) continue;
      waiting.delete(prompt);
      prompt.state = isWanted || prompt.pings.length > 0 ? 'sent' : 'void';
      if (!isWanted) continue;
      either.delete(prompt);
      prompt.at = now;
      const today = dateIn(timezone, now);
      if (today <= date) {
        prompt.pings.push(now);
        continue;
      }
      const key = `${person.planned.user} ${today}`;
      const other = prompts.get(key);
      if (other === undefined) prompts.set(key, {...prompt, date: today, whys: new Map(), pings: [now]});
      else {
        for (const [one, closes] of prompt.runs) if (!other.runs.has(one)) other.runs.set(one, closes);
        if (other.pings.length === 0) {
          waiting.delete(other);
          other.pings.push(now);
          Object.assign(other, {state: 'sent', at: now});
        }
      }
      if (prompt.pings.length === 0) prompts.delete(`${person.planned.user} ${date}`);
    }
  }

  function close(run: OracleRun, now: number): void {
    run.state = 'closed';
    open.delete(run);
    if (now - run.closes >= grace) run.missed.add(note('close', run.closes));
  }

  const oracle = {
    people,
    teams,
    runs,
    prompts,
    either,
    absences,
    comingOf,
    dayOff,

    /** Whether a run would be due to open at once if the person moved to another time zone. */
    opensAtOnce(person: OraclePerson, timezone: string, now: number): boolean {
      const before = person.timezone;
      person.timezone = timezone;
      const own = [...teams.values()].filter((team) => team.people.includes(person));
      const is = own.some((team) => (findComing(team)?.since ?? Infinity) <= now);
      person.timezone = before;
      return is;
    },

    /** Returns the time of the next step, message or standup (ms). */
    next(): number | undefined {
      const all = [...teams.values()].flatMap((team) => comingOf(team)?.since ?? []);
      for (const {closes, parts} of open)
        all.push(closes, ...parts.flatMap(({left}) => left.map(({at}) => at)));
      for (const {at} of waiting) all.push(at);
      for (const {at} of wishes) all.push(at);
      return all.length === 0 ? undefined : Math.min(...all);
    },

    /**
     * Returns the teams with steps due at an instant, whether people are notified then, and whether a run
     * closes.
     */
    dueAt(now: number): {teams: OracleTeam[]; notifies: boolean; closes: boolean} {
      const due = new Set<OracleTeam>();
      let notifies = [...waiting].some(({at}) => at <= now);
      for (const {team, closes, parts} of open) {
        const isHeard = closes <= now || parts.some(({left}) => left.some(({at}) => at <= now));
        notifies ||= isHeard;
        if (isHeard) due.add(team);
      }
      for (const team of teams.values()) if ((comingOf(team)?.since ?? Infinity) <= now) due.add(team);
      return {teams: [...due], notifies, closes: [...open].some(({closes}) => closes <= now)};
    },

    /** Takes all due steps, as late as `now` makes them. */
    advance(now: number): void {
      for (const team of teams.values()) {
        for (
          let coming = comingOf(team);
          coming !== undefined && coming.since <= now;
          coming = comingOf(team)
        )
          openComing(team, coming, now);
      }
      for (const run of open) {
        remindAll(run, now);
        if (run.closes <= now) close(run, now);
      }
      sendPrompts(now);
    },

    /** Returns the standups that people post once all due steps are taken. People who are off seldom post. */
    takeWishes(now: number): OraclePost[] {
      const due = wishes.filter(({at}) => at <= now);
      wishes.splice(0, wishes.length, ...wishes.filter(({at}) => at > now));
      return due.filter((wish) => {
        if (posted.has(postKey(wish))) return false;
        const isOff = dayOff(personOf(wish.user), wish.date, teamOf(wish.team)) !== undefined;
        return !isOff || habits.between(1, 10) === 1;
      });
    },

    /** Applies an action at an instant and returns the expected status of its answer. */
    apply(action: Action, now: number): number {
      switch (action.do) {
        case 'change-team': {
          const team = teamOf(action.team);
          const before = JSON.stringify([team.schedule, team.timezone, team.paused]);
          Object.assign(team, action.body);
          // Runs that have not opened yet count only if they open from now on.
          if (JSON.stringify([team.schedule, team.timezone, team.paused]) !== before) team.since = now;
          comings.delete(team);
          if (!team.paused) return 200;
          for (const run of [...open].filter((one) => one.team === team)) {
            run.state = 'cancelled';
            open.delete(run);
          }
          return 200;
        }
        case 'change-person': {
          const person = personOf(action.user);
          const {timezone, reminders} = action.body;
          if (timezone !== undefined) person.timezone = timezone;
          if (reminders !== undefined) person.enabled = reminders.enabled;
          for (const team of teams.values()) if (team.people.includes(person)) comings.delete(team);
          doubt(person, now);
          return 200;
        }
        case 'enter-absence': {
          const {do: _, name, ...absence} = action;
          absences.set(name, absence);
          return 201;
        }
        case 'take-back-absence': {
          const user = absences.get(action.name)?.user ?? '';
          absences.delete(action.name);
          doubt(personOf(user), now);
          return 204;
        }
        case 'open-run': {
          const team = teamOf(action.team);
          const date = dateIn(team.timezone, now);
          if (team.paused || team.dates.has(date)) return 409;
          const closes = now + action.minutes * 60_000;
          const left = [{kind: 'opening', at: now}] as const;
          const parts = team.people.map((person) => ({person, opens: now, closes, left}));
          const {timezone} = team;
          begin({
            team,
            date,
            timezone,
            opens: now,
            closes,
            parts,
            state: 'open',
            missed: new Set(),
            asked: Number.NEGATIVE_INFINITY,
          });
          // A person who is off at the opening is not asked, even if the absence is taken back at that
          // instant.
          for (const run of open) if (run.team === team) remindAll(run, now);
          sendPrompts(now);
          return 201;
        }
        case 'remind': {
          const team = teamOf(action.team);
          const runs = [...open].filter((one) => one.team === team).toSorted(byDate);
          if (runs.length === 0) return 409;
          if (runs.some((run) => now - run.asked < 5 * 60_000)) return 429;
          for (const run of runs) {
            run.asked = now;
            for (const part of run.parts)
              if (part.opens <= now && now < part.closes) remind(run, part, now, 'asked');
          }
          sendPrompts(now);
          return 202;
        }
        case 'post': {
          posted.set(postKey(action), now);
          return 201;
        }
      }
    },

    /** Returns each person's final status in a run. A standup after the person's closing is late. */
    report({team, date, parts, closes}: OracleRun): ReadonlyMap<OraclePerson, Status> {
      const report = new Map<OraclePerson, Status>();
      for (const person of team.people) {
        const part = parts.find((one) => one.person === person);
        const at = posted.get(postKey({team: team.planned.slug, user: person.planned.user, date}));
        if (at !== undefined) report.set(person, at < (part?.closes ?? closes) ? 'posted' : 'late');
        else if (part !== undefined) report.set(person, dayOff(person, date, team) ?? 'missed');
      }
      return report;
    },

    isPosted: (post: OraclePost) => posted.has(postKey(post)),
  };

  /**
   * Records prompts for which two outcomes are right. A message may become unnecessary during quiet hours and
   * necessary again, and the rules do not say whether it is still sent.
   */
  function doubt(person: OraclePerson, now: number): void {
    for (const prompt of prompts.values()) {
      const isDoubtful = prompt.state === 'void' || (prompt.state === 'sent' && isDueAgain(prompt));
      if (prompt.person !== person || !isDoubtful) continue;
      if (person.enabled && isOpenFor(prompt, now)) either.add(prompt);
    }
  }

  return oracle;
}

export type Oracle = ReturnType<typeof createOracle>;

function byDate(a: OracleRun, b: OracleRun): number {
  return a.date < b.date ? -1 : 1;
}

function note(step: 'open' | 'remind' | 'close', at: number): string {
  return `${step} ${new Date(at).toISOString()}`;
}
