import {Link} from '@tanstack/react-router';
import {useEffect, useState} from 'react';
import {followReminder, type ReminderAct, type ReminderDay} from '../api/mail-links.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
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
    if (token !== undefined) setDay(await followReminder(token, act));
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
