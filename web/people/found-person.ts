import {Problem} from '../api/problem.ts';
import type {Schema} from '../api/schema.ts';

/** Maximum number of teams shown with details; with more teams, only their names are shown. */
export const mostTeams = 6;

export interface PersonTeam {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The person's role in the team; known only if the person is the viewer. */
  readonly role?: string;
}

export interface PersonProfile {
  readonly id: string;
  readonly isMe: boolean;
  /** Name of the person; undefined if no data that the session may read contains it. */
  readonly name: string | undefined;
  readonly timezone: string | undefined;
  readonly member: Schema<'Member'> | undefined;
  readonly teams: readonly PersonTeam[];
  /** The person's status today, by team id. */
  readonly days: ReadonlyMap<string, Schema<'DayPerson'>>;
}

export type FoundPerson =
  | {readonly kind: 'loading'}
  | {readonly kind: 'failed'; readonly problem: Error; readonly retry: () => unknown}
  /** `none`: no member has this id. `left`: the member was removed, but a standup of theirs still exists. */
  | {readonly kind: 'none'}
  | {readonly kind: 'found' | 'left' | 'hidden'; readonly person: PersonProfile};

/** Result of a request: its data or its error, once either has arrived. */
interface ReadState<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
}

export interface PersonReads {
  readonly id: string;
  readonly me: Pick<Schema<'Me'>, 'principal' | 'timezone' | 'teams'>;
  readonly member: ReadState<Schema<'Member'>> & {readonly refetch: () => unknown};
  readonly last: ReadState<{readonly data: readonly {readonly author: {readonly name: string}}[]}>;
  readonly listed: ReadState<{readonly data: readonly PersonTeam[]}>;
  readonly today: readonly ReadState<Schema<'TeamDay'>>[];
}

/** Returns the teams of a person: `own` (with roles) if the person is the viewer, otherwise `listed`. */
export function listTeams(
  own: readonly PersonTeam[] | null | undefined,
  listed: readonly PersonTeam[] | undefined,
): readonly PersonTeam[] {
  return own ?? listed ?? [];
}

/** Combines all data about a person. Data is undefined if the session may not request it. */
export function assemblePersonData({id, me, member, last, listed, today}: PersonReads): FoundPerson {
  const isMe = id === me.principal.id;
  const days = new Map(
    today.flatMap(({data}) => {
      const line = data?.people.find((one) => one.member.id === id);
      return data === undefined || line === undefined ? [] : [[data.team_id, line] as const];
    }),
  );
  const isKnown = isMe || member.data !== undefined;
  const isWaiting = member.isLoading || (!isKnown && (last.isLoading || listed.isLoading));
  if (isWaiting || (!isKnown && today.some(({isLoading}) => isLoading))) return {kind: 'loading'};
  const isUnknown = isNotFound(member.error);
  if (member.error !== null && !isUnknown) {
    return {kind: 'failed', problem: member.error, retry: member.refetch};
  }
  const [day] = days.values();
  const person: PersonProfile = {
    id,
    isMe,
    name:
      member.data?.name ?? (isMe ? me.principal.name : (last.data?.data[0]?.author.name ?? day?.member.name)),
    timezone: (isMe ? me.timezone : member.data?.timezone) ?? day?.timezone,
    member: member.data,
    teams: listTeams(isMe ? me.teams : undefined, listed.data?.data),
    days,
  };
  if (isKnown) return {kind: 'found', person};
  if (isUnknown) return person.name === undefined ? {kind: 'none'} : {kind: 'left', person};
  if (isNotFound(last.error) || isNotFound(listed.error)) return {kind: 'none'};
  return {kind: person.name === undefined ? 'hidden' : 'found', person};
}

function isNotFound(error: Error | null): boolean {
  return error instanceof Problem && [400, 404, 410].includes(error.status);
}
