import {useQuery} from '@tanstack/react-query';
import {Link, useNavigate} from '@tanstack/react-router';
import {useDeferredValue, useMemo, useRef, useState} from 'react';
import {dayQuery, queryClient} from '../api/queries.ts';
import type {Blocker, Schema, TeamDay} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {InviteButton} from '../parts/invites/invite-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayInvite} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {StandupCard} from '../parts/standup-card.tsx';
import {findText, texts} from '../texts/texts.ts';
import {Announce} from './announce.tsx';
import {useArrivedStandups} from './arrivals.ts';
import {type DayStandup, listPosted, type PersonStandup, removeStandups, type ShownDay} from './day.ts';
import {delayAction} from './later.ts';
import {openBlockersQuery, standupQuery} from './queries.ts';

/** In a long list, cards far outside the viewport are neither laid out nor painted. */
const skipped =
  'group-data-many:[contain-intrinsic-block-size:auto_180px] group-data-many:[content-visibility:auto]';

export function Board({day, team, me, isLead, when}: ShownDay) {
  const own = me?.principal.id;
  const {data: blockers} = useQuery(openBlockersQuery(day.team));
  const isAlone = isLead && day.people.every(({member}) => member.id === own);
  const list = useRef<HTMLUListElement>(null);
  const posted = useMemo(() => listPosted(day), [day]);
  const names = useMemo(() => posted.map(({person}) => person.member.name), [posted]);
  const {shown, waiting, isNew, showAll} = useArrivedStandups(posted, {list, own});
  // Renders the first cards at once; the others are deferred.
  const rendered = useDeferredValue(shown, shown.slice(0, 12));
  const byStandup = useMemo(() => Map.groupBy(blockers?.data ?? [], ({standup}) => standup), [blockers]);
  const {board: say} = texts.today;
  return (
    <section aria-label={say.in} className="relative min-w-0">
      <Announce names={names} />
      {waiting > 0 && (
        <div className="sticky top-3 z-5 grid h-0 justify-items-center max-lg:top-[calc(var(--spacing-row)+25px)] *:rounded-[18px]! *:shadow-pop">
          <Button
            kind="first"
            onPress={() => {
              showAll();
              document.getSelection()?.removeAllRanges();
              list.current?.scrollIntoView({block: 'start'});
            }}
          >
            {say.fresh({amount: waiting})}
          </Button>
        </div>
      )}
      {posted.length === 0 ? (
        <Empty
          action={
            isAlone ? (
              <>
                {me !== undefined && mayInvite(me, day.team) && <InviteButton kind="first" team={day.team} />}
                <Link
                  className="inline-flex min-h-11 items-center"
                  params={{team: day.team}}
                  to="/t/$team/settings"
                >
                  {say.addPeople}
                </Link>
              </>
            ) : undefined
          }
          icon="today"
          text={when === 'past' ? say.nothing : isAlone ? say.alone : say.firstWins}
          title={{past: say.noUpdates, today: say.noUpdatesYet, ahead: say.toCome}[when]}
        />
      ) : (
        <ul
          className="group grid scroll-mt-18 grid-cols-1 gap-3"
          data-many={shown.length > 30 || undefined}
          ref={list}
        >
          {rendered.map((one) => (
            <li className={skipped} key={one.standup.id}>
              <DayCard
                blockers={byStandup.get(one.standup.id) ?? []}
                day={day}
                isNew={isNew(one.standup.id)}
                isOwn={one.person.member.id === own}
                posted={one}
                questions={team?.questions}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface DayCardProps {
  readonly posted: PersonStandup;
  readonly day: TeamDay;
  readonly questions: Schema<'Team'>['questions'] | undefined;
  readonly blockers: readonly Blocker[];
  readonly isOwn: boolean;
  readonly isNew: boolean;
}

function DayCard({posted, day, questions, blockers, isOwn, isNew}: DayCardProps) {
  const {person, standup} = posted;
  const {member} = person;
  const {board: say} = texts.today;
  const [isAsked, ask] = useState(false);
  const hasNoText = standup.update === null;
  const whole = useQuery({...standupQuery(standup.id), enabled: isAsked && hasNoText});
  const from = findText(say.from, standup.source);
  // The time of the import says nothing about the standup.
  const isImported = standup.source === 'import';
  const shown = hasNoText ? {...standup, ...readContent(whole.data)} : standup;
  return (
    <StandupCard
      actions={isOwn && <OwnActions day={day} standup={standup} />}
      author={{name: member.name, isYou: isOwn}}
      badges={
        <>
          {from !== undefined && <span>{from}</span>}
          {blockers.length > 0 && (
            <Badge tone="missed">
              {blockers.every(({state}) => state === 'acknowledged') ? say.acknowledged : say.blocked}
            </Badge>
          )}
        </>
      }
      isNew={isNew}
      name={
        <Link params={{member: member.id}} to="/people/$member">
          <bdi>{member.name}</bdi>
        </Link>
      }
      questions={questions}
      standup={{...shown, date: day.date, created_at: isImported ? null : shown.created_at}}
    >
      {shown.update === null && (
        <div className="*:[p]:mb-2 *:[p]:text-quiet">
          {whole.error !== null ? (
            <ProblemNote onRetry={() => whole.refetch()} problem={whole.error} />
          ) : isAsked ? (
            <Skeleton lines={3} />
          ) : (
            <>
              <p>{say.tooLong}</p>
              <Button onPress={() => ask(true)} size="small">
                {say.show}
              </Button>
            </>
          )}
        </div>
      )}
    </StandupCard>
  );
}

function readContent(whole: Schema<'ShownStandup'> | undefined): Partial<DayStandup> {
  return whole === undefined ? {} : {update: whole.update, answers: whole.answers};
}

function OwnActions({day, standup}: {readonly day: TeamDay; readonly standup: DayStandup}) {
  const navigate = useNavigate();
  const {board: say} = texts.today;
  const {id, revision} = standup;
  return (
    <>
      <Button
        kind="quiet"
        onPress={() =>
          void navigate({to: '.', search: (before) => ({...before, edit: id}), resetScroll: false})
        }
        size="small"
      >
        {say.edit}
      </Button>
      <Button
        kind="quiet"
        onPress={() =>
          delayAction({
            id,
            as: 'deleted',
            text: say.deleted({comments: standup.thread.comments}),
            run: (options) => deleteUneditedStandup(day, id, revision, options),
          })
        }
        size="small"
      >
        {say.delete}
      </Button>
    </>
  );
}

/** Deletes a standup only in the revision that was shown: a standup edited in the meantime stays. */
async function deleteUneditedStandup(
  day: TeamDay,
  id: string,
  revision: number,
  options: {readonly keepalive: boolean},
): Promise<void> {
  await send('delete', '/v1/standups/{standup}', {...options, standup: id, revision});
  for (const date of ['today', day.date]) {
    queryClient.setQueryData<TeamDay>(
      dayQuery(day.team, date).queryKey,
      (shown) => shown && removeStandups(shown, (one) => one === id, Date.now()),
    );
  }
}
