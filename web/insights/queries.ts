import {readPagesQuery, readQuery, readRowsQuery} from '../api/read.ts';
import type {TrendStep} from './search.ts';
import type {SpanQuery} from './spans.ts';

export const participationQuery = (team: string, span: SpanQuery) =>
  readQuery('getParticipation', '/v1/teams/{team}/participation', {team, ...span, include: 'days'});

/** The answers and blockers of a team by day or week. */
export const trendsQuery = (team: string, span: Required<SpanQuery>, by: TrendStep) =>
  readQuery('getTrends', '/v1/teams/{team}/trends', {team, ...span, by});

export const weekQuery = (team: string, monday: string) =>
  readQuery('getTeamWeek', '/v1/teams/{team}/weeks/{monday}', {team, monday});

/** Participation by date of the teams of `member`, or of all teams. */
export const teamsQuery = (member: string | undefined, span: SpanQuery) =>
  readPagesQuery('listParticipation', '/v1/participation', {member, ...span, include: 'days', limit: 100});

export const runQuery = (team: string, date: string) =>
  readQuery('getRun', '/v1/teams/{team}/runs/{date}', {team, date});

/** The run of a team before or after a date. */
export const neighbourQuery = (team: string, bound: {readonly since: string} | {readonly until: string}) => {
  const order = 'since' in bound ? 'asc' : 'desc';
  return {
    ...readRowsQuery('listRuns', '/v1/teams/{team}/runs', {team, ...bound, limit: 1, order}),
    select: ([run]: readonly {readonly date: string}[]) => run?.date ?? null,
  };
};
