import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {readPagesQuery, readQuery} from '../api/read.ts';

export const workspaceQuery = readQuery('getWorkspace', '/v1/workspace', {});

export const slackQuery = readQuery('getSlackConnection', '/v1/slack', {});

export const channelsQuery = readPagesQuery('listSlackChannels', '/v1/slack/channels', {limit: 20});

/** Polling intervals in ms: often while a problem is unsolved, since no event reports its progress. */
const lookMs = {often: 5_000, seldom: 60_000};

export const troublesQuery = infiniteQueryOptions({
  ...readPagesQuery('listSlackTroubles', '/v1/slack/troubles', {limit: 20}),
  refetchInterval: ({state: {data}}) =>
    data?.pages.some(({data: rows}) => rows.some(({state}) => state !== 'solved')) === true
      ? lookMs.often
      : lookMs.seldom,
});

export const sessionsQuery = readQuery('listTokens', '/v1/tokens', {kind: 'session', limit: 100});

const erasureMs = 2_000;

/** The latest erasures, polled while one of them is not done. */
export const erasuresQuery = queryOptions({
  ...readQuery('listErasures', '/v1/erasures', {limit: 20}),
  refetchInterval: ({state: {data}}) =>
    data?.data.some(({state}) => state !== 'done') === true ? erasureMs : false,
});
