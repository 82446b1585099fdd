import {useInfiniteQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {SlackConnection} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {ListRow} from './list-row.tsx';
import {channelsQuery} from './queries.ts';

/** Lists the channels by team, since the service does not know the channels' names. */
export function Channels({slack}: {readonly slack: SlackConnection}) {
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} =
    useInfiniteQuery(channelsQuery);
  const {slack: t} = texts.workspace;
  if (data === undefined) return error !== null && <ProblemNote onRetry={refetch} problem={error} />;
  const rows = data.pages.flatMap(({data: page}) => page);
  return (
    <section aria-labelledby="slack-channels" className="grid gap-2 border-t border-line pt-3">
      <h3 className="font-bold" id="slack-channels">
        {t.channels}
      </h3>
      {rows.length === 0 ? (
        <p className="text-xs text-quiet">
          {t.noChannels} {t.noChannelsText}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map(({id, team, team_name: name, posts, trouble}) => (
            <ListRow
              action={
                <a
                  href={buildSlackChannelUrl(id, slack.slack_workspace?.id)}
                  rel="noreferrer"
                  target="_blank"
                >
                  {t.openChannel} <code>{id}</code>
                </a>
              }
              heading={
                <>
                  <Link dir="auto" params={{team}} to="/t/$team/settings">
                    {name}
                  </Link>
                  {trouble && <Badge tone="missed">{t.hasTrouble}</Badge>}
                </>
              }
              key={id}
            >
              <p className="text-xs text-quiet">
                {posts.map((one) => t.posts[one === 'reports' ? 'reports' : 'standups']).join(' · ')}
              </p>
            </ListRow>
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

/** The URL of a channel in Slack (https://docs.slack.dev/interactivity/deep-linking). */
function buildSlackChannelUrl(channel: string, team: string | undefined): string {
  const query = new URLSearchParams({channel, ...(team !== undefined && {team})});
  return `https://slack.com/app_redirect?${query}`;
}
