import {type ReactNode, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Schema, TeamDay} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatDuration, formatViewerAndTeamTime} from '../texts/format.ts';
import {loadTexts, findText, texts} from '../texts/texts.ts';
import {hasDayOff} from './day.ts';

interface LeadParts {
  readonly button: ReactNode;
  readonly note: ReactNode;
}

/** Actions of leads for the day: remind missing members, or open a run when there is none. */
export function useLeadActions(
  day: TeamDay,
  {isPaused, now}: {readonly isPaused: boolean; readonly now: number},
): LeadParts {
  const reminder = useReminderAction(day);
  const opening = useOpenRunAction(day.team);
  if (day.run === null) return isPaused ? {button: null, note: null} : opening;
  const isAnyMissing = day.people.some((person) => person.standups.length === 0 && !hasDayOff(person));
  const isOpen = day.run.state === 'open' && Date.parse(day.run.closes_at) > now;
  const button = isOpen && isAnyMissing ? reminder.button : null;
  return {button, note: reminder.note};
}

function useReminderAction(day: TeamDay): LeadParts {
  const [reminderNote, setReminderNote] = useState<readonly string[]>();
  const {run, isPending, problem} = useAction(() =>
    send('post', '/v1/teams/{team}/reminders', {team: day.team, body: {}}),
  );
  const remind = async (): Promise<void> => {
    setReminderNote(undefined);
    const answer = await run();
    if (answer === undefined) return;
    await loadTexts('leading');
    setReminderNote(describeReminder(day, answer));
  };
  const button = (
    <Button isPending={isPending} onPress={() => void remind()}>
      {texts.today.lead.remind}
    </Button>
  );
  const note = (
    <>
      {problem !== undefined && <ProblemNote onRetry={remind} problem={problem} />}
      {reminderNote !== undefined && (
        <div
          className="flex items-start justify-between gap-2 rounded-md bg-inset py-2 ps-3 pe-2"
          role="status"
        >
          <div>
            {reminderNote.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
          <IconButton
            icon="cross"
            label={texts.parts.dismiss}
            onPress={() => setReminderNote(undefined)}
            size="small"
          />
        </div>
      )}
    </>
  );
  return {button, note};
}

/** Describes a reminder: the people who get it, and those who do not, with the reason. */
function describeReminder(
  day: TeamDay,
  {members, unreachable, not_reminded}: Schema<'AskedReminder'>,
): readonly string[] {
  const say = texts.reminders;
  const names = new Map(day.people.map(({member}) => [member.id, member.name]));
  const listed = (ids: readonly string[]): string => joinNames(ids.map((id) => names.get(id) ?? id));
  const reached = [...Map.groupBy(members, ({channel}) => channel)].map(([channel, those]) => {
    const gaps = {names: listed(those.map(({id}) => id))};
    return channel === 'mail' ? say.remindedByMail(gaps) : say.reminded(gaps);
  });
  const why = [...Map.groupBy(unreachable, ({reason}) => reason)].map(([reason, those]) =>
    (findText(say.unreachable, reason) ?? say.unreachableElse)({
      names: listed(those.map(({id}) => id)),
      count: those.length,
    }),
  );
  const isNone = members.length === 0;
  const unreached =
    why.length === 0 ? [] : [(isNone ? say.noneReached : say.notReached)({why: why.join(' ')})];
  const others = [...Map.groupBy(not_reminded, ({reason}) => reason)].map(([reason, those]) =>
    (findText(say.notReminded, reason) ?? say.notRemindedElse)({
      names: listed(those.map(({member}) => member)),
    }),
  );
  return [...(isNone && why.length === 0 ? [say.noReminders] : []), ...reached, ...unreached, ...others];
}

function joinNames(names: readonly string[]): string {
  const most = 12;
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const joined = shown.join(', ');
  return shown.length === names.length
    ? joined
    : texts.today.zones.andMore({names: joined, more: names.length - shown.length});
}

const choices = [15, 30, 60, 120, 240];

function useOpenRunAction(team: string): LeadParts {
  const [minutes, choose] = useState(60);
  const {run, isPending, problem} = useAction(async () => {
    const made = await send('post', '/v1/teams/{team}/runs', {team, body: {minutes}});
    await invalidate('run');
    toast({
      text: texts.today.lead.opened({
        time: formatViewerAndTeamTime(made.closes_at, made.timezone, made.date),
      }),
    });
  });
  const {lead: say} = texts.today;
  const button = (
    <div className="flex flex-wrap gap-2">
      <Button isPending={isPending} onPress={() => void run()}>
        {say.open}
      </Button>
      <select
        aria-label={say.minutes}
        className="min-h-row cursor-pointer rounded-lg border border-edge bg-card ps-2.5 pe-1.5"
        onChange={({target}) => choose(Number(target.value))}
        value={minutes}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {formatDuration(one)}
          </option>
        ))}
      </select>
    </div>
  );
  return {button, note: problem !== undefined && <ProblemNote problem={problem} />};
}
