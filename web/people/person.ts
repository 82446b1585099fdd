import {useQueries, useQuery} from '@tanstack/react-query';
import {Problem} from '../api/problem.ts';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {mayUse} from '../parts/rights.ts';
import {lastStandupQuery, memberQuery, teamsOfQuery, todayQuery} from './queries.ts';

/** With more teams than this, only the names are shown. */
export const mostTeams = 6;

export interface PersonTeam {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Known only for the viewer. */
  readonly role?: string;
}

export interface Person {
  readonly id: string;
  readonly isMe: boolean;
  /** Undefined when nothing that the session may read contains it. */
  readonly name: string | undefined;
  readonly timezone: string | undefined;
  readonly member: Schema<'Member'> | undefined;
  readonly teams: readonly PersonTeam[];
  /** Their status today, by team id. */
  readonly days: ReadonlyMap<string, Schema<'DayPerson'>>;
}

export type FoundPerson =
  | {readonly kind: 'loading'}
  | {readonly kind: 'failed'; readonly problem: Error; readonly retry: () => unknown}
  /** `none`: no member has this id. `left`: they were removed, but a standup of theirs still exists. */
  | {readonly kind: 'none'}
  | {readonly kind: 'found' | 'left' | 'hidden'; readonly person: Person};

/** A person by id or `me`, from all that the session may read. */
export function usePerson(reference: string): FoundPerson {
  const {data: me} = useQuery(meQuery);
  const id = reference === 'me' ? (me?.principal.id ?? '') : reference;
  const isMe = id === me?.principal.id;
  const mayRead = (scope: string): boolean => mayUse(me, scope);
  const isReady = me !== undefined;
  const member = useQuery({...memberQuery(id), enabled: isReady && mayRead('members:read')});
  const last = useQuery({...lastStandupQuery(id), enabled: isReady && !isMe && mayRead('standups:read')});
  const listed = useQuery({...teamsOfQuery(id), enabled: isReady && !isMe && mayRead('teams:read')});
  const own = isMe ? me?.teams : undefined;
  const teams: readonly PersonTeam[] = own ?? listed.data?.data ?? [];
  const asked = mayRead('standups:read') ? teams.slice(0, mostTeams) : [];
  const today = useQueries({queries: asked.map(({slug}) => todayQuery(slug))});
  const days = new Map(
    today.flatMap(({data}) => {
      const line = data?.people.find((one) => one.member.id === id);
      return data === undefined || line === undefined ? [] : [[data.team_id, line] as const];
    }),
  );

  if (me === undefined) return {kind: 'loading'};
  const isKnown = isMe || member.data !== undefined;
  const isWaiting = member.isLoading || (!isKnown && (last.isLoading || listed.isLoading));
  if (isWaiting || (!isKnown && today.some(({isLoading}) => isLoading))) return {kind: 'loading'};
  const isUnknown = isMissing(member.error);
  if (member.error !== null && !isUnknown) {
    return {kind: 'failed', problem: member.error, retry: member.refetch};
  }
  const [day] = days.values();
  const person: Person = {
    id,
    isMe,
    name:
      member.data?.name ?? (isMe ? me.principal.name : (last.data?.data[0]?.author.name ?? day?.member.name)),
    timezone: (isMe ? me.timezone : member.data?.timezone) ?? day?.timezone,
    member: member.data,
    teams,
    days,
  };
  if (isKnown) return {kind: 'found', person};
  if (isUnknown) return person.name === undefined ? {kind: 'none'} : {kind: 'left', person};
  if (isMissing(last.error) || isMissing(listed.error)) return {kind: 'none'};
  return {kind: person.name === undefined ? 'hidden' : 'found', person};
}

function isMissing(error: Error | null): boolean {
  return error instanceof Problem && [400, 404, 410].includes(error.status);
}
