import {infiniteQueryOptions, keepPreviousData, queryOptions, skipToken} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Team = Schema<'Team'>;
export type TeamChange = Schema<'TeamChange'>;
export type NewSchedule = Schema<'NewSchedule'>;
export type Place = Schema<'TeamMember'>;
export type Member = Schema<'Member'>;

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more, next_cursor}: {has_more: boolean; next_cursor: string | null}) =>
    has_more ? (next_cursor ?? undefined) : undefined,
};

/** Who is in the team, and in which role. */
export const placesQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['listTeamMembers', {team}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {limit: 100, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/teams/{team}/members', {params: {path: {team}, query}, signal}));
    },
  });

/** The same people with their clocks. */
export const profilesQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['listMembers', {team}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {team, limit: 100, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/members', {params: {query}, signal}));
    },
  });

/** People of the workspace by the beginnings of their names; empty: the newest. */
export const findPeopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['listMembers', {q}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/members', {params: {query: {limit: 20, ...(q !== '' && {q})}}, signal})),
    placeholderData: keepPreviousData,
  });

/** How many runs are looked ahead. */
const shownRuns = 15;

/** The next runs by the schedule that is saved; from a day on, where one is chosen. */
export const previewQuery = (team: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['previewSchedule', {team, limit: shownRuns, from}],
    queryFn: ({signal}) => {
      const query = {limit: shownRuns, ...(from !== undefined && {from})};
      return dataOf(api.GET('/v1/teams/{team}/schedule/preview', {params: {path: {team}, query}, signal}));
    },
    placeholderData: keepPreviousData,
  });

/** The same by a schedule that is only thought of. */
export const draftPreviewQuery = (team: string, schedule: NewSchedule | null, from: string | undefined) =>
  queryOptions({
    queryKey: ['previewScheduleDraft', {team, schedule, limit: shownRuns, from}],
    queryFn:
      schedule === null
        ? skipToken
        : ({signal}) => {
            const query = {limit: shownRuns, ...(from !== undefined && {from})};
            const params = {path: {team}, query};
            return dataOf(api.POST('/v1/teams/{team}/schedule/preview', {params, body: {schedule}, signal}));
          },
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
