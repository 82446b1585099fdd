import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {queryClient} from '../api/queries.ts';
import type {Blocker, Schema} from '../api/schema.ts';
import {AgeBar} from '../parts/blocker-age.tsx';
import {countDaysOpen, longDays} from '../parts/blocker-days.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Hidden} from '../parts/hidden.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {isInTeam} from '../parts/rights.ts';
import {StandupText} from '../parts/standup-text.tsx';
import {texts} from '../texts/texts.ts';
import type {ShownDay} from './day.ts';
import {delayAction, usePendingStates} from './later.ts';
import {openBlockersQuery} from './queries.ts';

export function Blockers({day: {team}, me, isLead, now}: ShownDay) {
  const isMember = me !== undefined && isInTeam(me, team);
  const own = me?.principal;
  const {data, error, refetch} = useQuery(openBlockersQuery(team));
  const {shownAs} = usePendingStates();
  const {blockers: say} = texts.today;
  const open = (data?.data ?? [])
    .flatMap((blocker) => applyPendingState(blocker, shownAs.get(blocker.id), own))
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  return (
    <aside aria-labelledby="blockers">
      <h2 className="mb-2" id="blockers">
        {say.title} {open.length > 0 && <span className="font-normal text-quiet">{open.length}</span>}
      </h2>
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data === undefined && error === null && <Skeleton height={96} />}
      {data !== undefined && open.length === 0 && <p className="text-quiet">{say.none}</p>}
      {open.length > 0 && (
        <Card padding="none" as="div">
          <ul className="divide-y divide-line">
            {open.map((blocker) => (
              <BlockerRow
                blocker={blocker}
                key={blocker.id}
                mayAcknowledge={isMember || isLead || blocker.author.id === own?.id}
                mayResolve={isLead || blocker.author.id === own?.id}
                now={now}
                team={team}
              />
            ))}
          </ul>
        </Card>
      )}
      {data?.has_more === true && <Link to="/blockers">{say.all}</Link>}
    </aside>
  );
}

function applyPendingState(
  blocker: Blocker,
  as: string | undefined,
  me: Schema<'Principal'> | undefined,
): Blocker[] {
  if (as === 'resolved') return [];
  return [as === undefined ? blocker : {...blocker, state: as, acknowledged_by: me ?? null}];
}

interface RowProps {
  readonly blocker: Blocker;
  readonly team: string;
  readonly mayAcknowledge: boolean;
  readonly mayResolve: boolean;
  readonly now: number;
}

function BlockerRow({blocker, team, mayAcknowledge, mayResolve, now}: RowProps) {
  const {id, author, text, state, acknowledged_by} = blocker;
  const {blockers: say} = texts.today;
  const days = countDaysOpen(blocker, now);
  const become = (next: 'acknowledged' | 'resolved', said: string) => (): void =>
    delayAction({id, as: next, text: said, run: (options) => changeBlockerState(team, id, next, options)});
  const isAcknowledged = state === 'acknowledged';
  return (
    <li className="group px-4 pt-3 pb-3.5" data-red={days >= longDays || undefined}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5">
        <PersonName name={author.name} />
        <span className="inline-flex w-full items-center gap-2 text-xs/5 font-medium text-late group-data-red:text-missed">
          <AgeBar days={days} />
          {say.raised({days})}
        </span>
      </div>
      <StandupText text={text} />
      {isAcknowledged && (
        <p className="mt-1 text-xs text-quiet">
          {acknowledged_by?.name ? say.by({name: acknowledged_by.name}) : say.someone}
        </p>
      )}
      {((mayAcknowledge && !isAcknowledged) || mayResolve) && (
        <div className="mt-2.5 flex flex-wrap gap-2">
          {mayAcknowledge && !isAcknowledged && (
            <Button onPress={become('acknowledged', say.acknowledged)} size="small">
              {say.acknowledge}
              <Hidden>({author.name})</Hidden>
            </Button>
          )}
          {mayResolve && (
            <Button onPress={become('resolved', say.resolved)} size="small">
              {say.resolve}
              <Hidden>({author.name})</Hidden>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

async function changeBlockerState(
  team: string,
  id: string,
  state: 'acknowledged' | 'resolved',
  options: {readonly keepalive: boolean},
): Promise<void> {
  const given = {...options, blocker: id, body: {state}};
  const changed = await send('patch', '/v1/blockers/{blocker}', given);
  queryClient.setQueryData(
    openBlockersQuery(team).queryKey,
    (shown) =>
      shown && {
        ...shown,
        data: shown.data.flatMap((one) => (one.id !== id ? [one] : state === 'resolved' ? [] : [changed])),
      },
  );
}
