import {keepPreviousData} from '@tanstack/react-query';
import {readQuery} from '../api/read.ts';

/** Teams whose names contain words that begin with the search text; if it is empty, the newest teams. */
export const findTeamsQuery = (q: string, limit: number) => ({
  ...readQuery('listTeams', '/v1/teams', {q: q || undefined, limit}),
  placeholderData: keepPreviousData,
});

/** Members whose names contain words that begin with the text; if it is empty, the newest members. */
export const findMembersQuery = (q: string, limit: number) => ({
  ...readQuery('listMembers', '/v1/members', {q: q || undefined, limit}),
  placeholderData: keepPreviousData,
});
