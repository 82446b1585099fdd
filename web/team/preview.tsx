import {useQuery} from '@tanstack/react-query';
import {useEffect, useId, useState} from 'react';
import {Problem} from '../api/problem.ts';
import type {Team} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useDebounced} from '../parts/use-debounced.ts';
import {useNow} from '../parts/use-now.ts';
import {formatCity, formatDay, formatList} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {
  listUpcomingClockChanges,
  type ClockChange,
  type ClockLine,
  type ClockPhase,
  splitIntoClockPhases,
} from './clocks.ts';
import {draftPreviewQuery, previewQuery} from './queries.ts';
import {
  describeOddHours,
  formatTimeOnDay,
  formatClockTime,
  type ScheduleDraft,
  toSchedule,
} from './schedule-draft.ts';
import {describeChange, describeNames} from './describe-change.ts';

const panel =
  'grid gap-3 border-t border-line pt-4 *:min-w-0 xl:sticky xl:top-4 xl:border-s xl:border-t-0 xl:ps-8 xl:pt-0';
const changesShown = 4;
const daysBefore = 7;

interface PreviewProps {
  readonly team: Team;
  readonly draft: ScheduleDraft;
  readonly isChanged: boolean;
  readonly isPaused: boolean;
  /** Called with the service's validation error for the draft; undefined if the draft is valid. */
  readonly onRefused: (problem: Problem | undefined) => void;
}

export function Preview({team, draft, isChanged, isPaused, onRefused}: PreviewProps) {
  const t = texts.team.preview;
  const id = useId();
  const [from, setFrom] = useState<string>();
  const debounced = useDebounced(JSON.stringify(toSchedule(draft)), 300);
  const schedule = JSON.parse(debounced) as ReturnType<typeof toSchedule>;
  // The saved preview of a paused team has no runs, so preview its schedule as a draft.
  const isDraft = isChanged || isPaused;
  const saved = useQuery({...previewQuery(team.slug, from), enabled: !isDraft && team.schedule !== null});
  const thought = useQuery(draftPreviewQuery(team.slug, isDraft ? schedule : null, from));
  const {data, error, isPlaceholderData, refetch} = isDraft ? thought : saved;
  const isRefused = error instanceof Problem && error.status === 422;
  const refused = isRefused && isDraft && draft.kind !== 'none' ? error : undefined;
  useEffect(() => onRefused(refused), [onRefused, refused]);
  if (draft.kind === 'none') {
    return (
      <section aria-labelledby={id} className={panel}>
        <h3 className="font-semibold" id={id}>
          {t.title}
        </h3>
        <p className="text-quiet">{t.none}</p>
      </section>
    );
  }
  return (
    <section aria-labelledby={id} className={panel}>
      <h3 className="font-semibold" id={id}>
        {t.title}
      </h3>
      {isChanged && <p className="text-quiet">{t.draft}</p>}
      {draft.paused && <p className="text-quiet">{t.paused}</p>}
      {isRefused && <p className="text-quiet">{t.invalid}</p>}
      {error !== null && !isRefused && <ProblemNote onRetry={refetch} problem={error} />}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data !== undefined && !isRefused && (
        <>
          <UpcomingClockChanges from={from} onFrom={setFrom} runs={data.runs} timezone={data.timezone} />
          <PreviewedPhases isOld={isPlaceholderData} preview={data} />
        </>
      )}
    </section>
  );
}

/** Buttons for the next days on which members' clocks change; a button previews the runs around its day. */
function UpcomingClockChanges({
  runs,
  timezone,
  from,
  onFrom,
}: {
  readonly runs: Parameters<typeof splitIntoClockPhases>[0]['runs'];
  readonly timezone: string;
  readonly from: string | undefined;
  readonly onFrom: (from: string | undefined) => void;
}) {
  const t = texts.team.preview;
  const now = useNow(3_600_000);
  const zones = new Set([timezone, ...runs.flatMap(({members}) => members.map((one) => one.timezone))]);
  const ahead = listUpcomingClockChanges(zones, now).slice(0, changesShown);
  if (ahead.length === 0) return null;
  const today = new Date(now).toISOString().slice(0, 10);
  const starts = ahead.map((change) => {
    const start = new Date(Date.parse(change.date) - daysBefore * 86_400_000).toISOString().slice(0, 10);
    return {...change, start: start < today ? today : start};
  });
  return (
    <div aria-label={t.ahead} className="flex flex-wrap gap-2" role="group">
      <Button aria-pressed={from === undefined} onPress={() => onFrom(undefined)} size="small">
        {t.next}
      </Button>
      {starts.map(({date, start, zones: changedZones}) => (
        <Button
          aria-pressed={from === start}
          icon="clock"
          key={`${date} ${changedZones.join(' ')}`}
          onPress={() => onFrom(start)}
          size="small"
        >
          {t.atChange({day: formatDay(date, {now}), cities: formatList(changedZones.map(formatCity))})}
        </Button>
      ))}
    </div>
  );
}

function PreviewedPhases({
  preview,
  isOld,
}: {
  readonly preview: Parameters<typeof splitIntoClockPhases>[0];
  readonly isOld: boolean;
}) {
  return (
    <ol className="grid gap-3 data-old:opacity-60" data-old={isOld || undefined}>
      {splitIntoClockPhases(preview).map((part) =>
        part.kind === 'phase' ? (
          <PhasePart key={part.dates[0]} phase={part} />
        ) : (
          <ChangePart change={part} key={`${part.date} ${part.zones.join(' ')}`} />
        ),
      )}
    </ol>
  );
}

function PhasePart({phase: {dates, clocks}}: {readonly phase: ClockPhase}) {
  const t = texts.team.preview;
  const day = (date = ''): string => formatDay(date, {weekday: true});
  return (
    <li>
      <h4 className="mb-1 font-medium">
        {dates.length === 1
          ? day(dates[0])
          : t.runs({first: day(dates[0]), last: day(dates.at(-1)), runs: dates.length})}
      </h4>
      <ul className="grid gap-0.5">
        {clocks.map((line) => (
          <ZoneClock key={line.zone} line={line} />
        ))}
      </ul>
    </li>
  );
}

function ZoneClock({line}: {readonly line: ClockLine}) {
  const t = texts.team.preview;
  const {zone, names, reminders, isOdd} = line;
  const window = t.window({
    opens: formatTimeOnDay(line.opens, line.opensOn),
    closes: formatTimeOnDay(line.closes, line.closesOn),
  });
  return (
    <li className="grid grid-cols-[minmax(80px,110px)_minmax(130px,180px)_1fr] items-baseline gap-x-3 border-t border-line py-0.5 *:min-w-0 max-sm:grid-cols-2">
      <span>{formatCity(zone)}</span>
      <span className="grid tabular-nums max-sm:row-span-2">
        {window}
        {reminders.length > 0 && (
          <span className="text-xs text-quiet">
            {t.reminders({times: formatList(reminders.map(formatClockTime))})}
          </span>
        )}
        {isOdd && (
          <span className="inline-flex items-center gap-1 text-xs text-late">
            <Icon name="warning" size={16} />
            {describeOddHours()}
          </span>
        )}
      </span>
      <span className="text-quiet max-sm:col-1" dir="auto">
        {names.length === 0 ? t.noMembers : describeNames(names)}
      </span>
    </li>
  );
}

function ChangePart({change}: {readonly change: ClockChange}) {
  const [what, ...effects] = describeChange(change);
  return (
    <li className="flex gap-2 rounded-sm border-s-3 border-late bg-inset px-3 py-2">
      <Icon name="clock" />
      <div>
        <strong className="font-semibold">{what}</strong>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </div>
    </li>
  );
}
