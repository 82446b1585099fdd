import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {getRouteApi} from '@tanstack/react-router';
import {lazy, Suspense, useEffect, useRef, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import type {Member, Schema} from '../api/schema.ts';
import {getScopeExpiry} from '../api/session.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {hasFeature} from '../parts/features.ts';
import {InviteButton} from '../parts/invites/invite-button.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace, mayInvite} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useOpenDialog} from '../parts/use-open-dialog.ts';
import {texts} from '../texts/texts.ts';
import {Erasures, FollowedErasure} from './erasures.tsx';
import {MemberFilters} from './filters.tsx';
import {OpenInvites} from './invites.tsx';
import {lastUsesQuery, membersQuery} from './queries.ts';
import {MemberRow} from './row.tsx';

const MemberForm = lazy(async () => ({default: (await import('./member-form.tsx')).MemberForm}));
const LinkDialog = lazy(async () => ({default: (await import('./link-dialog.tsx')).LinkDialog}));

export function MembersPage() {
  const {data: me, error} = useQuery(meQuery);
  if (me !== undefined) return <Members me={me} />;
  return (
    <>
      <PageHead title={texts.members.title} />
      {error === null ? <Skeleton height={240} /> : <ProblemNote problem={error} />}
    </>
  );
}

const route = getRouteApi('/framed/people');

function Members({me}: {readonly me: Schema<'Me'>}) {
  const t = texts.members;
  const search = route.useSearch();
  const [isAdding, setAdding] = useOpenDialog('member:new');
  useAskedPanel('member', () => setAdding(true));
  const {linked, setLinked, onAdded} = useAddedNotice();
  const list = useInfiniteQuery(membersQuery(search));
  const seen = useLastSeen();
  const isAdmin = managesWorkspace(me);
  const rows = list.data?.pages.flatMap(({data}) => data) ?? [];
  const isFiltered = search.q !== undefined || search.team !== undefined || search.role !== undefined;
  const actions = (
    <>
      {isAdmin && (
        <Button icon="plus" onPress={() => setAdding(true)}>
          {t.form.add}
        </Button>
      )}
      {mayInvite(me) && <InviteButton kind="first" />}
    </>
  );
  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-0! [&>button]:justify-self-start">
      <PageHead actions={actions} sub={t.sub} title={t.title} />
      {search.erasure !== undefined && <FollowedErasure id={search.erasure} />}
      {mayInvite(me) && <OpenInvites />}
      <MemberFilters search={search} />
      {list.error !== null && <ProblemNote onRetry={list.refetch} problem={list.error} />}
      {list.data === undefined && list.error === null && <Skeleton height={240} />}
      {list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
        <Empty
          action={search.q !== undefined && mayInvite(me) && <InviteButton kind="first" sought={search.q} />}
          icon="people"
          text={isFiltered ? t.none.filtered : t.none.text}
          title={t.none.title}
        />
      )}
      {rows.length > 0 && (
        <Card as="div" padding="none">
          <ul aria-label={t.list} className="divide-y divide-line">
            {rows.map((member) => (
              <MemberRow key={member.id} lastSeen={seen.get(member.id)} me={me} member={member} />
            ))}
          </ul>
        </Card>
      )}
      {list.hasNextPage && (
        <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {rows.length === 0 ? t.searchOn : t.more}
        </Button>
      )}
      {isAdmin && <Erasures />}
      {linked !== undefined && (
        <Suspense>
          <LinkDialog member={linked} onClose={() => setLinked(undefined)} />
        </Suspense>
      )}
      {isAdding && (
        <Suspense>
          <MemberForm me={me} onAdded={onAdded} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Announces a new member, with a button that creates a sign-in link for that member (`linked`). */
function useAddedNotice() {
  const [linked, setLinked] = useState<Member>();
  const dismiss = useRef<() => void>(undefined);
  // Dismiss the notice when the viewer leaves this page, since no other page can create the link.
  useEffect(() => () => dismiss.current?.(), []);
  const onAdded = (member: Member): void => {
    const {added, makeLink} = texts.members.form;
    const next = {label: makeLink, run: () => setLinked(member)};
    dismiss.current = toast({text: added({name: member.name}), ...(hasFeature('links') && {next})});
  };
  return {linked, setLinked, onAdded};
}

/** The last activity by member id. Only a session with a recent confirmation may read it. */
function useLastSeen(): ReadonlyMap<string, string> {
  const mayAsk = (getScopeExpiry('tokens:manage') ?? 0) > Date.now();
  const {data} = useQuery({...lastUsesQuery, enabled: mayAsk});
  const seen = new Map<string, string>();
  for (const {holder, last_used_at: used} of data?.data ?? []) {
    if (used !== null && used > (seen.get(holder.id) ?? '')) seen.set(holder.id, used);
  }
  return seen;
}
