import {useQuery} from '@tanstack/react-query';
import {useEffect, useId, useState} from 'react';
import {Problem} from '../api/problem.ts';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
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
import {draftPreviewQuery, previewQuery, type Team} from './queries.ts';
import styles from './schedule.module.css';
import {
  describeOddHours,
  formatTimeOnDay,
  formatClockTime,
  type ScheduleDraft,
  toSchedule,
} from './schedule-draft.ts';
import {describeChange, describeNames} from './describe-change.ts';

const changesShown = 4;
const daysBefore = 7;

interface PreviewProps {
  readonly team: Team;
  readonly draft: ScheduleDraft;
  readonly isChanged: boolean;
  readonly isPaused: boolean;
  /**
   * Called with the service's validation error for the draft, which the fields show. Undefined: the draft is
   * valid.
   */
  readonly onRefused: (problem: Problem | undefined) => void;
}

/** Shows the next runs by every member's clock, for the saved schedule or for the draft. */
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
      <section aria-labelledby={id} className={styles['preview']}>
        <h3 id={id}>{t.title}</h3>
        <p className={styles['note']}>{t.none}</p>
      </section>
    );
  }
  return (
    <section aria-labelledby={id} className={styles['preview']}>
      <h3 id={id}>{t.title}</h3>
      {isChanged && <p className={styles['note']}>{t.draft}</p>}
      {draft.paused && <p className={styles['note']}>{t.paused}</p>}
      {isRefused && <p className={styles['note']}>{t.invalid}</p>}
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
    <div aria-label={t.ahead} className={styles['from']} role="group">
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
    <ol className={styles['story']} data-old={isOld || undefined}>
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
    <li className={styles['phase']}>
      <h4>
        {dates.length === 1
          ? day(dates[0])
          : t.runs({first: day(dates[0]), last: day(dates.at(-1)), runs: dates.length})}
      </h4>
      <ul className={styles['clocks']}>
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
    <li className={styles['clock']}>
      <span>{formatCity(zone)}</span>
      <span className={styles['times']}>
        {window}
        {reminders.length > 0 && (
          <span className={styles['reminded']}>
            {t.reminders({times: formatList(reminders.map(formatClockTime))})}
          </span>
        )}
        {isOdd && (
          <span className={styles['odd']}>
            <Icon name="warning" size={16} />
            {describeOddHours()}
          </span>
        )}
      </span>
      <span className={styles['who']} dir="auto">
        {names.length === 0 ? t.noMembers : describeNames(names)}
      </span>
    </li>
  );
}

function ChangePart({change}: {readonly change: ClockChange}) {
  const [what, ...effects] = describeChange(change);
  return (
    <li className={styles['change']}>
      <Icon name="clock" />
      <div>
        <strong>{what}</strong>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </div>
    </li>
  );
}

/**
 * Returns the latest value that has stayed the same for `ms` milliseconds, so that not every keystroke is
 * used.
 */
function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
