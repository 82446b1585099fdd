import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useState} from 'react';
import {invalidate, meQuery} from '../api/queries.ts';
import type {InboxItem, Me} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {inboxQuery} from '../parts/inbox-queries.ts';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Segments} from '../parts/segments.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {useTeamName} from '../parts/standups/team-name.tsx';
import {useAction} from '../parts/use-action.ts';
import {inbox} from '../texts/compiled/en/inbox.ts';
import {formatDay} from '../texts/format.ts';
import {addTexts, texts} from '../texts/texts.ts';

addTexts({inbox});

export function InboxPage() {
  const t = texts.inbox;
  const {data: me, error} = useQuery(meQuery);
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const list = useInfiniteQuery(inboxQuery(isUnreadOnly));
  const rows = list.data?.pages.flatMap(({data}) => data) ?? [];
  // No item has a later event than the first, so nothing newer is marked.
  const readAll = useAction(async () => {
    await send('post', '/v1/inbox/read', {body: {until: rows[0]?.latest.sequence ?? 0}});
    await invalidate('inbox_item');
  });
  const hasUnread = (me?.inbox?.unread ?? 0) > 0;
  const mute = useAction(async ({standup, muted}: InboxItem) => {
    await send('post', '/v1/inbox/read', {body: {standups: [standup], muted: !muted}});
    await invalidate('inbox_item');
  });
  const problem = readAll.problem ?? mute.problem ?? list.error ?? error ?? undefined;
  return (
    <div className="max-w-narrow">
      <PageHead
        actions={
          hasUnread &&
          rows.length > 0 && (
            <Button icon="check" isPending={readAll.isPending} onPress={() => void readAll.run()}>
              {t.readAll}
            </Button>
          )
        }
        sub={t.sub}
        title={texts.frame.pages.inbox}
      />
      <div className="mb-4 flex">
        <Segments label={t.shown}>
          {[false, true].map((only) => (
            <button
              aria-current={isUnreadOnly === only ? 'true' : undefined}
              className="cursor-pointer"
              key={String(only)}
              onClick={() => setUnreadOnly(only)}
              type="button"
            >
              {only ? t.unread : t.all}
            </button>
          ))}
        </Segments>
      </div>
      {problem !== undefined && <ProblemNote onRetry={list.refetch} problem={problem} />}
      {list.data === undefined && list.error === null && <Skeleton lines={5} />}
      {list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
        <Empty icon="inbox" {...(isUnreadOnly ? t.allRead : t.empty)} />
      )}
      {rows.length > 0 && me !== undefined && (
        <ol aria-label={t.list} className="divide-y divide-line rounded-lg border border-line bg-card">
          {rows.map((item) => (
            <InboxRow item={item} key={item.standup} me={me} onMute={() => void mute.run(item)} />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <div className="flex justify-center pt-3">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function InboxRow({
  item,
  me,
  onMute,
}: {
  readonly item: InboxItem;
  readonly me: Me;
  readonly onMute: () => void;
}) {
  const t = texts.inbox;
  const team = useTeamName(item.team);
  const {standup, latest, unread, date} = item;
  const of = {author: item.author.name, day: formatDay(date)};
  const isGone = latest.excerpt === null && latest.reason !== 'reaction';
  return (
    <li className="relative grid gap-0.5 px-4 py-3 hover:bg-inset">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          className={`min-w-0 text-ink no-underline after:absolute after:inset-0 ${unread > 0 ? 'font-semibold' : ''}`}
          search={{standup}}
          to="/history"
        >
          {describe(item, me)}
        </Link>
        <span className="flex shrink-0 items-center gap-2 text-quiet">
          {unread > 0 && <Badge tone="accent">{t.new({amount: unread})}</Badge>}
          <Stamp instant={latest.at} relative />
        </span>
      </div>
      {latest.excerpt !== null && (
        <p className="line-clamp-2 text-quiet" dir="auto">
          {latest.excerpt}
        </p>
      )}
      {isGone && <p className="text-quiet italic">{t.deleted}</p>}
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-quiet">
          <bdi>{team}</bdi> · {formatDay(date)}
          {item.muted && ` · ${t.muted}`}
        </p>
        <span className="relative z-1">
          <Button aria-label={item.muted ? t.unmuteOf(of) : t.muteOf(of)} onPress={onMute} size="small">
            {item.muted ? t.unmute : t.mute}
          </Button>
        </span>
      </div>
    </li>
  );
}

function describe({latest, author}: InboxItem, {principal}: Me): string {
  const t = texts.inbox;
  const about = {name: latest.by?.name ?? t.former, author: author.name};
  switch (latest.reason) {
    case 'mention':
      if (latest.comment === null) return t.mention(about);
      return author.id === principal.id ? t.mentionInCommentOnYours(about) : t.mentionInComment(about);
    case 'reply':
      return t.reply(about);
    case 'thread':
      return t.thread(about);
    case 'reaction':
      return t.reaction(about);
    case 'blocker':
      return t.blocker({name: about.name, state: latest.blocker?.state ?? ''});
    default:
      return t.other(about);
  }
}
