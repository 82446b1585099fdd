import {useInfiniteQuery, useQueryClient} from '@tanstack/react-query';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {words} from '../words/words.ts';
import styles from './page.module.css';
import {channelsQuery, retryTrouble, type SlackTrouble, troublesQuery} from './queries.ts';
import own from './slack.module.css';
import {canRetry, reasonOf} from './trouble.ts';

/** Channels with missing posts, and the advice for each. */
export function Troubles() {
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} =
    useInfiniteQuery(troublesQuery);
  const {slack: texts} = words.workspace;
  if (data === undefined) return error !== null && <ProblemNote onRetry={refetch} problem={error} />;
  const rows = data.pages.flatMap(({data: page}) => page);
  return (
    <section aria-labelledby="slack-troubles" className={own['part']}>
      <h3 id="slack-troubles">{texts.troubles}</h3>
      {rows.length === 0 ? (
        <p className={styles['quiet']}>{texts.noTroubles}</p>
      ) : (
        <ul className={own['rows']}>
          {rows.map((trouble) => (
            <Trouble key={trouble.id} trouble={trouble} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
          {texts.more}
        </Button>
      )}
    </section>
  );
}

const tones = {open: 'missed', solving: 'late', solved: 'posted'} as const;

function Trouble({trouble}: {readonly trouble: SlackTrouble}) {
  const client = useQueryClient();
  const {slack: texts} = words.workspace;
  const {id, team, reason, since, tried_at: tried, given_up: lost, shown, waiting} = trouble;
  const state = trouble.state === 'open' || trouble.state === 'solving' ? trouble.state : 'solved';
  const retry = useAction(async () => {
    await retryTrouble(id);
    toast({text: texts.trying(team ?? id)});
    await Promise.all([client.invalidateQueries(troublesQuery), client.invalidateQueries(channelsQuery)]);
  });
  const hasLost = lost.standups + lost.reports > 0;
  const hasShown = shown.standups + shown.reports > 0;
  return (
    <li aria-label={team ?? id} className={own['row']}>
      <div className={own['facts']}>
        <p className={own['head']}>
          <bdi>{team ?? texts.goneTeam}</bdi> <code>{id}</code>
          <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        </p>
        {reason !== null && (
          <p>
            {texts.reasons[reasonOf(reason)]} <span className={styles['quiet']}>{texts.says(reason)}</span>
          </p>
        )}
        {hasLost && <p>{texts.givenUp(lost)}</p>}
        {state !== 'open' && hasShown && (
          <p>
            {texts.shown(shown)} {waiting > 0 && texts.waiting(waiting)}
          </p>
        )}
        <p className={styles['quiet']}>
          {texts.troubleSince} <Stamp instant={since} relative /> · {texts.tried}{' '}
          <Stamp instant={tried} relative />
        </p>
        {retry.problem !== undefined && <ProblemNote onRetry={retry.run} problem={retry.problem} />}
      </div>
      {canRetry(trouble) && (
        <Button isPending={retry.isPending} onPress={() => void retry.run()} size="small">
          {texts.tryAgain}
        </Button>
      )}
    </li>
  );
}
