import {useQuery} from '@tanstack/react-query';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {ownReminderQuery, snoozeReminder} from '../parts/reminders/own-reminder.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

/** Offers to remind the viewer again later, once they have been reminded. */
export function Snooze({person}: {readonly person: string}) {
  const {data: reminder} = useQuery(ownReminderQuery);
  const {run, isPending, problem} = useAction(() => snoozeReminder(person));
  const {remind: say} = texts.today;
  if (reminder === undefined || reminder.remind_at === null) return null;
  const {snoozed_until: until} = reminder;
  return (
    <div aria-live="polite" className="mt-2">
      {until === null ? (
        <Button icon="clock" isPending={isPending} kind="quiet" onPress={() => void run()}>
          {say.snooze}
        </Button>
      ) : (
        <p className="text-quiet">{say.snoozed({time: formatTime(until)})}</p>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
