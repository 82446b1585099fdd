import type {Run} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {formatViewerAndTeamTime} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';

export function RunReminders({run}: {readonly run: Run}) {
  const say = texts.insights.run;
  const {schedule, missed_steps: missed, timezone, report} = run;
  const unreachable = (report?.lines ?? [])
    .filter(({status}) => status === 'unreachable')
    .map(({member: {name}}) => name ?? say.gone);
  return (
    <Card labelledBy="reminders">
      <h2 id="reminders">{say.reminders}</h2>
      <ul className="mt-1 grid gap-1">
        <li>
          {schedule === null
            ? say.noPlan
            : say.plan({
                minutes: schedule.reminders
                  .toSorted((a, b) => b - a)
                  .map((one) => texts.parts.age.minutes({amount: one}))
                  .join(', '),
              })}
        </li>
        {missed.map(({step, due_at: due}) => (
          <li key={`${step} ${due}`}>
            {(findText(say.missedSteps, step) ?? say.missedSteps.remind)({
              time: formatViewerAndTeamTime(due, timezone, run.date),
            })}
          </li>
        ))}
        {unreachable.length > 0 && <li>{say.unreachable({names: unreachable.join(', ')})}</li>}
      </ul>
    </Card>
  );
}
