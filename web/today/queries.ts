import {keepPreviousData, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';

/**
 * Reads a team's day. The date `today` means the day to which a standup would belong if it were posted now.
 */
export const dayQuery = (team: string, date: string) =>
  queryOptions({
    queryKey: ['getTeamDay', {team, date}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/days/{date}', {params: {path: {team, date}}, signal})),
  });

export const openBlockersQuery = (team: string) =>
  queryOptions({
    queryKey: ['listBlockers', {team, state: 'open'}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/blockers', {params: {query: {team, state: 'open', limit: 100}}, signal})),
  });

/** The run that opens next; it is read only when the board shows no run. */
export const nextRunQuery = (team: string) =>
  queryOptions({
    queryKey: ['previewSchedule', {team, limit: 1}],
    queryFn: ({signal}) =>
      dataOf(
        api.GET('/v1/teams/{team}/schedule/preview', {params: {path: {team}, query: {limit: 1}}, signal}),
      ),
  });

/** Teams whose names contain words that begin with the search text; if it is empty, the newest teams. */
export const teamsQuery = (q: string) =>
  queryOptions({
    queryKey: ['listTeams', {q}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams', {params: {query: {limit: 20, ...(q !== '' && {q})}}, signal})),
    placeholderData: keepPreviousData,
  });

export const standupQuery = (standup: string) =>
  queryOptions({
    queryKey: ['getStandup', {standup}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/standups/{standup}', {params: {path: {standup}}, signal})),
  });
