import {Link} from '@tanstack/react-router';
import {useEffect, useState} from 'react';
import {followReminder, type ReminderAct, type ReminderDay} from '../api/mail-links.ts';
import {read} from '../api/read.ts';
import {send} from '../api/send.ts';
import {hadSession} from '../api/session.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {type OwnReminder, snoozeReminder} from '../parts/reminders/own-reminder.ts';
import {useAction} from '../parts/use-action.ts';
import {useTitle} from '../parts/use-title.ts';
import {formatDayLong, formatList, formatTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Card} from './card.tsx';

/** Snoozes or skips the day of a reminder. Only a press of a button does, since software opens links too. */
export function ReminderPage({token}: {readonly token: string | undefined}) {
  const t = texts.mailLinks;
  const [day, setDay] = useState<ReminderDay>();
  const {run, isPending, problem} = useAction(async (act: ReminderAct) => {
    if (token === undefined) return;
    const own = day === undefined || 'look' in act ? undefined : await findOwnReminder(day);
    if (day === undefined || 'look' in act || own === undefined) {
      setDay(await followReminder(token, act));
      return;
    }
    await actInSession(day.member, own, act);
    setDay(await followReminder(token, {look: true}));
  });
  useTitle(t.reminder.title);
  useEffect(() => {
    void run({look: true});
    // Runs only once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const isUnknown = token === undefined || problem?.status === 401;
  return (
    <Card title={t.reminder.title}>
      {isUnknown && <p>{t.unknown}</p>}
      {!isUnknown && problem !== undefined && (
        <ProblemNote onRetry={() => void run({look: true})} problem={problem} />
      )}
      {!isUnknown && day !== undefined && <p>{describeDay(day)}</p>}
      <div className="flex flex-wrap gap-3">
        {day?.state === 'open' && (
          <Button isPending={isPending} onPress={() => void run({snooze: 30})}>
            {t.reminder.snooze}
          </Button>
        )}
        {(day?.state === 'open' || day?.state === 'snoozed') && (
          <Button isPending={isPending} onPress={() => void run({skip: true})}>
            {t.reminder.skip}
          </Button>
        )}
        <Link className="inline-flex min-h-11 items-center font-semibold" to="/">
          {t.open}
        </Link>
      </div>
    </Card>
  );
}

/**
 * Returns the reminder of this day, if the person who got it is signed in in this browser. The API knows only
 * their latest reminder: a link to an earlier day acts by itself.
 */
async function findOwnReminder({member, date}: ReminderDay): Promise<OwnReminder | undefined> {
  if (!hadSession()) return undefined;
  const me = await read('/v1/me', {}).catch(() => undefined);
  if (me?.principal.id !== member) return undefined;
  const own = await read('/v1/reminders/own', {});
  return own.date === date ? own : undefined;
}

/** Snoozes or skips as the person who is signed in, as Today does. */
async function actInSession(
  member: string,
  {teams}: OwnReminder,
  act: {readonly snooze: 30} | {readonly skip: true},
): Promise<void> {
  if ('snooze' in act) {
    await snoozeReminder(member);
    return;
  }
  for (const {team, date} of teams)
    await send('post', '/v1/absences', {body: {kind: 'skip', from: date, team}});
}

function describeDay({state, teams, date, until}: ReminderDay): string {
  const t = texts.mailLinks.reminder;
  switch (state) {
    case 'open':
      return t.waits({teams: formatList(teams), count: teams.length});
    case 'snoozed':
      return t.snoozed({time: formatTime(until ?? '')});
    case 'skipped':
      return t.skipped({day: formatDayLong(date)});
    case 'posted':
      return t.posted;
    case 'over':
      return t.over;
  }
}
