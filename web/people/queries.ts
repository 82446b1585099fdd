import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';

interface PageInfo {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more, next_cursor}: PageInfo) =>
    has_more ? (next_cursor ?? undefined) : undefined,
};

export const memberQuery = (member: string) =>
  queryOptions({
    queryKey: ['getMember', {member}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/members/{member}', {params: {path: {member}}, signal})),
  });

export const teamsOfQuery = (member: string) =>
  queryOptions({
    queryKey: ['listTeams', {member}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/teams', {params: {query: {member, limit: 100}}, signal})),
  });

export const membershipQuery = (team: string, member: string) =>
  queryOptions({
    queryKey: ['getTeamMember', {team, member}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/members/{member}', {params: {path: {team, member}}, signal})),
  });

export const todayQuery = (team: string) =>
  queryOptions({
    queryKey: ['getTeamDay', {team, date: 'today'}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/days/{date}', {params: {path: {team, date: 'today'}}, signal})),
  });

/**
 * The latest standup of an author. It contains the author's name, also for viewers who may not read members.
 */
export const lastStandupQuery = (author: string) =>
  queryOptions({
    queryKey: ['listStandups', {author, limit: 1}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/standups', {params: {query: {author, limit: 1}}, signal})),
  });

export const absencesQuery = (member: string) =>
  infiniteQueryOptions({
    queryKey: ['listAbsences', {member}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {member, limit: 50, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/absences', {params: {query}, signal}));
    },
  });

export const blockersQuery = (author: string, state: 'open' | 'resolved') =>
  infiniteQueryOptions({
    queryKey: ['listBlockers', {author, state}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {author, state, limit: 25, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/blockers', {params: {query}, signal}));
    },
  });

export const participationQuery = (member: string, since: string) =>
  queryOptions({
    queryKey: ['getMemberParticipation', {member, since}],
    queryFn: ({signal}) => {
      const params = {path: {member}, query: {since}};
      return dataOf(api.GET('/v1/members/{member}/participation', {params, signal}));
    },
  });
