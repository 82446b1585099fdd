import {Link} from '@tanstack/react-router';
import {useDeferredValue} from 'react';
import type {Schema} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {StandupCard} from '../parts/standup-card.tsx';
import {findStatusName, StatusMark} from '../parts/status-mark.tsx';
import {formatAge, formatDay, formatZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {ParticipantOutcome, TimedStandup} from './outcomes.ts';

interface RunPeopleProps {
  readonly date: string;
  readonly outcomes: readonly ParticipantOutcome[];
  readonly questions: Schema<'Team'>['questions'] | undefined;
  readonly me: string | undefined;
}

/** Lists the participants by name: first those who posted, then the others with the reasons. */
export function RunPeople({date, outcomes, questions, me}: RunPeopleProps) {
  const say = texts.insights.run;
  // Renders the first people at once; the others are deferred.
  const rendered = useDeferredValue(outcomes, outcomes.slice(0, 12));
  const isIn = ({standups}: ParticipantOutcome) => standups.length > 0;
  const [posted, others] = [rendered.filter(isIn), rendered.filter((one) => !isIn(one))];
  return (
    <>
      {posted.length > 0 && (
        <section aria-label={texts.today.board.in}>
          <h2 className="mb-3">
            {texts.today.board.in}{' '}
            <span className="font-normal text-quiet">{outcomes.filter(isIn).length}</span>
          </h2>
          <ul className="grid gap-3">
            {posted.flatMap((outcome) =>
              outcome.standups.map((standup) => (
                <li
                  className="min-w-0 [contain-intrinsic-block-size:auto_140px] [content-visibility:auto]"
                  key={standup.id}
                >
                  <ParticipantStandup
                    date={date}
                    isMe={outcome.id === me}
                    outcome={outcome}
                    questions={questions}
                    standup={standup}
                  />
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="not-in">
          <h2 className="mb-3" id="not-in">
            {texts.today.absent.title}{' '}
            <span className="font-normal text-quiet">{outcomes.filter((one) => !isIn(one)).length}</span>
          </h2>
          <ul className="grid">
            {others.map((outcome) => (
              <li
                className="flex min-h-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-dashed border-line px-3 py-1.5"
                key={outcome.id}
              >
                <StatusMark status={outcome.status} />
                <span className="min-w-[min(200px,50%)]">
                  {outcome.name === null ? (
                    say.gone
                  ) : (
                    <Link params={{member: outcome.id}} to="/people/$member">
                      <bdi>{outcome.name}</bdi>
                    </Link>
                  )}
                  {outcome.id === me && <span className="text-quiet"> ({texts.parts.you})</span>}
                </span>
                <span className="text-quiet">{outcome.isErased ? say.erased : describeReason(outcome)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface ParticipantStandupProps extends Pick<RunPeopleProps, 'date' | 'questions'> {
  readonly outcome: ParticipantOutcome;
  readonly standup: TimedStandup;
  readonly isMe: boolean;
}

function ParticipantStandup({date, outcome, standup, questions, isMe}: ParticipantStandupProps) {
  const say = texts.insights.run;
  const {name, zone} = outcome;
  const {lateMs, update, answers} = standup;
  const isHidden = update === null && answers === null;
  return (
    <StandupCard
      author={{name: name ?? say.gone, isYou: isMe, zone}}
      badges={
        <>
          <span>{formatZone(zone, standup.created_at)}</span>
          {lateMs !== undefined && (
            <Badge tone="late">{say.lateBy({age: formatAge(Math.max(60_000, lateMs))})}</Badge>
          )}
        </>
      }
      name={
        <Link params={{member: outcome.id}} to="/people/$member">
          {name ?? say.gone}
        </Link>
      }
      questions={questions}
      standup={{...standup, date, late: false, ...(isHidden && {update: say.hidden})}}
    />
  );
}

function describeReason({status, reason, until}: ParticipantOutcome): string {
  const {run, map} = texts.insights;
  const name = findStatusName(status);
  const statusText =
    status === 'away' && until !== null
      ? run.until({status: name, day: formatDay(until, {weekday: 'long'})})
      : name;
  return reason === null ? statusText : map.because({status: statusText, reason});
}
