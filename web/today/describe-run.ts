import type {Schema, TeamDay} from '../api/schema.ts';
import {formatDay, formatRelative, formatViewerAndTeamTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {DayPerson, ShownDay} from './day.ts';

interface RunContext extends ShownDay {
  readonly next: Schema<'SchedulePreview'> | undefined;
  readonly own: DayPerson | undefined;
}

/** Counts the people expected to post or, if more people have posted, all of these. */
export function countExpectedOrPosted({expected, posted, late}: TeamDay['counts']): number {
  return Math.max(posted + late, expected);
}

/** Describes how many people have posted, such as `4 of 6 are in`. */
export function describePresence({day: {counts}, when}: ShownDay): string {
  const posted = counts.posted + counts.late;
  if (counts.expected === 0 && posted === 0) return texts.today.noneExpected;
  if (when === 'ahead' && posted === 0) return texts.today.willBeAsked({all: counts.expected});
  return texts.today.in({posted, all: countExpectedOrPosted(counts)});
}

/** Describes the progress of the run in several short texts. They share one line if there is room. */
export function describeRun(context: RunContext): readonly string[] {
  const {day, own, now} = context;
  const {run: say} = texts.today;
  const {run, counts} = day;
  if (run === null) return describeNoRun(context);
  if (run.state === 'cancelled') return [say.cancelled];
  if (run.state === 'missed') return [say.missedRun];
  const adHoc = run.kind === 'ad_hoc' ? [say.adHoc] : [];
  const closes = Date.parse(run.closes_at);
  const time = (instant: number): string => formatViewerAndTeamTime(instant, day.timezone, day.date);
  if (run.state === 'closed' || closes <= now) {
    const missing = counts.expected - counts.posted - counts.late;
    const rest = missing > 0 ? [say.missing({people: missing})] : counts.expected > 0 ? [say.allIn] : [];
    return [say.closed({time: time(closes)}), ...rest, ...adHoc];
  }
  const ownCloses = own?.closes_at ? Date.parse(own.closes_at) : closes;
  if (ownCloses === closes || ownCloses <= now) {
    return [say.closes({time: time(closes), relative: formatRelative(closes, now)}), ...adHoc];
  }
  return [
    say.closesForYou({time: time(ownCloses), relative: formatRelative(ownCloses, now)}),
    say.closesLast({time: time(closes)}),
    ...adHoc,
  ];
}

function describeNoRun({day, team, next, when, now}: RunContext): readonly string[] {
  const {run: say} = texts.today;
  if (when === 'past') return [say.nonePast];
  if (team?.paused === true) return [say.paused];
  if (when === 'ahead') return day.counts.expected === 0 ? [say.noneAhead] : [];
  if (team?.schedule === null) return [say.noSchedule];
  const [run] = next?.runs ?? [];
  if (run === undefined) return next === undefined ? [] : [say.none];
  const time = formatViewerAndTeamTime(run.opens_at, day.timezone, run.date);
  const closes = findLastClosing(day);
  // By the schedule the run should be open already, so the service will open it within moments.
  if (run.date !== day.date && closes > now)
    return [
      say.closes({
        time: formatViewerAndTeamTime(closes, day.timezone, day.date),
        relative: formatRelative(closes, now),
      }),
    ];
  if (run.date === day.date) return [say.opens({time, relative: formatRelative(run.opens_at, now)})];
  return [say.none, say.opensOn({day: formatDay(run.date, {weekday: 'long', now}), time})];
}

/** The latest closing time (ms) of people who are still expected to post; 0 without any. */
function findLastClosing({people}: TeamDay): number {
  const expected = people.filter(({status}) => status === 'expected');
  return Math.max(0, ...expected.map(({closes_at}) => (closes_at === null ? 0 : Date.parse(closes_at))));
}
