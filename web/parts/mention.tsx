import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import {queryClient, teamQuery} from '../api/queries.ts';
import {readQuery} from '../api/read.ts';
import type {TeamDay} from '../api/schema.ts';

const linkClass = 'font-medium decoration-1 underline-offset-3';

/** The name of a mentioned person or team, with a link to their page as long as they exist. */
export function Mention({id, children}: {readonly id: string; readonly children: ReactNode}) {
  return id.startsWith('team_') ? (
    <TeamMention id={id}>{children}</TeamMention>
  ) : (
    <PersonMention id={id}>{children}</PersonMention>
  );
}

function PersonMention({id, children}: {readonly id: string; readonly children: ReactNode}) {
  const isKnown = isOnBoard(id);
  const {data} = useQuery({
    ...readQuery('getMember', '/v1/members/{member}', {member: id}),
    enabled: !isKnown,
  });
  if (!isKnown && data === undefined) return <bdi className="font-medium">{children}</bdi>;
  return (
    <Link className={linkClass} params={{member: id}} to="/people/$member">
      <bdi>{children}</bdi>
    </Link>
  );
}

function TeamMention({id, children}: {readonly id: string; readonly children: ReactNode}) {
  const {data} = useQuery(teamQuery(id));
  if (data === undefined) return <bdi className="font-medium">{children}</bdi>;
  return (
    <Link className={linkClass} params={{team: data.slug}} to="/t/$team">
      <bdi>{children}</bdi>
    </Link>
  );
}

/** True for a person of a board that was read already: most mentions are of the own team. */
function isOnBoard(id: string): boolean {
  return queryClient
    .getQueriesData<TeamDay>({queryKey: ['getTeamDay']})
    .some(([, day]) => day?.people.some(({member}) => member.id === id) === true);
}
