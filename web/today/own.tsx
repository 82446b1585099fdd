import {useNavigate} from '@tanstack/react-router';
import {lazy, Suspense} from 'react';
import {queryClient} from '../api/queries.ts';
import type {Schema, TeamDay} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {
  formatOtherZoneSuffix,
  dateInZone,
  formatDay,
  formatRelative,
  formatTimeWithDay,
} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type DayPerson, hasDayOff, isFreeDay, predictDayOff, type ShownDay} from './day.ts';

const Snooze = lazy(async () => ({default: (await import('./snooze.tsx')).Snooze}));

/** The time (ms) before closing in which no snooze is possible: the last call, and a minute until it. */
const lastCall = 6 * 60_000;

export function OwnDay({person, ...shown}: ShownDay & {readonly person: DayPerson}) {
  const {day, now} = shown;
  const navigate = useNavigate();
  const {run, problem, isPending} = useDayOff(day, person.member.id);
  const {own: say} = texts.today;
  const {title, text, isFirst} = describeOwnStatus(person, shown);
  const named = nameOtherDay(day, now);
  return (
    <section aria-labelledby="own" className="max-w-[min(100%,460px)] min-w-0">
      <h2 id="own">{title}</h2>
      {text !== '' && <p className="text-quiet">{text}</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          icon="write"
          kind={isFirst ? 'first' : 'plain'}
          onPress={() => void navigate({to: '.', search: (before) => ({...before, write: day.team})})}
        >
          {say.write}
        </Button>
        {!hasDayOff(person) && person.status !== 'not_expected' && (
          <>
            <Button isDisabled={isPending} onPress={() => void run('skip')}>
              {say.skip({day: named})}
            </Button>
            <Button isDisabled={isPending} onPress={() => void run('away')}>
              {say.beAway({day: named})}
            </Button>
          </>
        )}
      </div>
      {maySnooze(person, shown) && (
        <Suspense>
          <Snooze person={person.member.id} />
        </Suspense>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </section>
  );
}

/** True while a run waits for the viewer and leaves time for another reminder. */
function maySnooze({status, closes_at}: DayPerson, {day, when, now}: ShownDay): boolean {
  return (
    when === 'today' &&
    day.run?.state === 'open' &&
    status === 'expected' &&
    closes_at !== null &&
    Date.parse(closes_at) - now > lastCall
  );
}

/** Names the board's day if the viewer's date differs: a run past midnight, or a distant time zone. */
function nameOtherDay({date}: TeamDay, now: number): string | undefined {
  return date === dateInZone(now) ? undefined : formatDay(date, {weekday: 'long', now});
}

function describeOwnStatus(
  person: DayPerson,
  shown: ShownDay,
): {readonly title: string; readonly text: string; readonly isFirst: boolean} {
  const {own: say} = texts.today;
  const {day, team, now} = shown;
  const {status, closes_at} = person;
  if (status === 'away' || status === 'skipped' || status === 'holiday') {
    return {title: say[status], text: say.mayStill, isFirst: false};
  }
  if (status === 'not_expected') return {title: say.notAsked, text: say.mayStill, isFirst: false};
  const closes = closes_at === null ? undefined : Date.parse(closes_at);
  if (closes === undefined || (isFreeDay(shown) && closes > now)) {
    return {title: say.notYet, text: say.anyTime, isFirst: true};
  }
  if (closes <= now) return {title: say.missed, text: describeLate(team), isFirst: true};
  return {
    title: say.notYet,
    text: say.until({
      time: formatTimeWithDay(closes, day.date),
      also: formatOtherZoneSuffix(closes, day.timezone, day.date),
      relative: formatRelative(closes, now),
    }),
    isFirst: true,
  };
}

function describeLate(team: Schema<'Team'> | undefined): string {
  const {own: say} = texts.today;
  if (team === undefined) return '';
  return team.late_policy.accept === 'never' ? say.noMore : say.stillLate;
}

/** Gives the viewer the day off. It is shown at once, and *Undo* reverts it. */
function useDayOff(day: TeamDay, member: string) {
  const queryKey = ['getTeamDay', {team: day.team}];
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({queryKey});
  const show = (next: TeamDay): void => {
    queryClient.setQueriesData<TeamDay>({queryKey}, (shown) => (shown?.date === day.date ? next : shown));
  };
  return useAction(async (kind: 'skip' | 'away') => {
    const named = nameOtherDay(day, Date.now());
    await queryClient.cancelQueries({queryKey});
    show(predictDayOff(day, member, kind === 'skip' ? 'skipped' : 'away'));
    const body =
      kind === 'skip'
        ? ({kind, team: day.team, from: day.date} as const)
        : ({kind, from: day.date, until: day.date} as const);
    try {
      const {id} = await send('post', '/v1/absences', {body});
      const undo = async (): Promise<void> => {
        show(day);
        try {
          await send('delete', '/v1/absences/{absence}', {absence: id});
        } finally {
          await readAgain();
        }
      };
      const {skipDone, awayDone} = texts.today.own;
      toast({text: (kind === 'skip' ? skipDone : awayDone)({day: named}), undo});
    } finally {
      await readAgain();
    }
  });
}
