import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {invalidate, meQuery} from '../api/queries.ts';
import {readQuery} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {copyText} from '../parts/copy-text.ts';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

/** The viewer's own feeds. Owners and admins could also list those of others. */
const feedsQuery = (member: string) =>
  readQuery('listTokens', '/v1/tokens', {kind: 'calendar', created_by: member, limit: 100});

/** The secret addresses of the viewer's calendar: lists, creates and revokes them. */
export function CalendarFeeds() {
  return (
    <ConfirmFirst scope="tokens:manage">
      <OwnFeeds />
    </ConfirmFirst>
  );
}

function OwnFeeds() {
  const {calendar: t} = texts.people.settings;
  const {data: me} = useQuery(meQuery);
  const {data, error, refetch} = useQuery({
    ...feedsQuery(me?.principal.id ?? ''),
    enabled: me !== undefined,
  });
  const [made, setMade] = useState<Schema<'CreatedCalendarFeed'>>();
  const make = useAction(async () => {
    setMade(await send('post', '/v1/calendar-feeds', {body: {}}));
    await invalidate('access_token');
  });
  return (
    <div className="grid justify-items-start gap-3">
      {data === undefined && error === null && <Skeleton lines={2} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data !== undefined && data.data.length > 0 && (
        <ul aria-label={t.addresses} className="w-full divide-y divide-line rounded-lg border border-line">
          {data.data.map((feed) => (
            <FeedRow feed={feed} key={feed.id} />
          ))}
        </ul>
      )}
      <Button icon="calendar" isPending={make.isPending} onPress={() => void make.run()}>
        {t.make}
      </Button>
      {make.problem !== undefined && <ProblemNote problem={make.problem} />}
      {made !== undefined && (
        <div className="grid max-w-full justify-items-start gap-2 rounded-lg bg-inset p-4" role="status">
          <p>{t.copyNow}</p>
          <code className="font-mono text-xs/5 wrap-anywhere">{made.url}</code>
          <Button icon="copy" onPress={() => void copyText(made.url, t.copied)} size="small">
            {t.copy}
          </Button>
        </div>
      )}
    </div>
  );
}

function FeedRow({feed}: {readonly feed: Schema<'AccessToken'>}) {
  const {calendar: t} = texts.people.settings;
  const {id, name, created_at: madeAt, last_used_at: usedAt} = feed;
  const end = useAction(async () => {
    await send('delete', '/v1/tokens/{token}', {token: id});
    toast({text: t.revoked});
    await invalidate('access_token');
  });
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:text-quiet">
      <Icon name="calendar" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-xs text-quiet">
          {t.madeAt({when: formatTimeSince(madeAt)})}
          {' · '}
          {usedAt === null ? t.notRead : t.read({when: formatTimeSince(usedAt)})}
        </p>
        {end.problem !== undefined && <ProblemNote problem={end.problem} />}
      </div>
      <Button isPending={end.isPending} onPress={() => void end.run()} size="small">
        {t.revoke}
      </Button>
    </li>
  );
}
