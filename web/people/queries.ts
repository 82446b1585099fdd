import {readPagesQuery, readQuery} from '../api/read.ts';

export const memberQuery = (member: string) => readQuery('getMember', '/v1/members/{member}', {member});

export const teamsOfQuery = (member: string) => readQuery('listTeams', '/v1/teams', {member, limit: 100});

export const membershipQuery = (team: string, member: string) =>
  readQuery('getTeamMember', '/v1/teams/{team}/members/{member}', {team, member});

export const todayQuery = (team: string) =>
  readQuery('getTeamDay', '/v1/teams/{team}/days/{date}', {team, date: 'today'});

/** The latest standup of an author has the author's name, also for viewers who may not read members. */
export const lastStandupQuery = (author: string) =>
  readQuery('listStandups', '/v1/standups', {author, limit: 1});

export const absencesQuery = (member: string) =>
  readPagesQuery('listAbsences', '/v1/absences', {member, limit: 50});

export const blockersQuery = (author: string, state: 'open' | 'resolved') =>
  readPagesQuery('listBlockers', '/v1/blockers', {author, state, limit: 25});

export const participationQuery = (member: string, since: string) =>
  readQuery('getMemberParticipation', '/v1/members/{member}/participation', {member, since});
