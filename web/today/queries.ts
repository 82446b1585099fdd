import {readQuery} from '../api/read.ts';
import {findTeamsQuery} from '../parts/search-queries.ts';

export const openBlockersQuery = (team: string) =>
  readQuery('listBlockers', '/v1/blockers', {team: [team], state: 'open', limit: 100});

/** The run that opens next; it is read only when the board shows no run. */
export const nextRunQuery = (team: string) =>
  readQuery('previewSchedule', '/v1/teams/{team}/schedule/preview', {team, limit: 1});

export const standupQuery = (standup: string) => readQuery('getStandup', '/v1/standups/{standup}', {standup});

export const teamsQuery = (q: string) => findTeamsQuery(q, 20);
