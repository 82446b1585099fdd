import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import type {Invite} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {MailState} from '../parts/mail-state.tsx';
import {findTeamsQuery} from '../parts/search-queries.ts';
import {dateInZone, formatDay, formatList} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {invitesQuery} from './queries.ts';

const InviteDetails = lazy(async () => ({
  default: (await import('./invite-details.tsx')).InviteDetails,
}));

/** Lists the open invites that the viewer may see; shows nothing if there are none. */
export function OpenInvites() {
  const t = texts.invites.list;
  const list = useInfiniteQuery(invitesQuery);
  const [opened, setOpened] = useState<string>();
  const nameTeams = useTeamNames();
  const rows = list.data?.pages.flatMap(({data}) => data) ?? [];
  if (rows.length === 0 && !list.hasNextPage) return null;
  return (
    <Card label={t.title} padding="none">
      <h2 className="px-4 pt-3">{t.title}</h2>
      <ul aria-label={t.title} className="divide-y divide-line">
        {rows.map((invite) => (
          <InviteRow
            invite={invite}
            key={invite.id}
            onOpen={() => setOpened(invite.id)}
            teams={nameTeams(invite)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="p-3">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()} size="small">
            {t.more}
          </Button>
        </div>
      )}
      {opened !== undefined && (
        <Suspense>
          <InviteDetails id={opened} nameTeams={nameTeams} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </Card>
  );
}

function InviteRow({
  invite: {email, uses, max_uses, expires_at, mail},
  teams,
  onOpen,
}: {
  readonly invite: Invite;
  readonly teams: string;
  readonly onOpen: () => void;
}) {
  const t = texts.invites.list;
  return (
    <li aria-label={email ?? t.link} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">{email ?? t.link}</p>
        <p className="text-sm text-quiet">
          {teams}
          {max_uses > 1 && ` · ${t.uses({uses, most: max_uses})}`}
          {` · ${t.until({date: formatDay(dateInZone(expires_at))})}`}
          {mail !== null && (
            <>
              {' · '}
              <MailState state={mail.state} />
            </>
          )}
        </p>
      </div>
      <Button aria-label={email === null ? t.linkDetails : t.details({email})} onPress={onOpen} size="small">
        {t.show}
      </Button>
    </li>
  );
}

/** Returns a function that names the teams of an invite. A deleted team has no name. */
function useTeamNames(): (invite: Pick<Invite, 'teams'>) => string {
  const {data} = useQuery(findTeamsQuery('', 100));
  const t = texts.invites.list;
  const names = new Map(data?.data.map(({id, name}) => [id, name]));
  return ({teams}) =>
    teams.length === 0 ? t.noTeam : formatList(teams.map(({team_id: id}) => names.get(id) ?? t.teamGone));
}
