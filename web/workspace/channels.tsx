import {useInfiniteQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {buildSlackChannelUrl} from './addresses.ts';
import styles from './page.module.css';
import {channelsQuery, type SlackConnection} from './queries.ts';
import own from './slack.module.css';

/**
 * Lists the channels in which the service posts. Each channel is named by its team, since the service does
 * not know the channel's name.
 */
export function Channels({slack}: {readonly slack: SlackConnection}) {
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} =
    useInfiniteQuery(channelsQuery);
  const {slack: t} = texts.workspace;
  if (data === undefined) return error !== null && <ProblemNote onRetry={refetch} problem={error} />;
  const rows = data.pages.flatMap(({data: page}) => page);
  return (
    <section aria-labelledby="slack-channels" className={own['part']}>
      <h3 id="slack-channels">{t.channels}</h3>
      {rows.length === 0 ? (
        <p className={styles['quiet']}>
          {t.noChannels} {t.noChannelsText}
        </p>
      ) : (
        <ul className={own['rows']}>
          {rows.map(({id, team, team_name: name, posts, trouble}) => (
            <li className={own['row']} key={id}>
              <div className={own['facts']}>
                <p className={own['head']}>
                  <Link dir="auto" params={{team}} to="/t/$team/settings">
                    {name}
                  </Link>
                  {trouble && <Badge tone="missed">{t.hasTrouble}</Badge>}
                </p>
                <p className={styles['quiet']}>
                  {posts.map((one) => t.posts[one === 'reports' ? 'reports' : 'standups']).join(' · ')}
                </p>
              </div>
              <a href={buildSlackChannelUrl(id, slack.slack_workspace?.id)} rel="noreferrer" target="_blank">
                {t.openChannel} <code>{id}</code>
              </a>
            </li>
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
