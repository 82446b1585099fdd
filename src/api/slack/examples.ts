import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member} from '../members/examples.js';

const channel = exampleIds.trouble;

const trouble = {
  object: 'slack_trouble',
  id: channel,
  channel_id: channel,
  team: 'platform',
  team_id: exampleIds.team,
  state: 'open',
  reason: 'not_in_channel',
  since: '2026-11-23T09:02:11.000Z',
  tried_at: '2026-11-23T09:08:12.000Z',
  waiting: 0,
  shown: {standups: 0, reports: 0},
  given_up: {standups: 0, reports: 0},
};

export const slackExamples: Examples = {
  getSlackConnection: {
    answer: {
      object: 'slack_connection',
      connected: true,
      mode: 'oauth',
      transport: 'http',
      slack_workspace: {id: 'T024BE7LD', name: 'Example Inc', url: 'https://example.slack.com/'},
      bot_name: 'standup',
      connected_at: '2026-01-05T09:00:00.500Z',
      connected_by: {type: 'member', id: member.id, name: member.name},
      missing_scopes: [],
      missing_optional_scopes: ['channels:history', 'groups:history'],
      problem: null,
      install_url: 'https://standup.example.net/slack/install',
      advice:
        'Anyone who can add apps to the Slack workspace opens https://standup.example.net/slack/install again to grant a missing permission, or to renew the token.',
    },
  },
  disconnectSlack: {},
  listSlackChannels: {
    answer: lastPage({
      object: 'slack_channel',
      id: channel,
      team: 'platform',
      team_id: exampleIds.team,
      team_name: 'Platform',
      posts: ['standups', 'reports'],
      trouble: true,
    }),
  },
  listSlackTroubles: {answer: lastPage(trouble)},
  retrySlackTrouble: {answer: trouble},
};
