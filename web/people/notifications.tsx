import {useEffect, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {
  readNotificationState,
  turnNotificationsOff,
  turnNotificationsOn,
} from '../parts/reminders/notifications.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';

/** Turns the notifications of this browser on and off. Permission is asked only after the button is pressed. */
export function Notifications({person}: {readonly person: string}) {
  const [state, setState] = useState(() => readNotificationState(person));
  const {browser: t} = texts.people.settings;
  const {run, isPending, problem} = useAction(async () => setState(await turnNotificationsOn(person)));
  useEffect(() => {
    // People unblock notifications in the browser's settings, beside this page.
    const look = (): void => setState(readNotificationState(person));
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [person]);
  return (
    <Card labelledBy="own-notifications">
      <h2 id="own-notifications">{t.heading}</h2>
      <p>{t.text}</p>
      <div aria-live="polite" className="mt-3 flex flex-wrap items-center gap-3">
        {state !== 'off' && <p className={state === 'on' ? '' : 'text-quiet'}>{t[state]}</p>}
        {state === 'off' && (
          <Button isPending={isPending} onPress={() => void run()}>
            {t.turnOn}
          </Button>
        )}
        {state === 'on' && (
          <Button onPress={() => setState(turnNotificationsOff(person))}>{t.turnOff}</Button>
        )}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Card>
  );
}
