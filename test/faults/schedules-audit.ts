import type {Oracle, OracleRun, Status} from './schedules-oracle.js';
import type {CompanyPlan, PlannedTeam} from './schedules-plan.js';
import type {ScheduleStage} from './schedules-stage.js';

/*
 * The final state of runs in the API, the log and Slack, and the expected state, as plain data by team and
 * date.
 */

export interface AuditedRun {
  readonly state: string;
  readonly missed: readonly string[];
  /** Number of people by status, for closed runs only. */
  readonly counts?: Readonly<Partial<Record<Status, number>>>;
  /** Number of events of each type in the log. */
  readonly opened: number;
  readonly closed: number;
  readonly cancelled: number;
  readonly notedAsMissed: boolean;
}

export interface ShownDigest {
  /** Number of messages of the digest, their place, and whether the message of the day exists once. */
  readonly messages: number;
  readonly location: string;
  /** Names of the people with each status, or only their number. */
  readonly says: Readonly<Record<string, readonly string[] | number>>;
  readonly title: string;
}

type ByDay<T> = Record<string, T>;

const counted: readonly Status[] = ['posted', 'late', 'missed', 'away', 'skipped', 'holiday'];

/** The heading of each part of a digest, and the status of the people in that part. */
const headings: Readonly<Record<string, Status>> = {
  posted: 'posted',
  late: 'late',
  away: 'away',
  'on holiday': 'holiday',
  skipped: 'skipped',
  missing: 'missed',
};

export function expectedRuns(oracle: Oracle): ByDay<AuditedRun> {
  const shown = oracle.runs.map((run): [string, AuditedRun] => {
    const {state, missed} = run;
    const report = [...oracle.report(run).values()];
    const counts = counted.map((status) => [status, report.filter((one) => one === status).length]);
    return [
      dayOf(run),
      {
        state,
        missed: [...missed].toSorted(),
        ...(state === 'closed' && {counts: Object.fromEntries(counts)}),
        opened: state === 'missed' ? 0 : 1,
        closed: state === 'closed' ? 1 : 0,
        cancelled: state === 'cancelled' ? 1 : 0,
        notedAsMissed: missed.size > 0,
      },
    ];
  });
  return sorted(shown);
}

export async function readRuns(stage: ScheduleStage, {teams}: CompanyPlan): Promise<ByDay<AuditedRun>> {
  const notified = new Map<string, number>();
  for (const {type, data} of await stage.listEvents()) {
    if (!type.startsWith('run.')) continue;
    const key = `${type} ${data.team_id} ${data.date}`;
    notified.set(key, (notified.get(key) ?? 0) + 1);
  }
  const shown: [string, AuditedRun][] = [];
  for (const {slug} of teams) {
    for (const {date, state, missed_steps, counts} of await stage.listRuns(slug)) {
      const times = (type: string) => notified.get(`run.${type} ${stage.ids.get(slug)} ${date}`) ?? 0;
      shown.push([
        `${slug} ${date}`,
        {
          state,
          missed: missed_steps
            .map(({step, due_at}) => `${step} ${new Date(due_at).toISOString()}`)
            .toSorted(),
          ...(state === 'closed' && {
            counts: Object.fromEntries(counted.map((status) => [status, counts[status] ?? 0])),
          }),
          opened: times('opened'),
          closed: times('closed'),
          cancelled: times('cancelled'),
          notedAsMissed: times('missed') > 0,
        },
      ]);
    }
  }
  return sorted(shown);
}

/** The expected digests: one for each run that closed in time, in teams that want digests. */
export function expectedDigests(oracle: Oracle): ByDay<ShownDigest> {
  const shown = oracle.runs.flatMap((run): [string, ShownDigest][] => {
    const {planned} = run.team;
    const isTooLate = [...run.missed].some((step) => step.startsWith('close'));
    if (run.state !== 'closed' || isTooLate || planned.digest === 'off') return [];
    const report = oracle.report(run);
    const having = (status: Status) =>
      [...report].flatMap(([person, one]) => (one === status ? [person.planned.name] : [])).toSorted();
    const count = (...some: readonly Status[]) => some.flatMap(having).length;
    const said = counted.flatMap((status): [string, string[] | number][] => {
      const names = having(status);
      if (names.length === 0) return [];
      return [[status, status === 'missed' && !planned.namesMissing ? names.length : names]];
    });
    const [posted, of] = [count('posted', 'late'), count('posted', 'late', 'missed')];
    return [
      [
        dayOf(run),
        {
          messages: 1,
          location: planned.digest,
          says: Object.fromEntries(said),
          title: of === 0 ? '' : `${posted} of ${of} posted`,
        },
      ],
    ];
  });
  return sorted(shown);
}

export function readDigests(stage: ScheduleStage, {teams}: CompanyPlan): ByDay<ShownDigest> {
  const shown = new Map<string, ShownDigest>();
  for (const team of teams) {
    const days = new Map<string, string[]>();
    const messages = stage.listChannel(team.channel);
    for (const {ts, metadata} of messages) {
      const {date} = metadata.event_payload;
      if (metadata.event_type === 'standup_day')
        days.set(String(date), [...(days.get(String(date)) ?? []), ts]);
    }
    for (const {metadata, text, thread_ts: thread} of messages) {
      if (metadata.event_type !== 'standup_digest') continue;
      const date = String(metadata.event_payload['date']);
      const key = `${team.slug} ${date}`;
      const parents = days.get(date) ?? [];
      const isUnderDay = parents.length === 1 && parents[0] === thread;
      const location = thread === undefined ? 'channel' : isUnderDay ? 'thread' : 'elsewhere';
      shown.set(key, {messages: (shown.get(key)?.messages ?? 0) + 1, location, ...read(text, team)});
    }
  }
  return sorted([...shown]);
}

/** Parses a digest. Empty lines separate its parts, each with a heading and one name in each line. */
function read(text: string, {namesMissing}: PlannedTeam): Pick<ShownDigest, 'says' | 'title'> {
  const [head = '', ...parts] = text.split('\n\n');
  const says = parts.map((part): [string, string[] | number] => {
    const [heading = '', ...lines] = part.split('\n');
    const [, count, what = ''] = /^(\d+) (.*)$/.exec(heading) ?? [];
    const status = headings[what] ?? heading;
    const names = lines.flatMap((line) => /Person \d+/.exec(line)?.[0] ?? []).toSorted();
    return [status, status === 'missed' && !namesMissing ? Number(count) : names];
  });
  const order = (status: string) => counted.indexOf(status as Status);
  says.sort(([a], [b]) => order(a) - order(b));
  return {says: Object.fromEntries(says), title: /\d+ of \d+ posted/.exec(head)?.[0] ?? ''};
}

function dayOf({team, date}: OracleRun): string {
  return `${team.planned.slug} ${date}`;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): ByDay<T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Compares two accounts and returns both versions of the days on which they differ. */
export function differences<T>(
  expected: ByDay<T>,
  shown: ByDay<T>,
): ByDay<{expected: T | undefined; shown: T | undefined}> {
  const days = [...new Set([...Object.keys(expected), ...Object.keys(shown)])].toSorted();
  return Object.fromEntries(
    days
      .map((day) => [day, {expected: expected[day], shown: shown[day]}] as const)
      .filter(([, both]) => JSON.stringify(both.expected) !== JSON.stringify(both.shown)),
  );
}
