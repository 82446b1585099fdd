import {useInfiniteQuery} from '@tanstack/react-query';
import {invalidate} from '../api/queries.ts';
import type {SlackTrouble} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {ListRow} from './list-row.tsx';
import {troublesQuery} from './queries.ts';
import {canRetryPosts, findChannelProblem} from './trouble.ts';

export function Troubles() {
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} =
    useInfiniteQuery(troublesQuery);
  const {slack: t} = texts.workspace;
  if (data === undefined) return error !== null && <ProblemNote onRetry={refetch} problem={error} />;
  const rows = data.pages.flatMap(({data: page}) => page);
  return (
    <section aria-labelledby="slack-troubles" className="grid gap-2 border-t border-line pt-3">
      <h3 className="font-bold" id="slack-troubles">
        {t.troubles}
      </h3>
      {rows.length === 0 ? (
        <p className="text-xs text-quiet">{t.noTroubles}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((trouble) => (
            <TroubleRow key={trouble.id} trouble={trouble} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
          {t.more}
        </Button>
      )}
    </section>
  );
}

const tones = {open: 'missed', solving: 'late', solved: 'posted'} as const;

function TroubleRow({trouble}: {readonly trouble: SlackTrouble}) {
  const {slack: t} = texts.workspace;
  const {id, team, reason, since, tried_at: tried, given_up: lost, shown, waiting} = trouble;
  const state = trouble.state === 'open' || trouble.state === 'solving' ? trouble.state : 'solved';
  const retry = useAction(async () => {
    await send('post', '/v1/slack/troubles/{trouble}/retry', {trouble: id});
    toast({text: t.trying({channel: team ?? id})});
    await invalidate('slack_trouble');
  });
  const hasLost = lost.standups + lost.reports > 0;
  const hasShown = shown.standups + shown.reports > 0;
  return (
    <ListRow
      action={
        canRetryPosts(trouble) && (
          <Button isPending={retry.isPending} onPress={() => void retry.run()} size="small">
            {t.tryAgain}
          </Button>
        )
      }
      heading={
        <>
          <bdi>{team ?? t.goneTeam}</bdi> <code>{id}</code>
          <Badge tone={tones[state]}>{t.states[state]}</Badge>
        </>
      }
      label={team ?? id}
    >
      {reason !== null && (
        <p>
          {t.reasons[findChannelProblem(reason)]}{' '}
          <span className="text-xs text-quiet">{t.says({code: reason})}</span>
        </p>
      )}
      {hasLost && <p>{t.givenUp({posts: t.counts(lost)})}</p>}
      {state !== 'open' && hasShown && (
        <p>
          {t.shown({posts: t.counts(shown)})} {waiting > 0 && t.waiting({amount: waiting})}
        </p>
      )}
      <p className="text-xs text-quiet">
        {t.troubleSince} <Stamp instant={since} relative /> · {t.tried} <Stamp instant={tried} relative />
      </p>
      {retry.problem !== undefined && <ProblemNote onRetry={retry.run} problem={retry.problem} />}
    </ListRow>
  );
}
