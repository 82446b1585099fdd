import {keepPreviousData, queryOptions, skipToken} from '@tanstack/react-query';
import {readPagesQuery, readQuery} from '../api/read.ts';
import type {NewSchedule, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';

export type Membership = Schema<'TeamMember'>;

export const membershipsQuery = (team: string) =>
  readPagesQuery('listTeamMembers', '/v1/teams/{team}/members', {team, limit: 100});

export const profilesQuery = (team: string) =>
  readPagesQuery('listMembers', '/v1/members', {team, limit: 100});

export const readersQuery = (team: string) => readQuery('getTeamReaders', '/v1/teams/{team}/readers', {team});

const shownRuns = 15;

/** The next runs of the saved schedule, optionally from a given day. */
export const previewQuery = (team: string, from: string | undefined) => ({
  ...readQuery('previewSchedule', '/v1/teams/{team}/schedule/preview', {team, limit: shownRuns, from}),
  placeholderData: keepPreviousData,
});

export const draftPreviewQuery = (team: string, schedule: NewSchedule | null, from: string | undefined) =>
  queryOptions({
    queryKey: ['previewScheduleDraft', {team, schedule, limit: shownRuns, from}],
    queryFn:
      schedule === null
        ? skipToken
        : ({signal}) => {
            const given = {team, limit: shownRuns, ...(from !== undefined && {from})};
            return send('post', '/v1/teams/{team}/schedule/preview', {...given, body: {schedule}, signal});
          },
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
