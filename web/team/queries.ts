import {infiniteQueryOptions, keepPreviousData, queryOptions, skipToken} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Team = Schema<'Team'>;
export type TeamChange = Schema<'TeamChange'>;
export type NewSchedule = Schema<'NewSchedule'>;
export type Membership = Schema<'TeamMember'>;
export type Member = Schema<'Member'>;

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more, next_cursor}: {has_more: boolean; next_cursor: string | null}) =>
    has_more ? (next_cursor ?? undefined) : undefined,
};

/** The members of a team with their roles. */
export const membershipsQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['listTeamMembers', {team}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {limit: 100, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/teams/{team}/members', {params: {path: {team}, query}, signal}));
    },
  });

/** The members of a team with their time zones. */
export const profilesQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['listMembers', {team}],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {team, limit: 100, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/members', {params: {query}, signal}));
    },
  });

/**
 * Members of the workspace whose names contain words that begin with the search text; if it is empty, the
 * newest members.
 */
export const findPeopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['listMembers', {q}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/members', {params: {query: {limit: 20, ...(q !== '' && {q})}}, signal})),
    placeholderData: keepPreviousData,
  });

/** Number of runs that a preview shows. */
const shownRuns = 15;

/** The next runs of the saved schedule, optionally from a given day. */
export const previewQuery = (team: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['previewSchedule', {team, limit: shownRuns, from}],
    queryFn: ({signal}) => {
      const query = {limit: shownRuns, ...(from !== undefined && {from})};
      return dataOf(api.GET('/v1/teams/{team}/schedule/preview', {params: {path: {team}, query}, signal}));
    },
    placeholderData: keepPreviousData,
  });

/** The next runs of an unsaved schedule. */
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
