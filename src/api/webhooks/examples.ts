import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {health} from './health-examples.js';

export const webhook = {
  id: exampleIds.webhook,
  object: 'webhook',
  url: 'https://hooks.example.com/standups',
  events: ['standup.*'],
  teams: [exampleIds.team],
  description: 'Copies standups to the wiki',
  header_names: ['authorization'],
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  concurrency: 4,
  throttle: {max: 10, per_seconds: 1},
  retry_schedule: null,
  ordering: 'none',
  payload: 'full',
  plain_text: false,
  api_version: 'v1',
  signature_versions: ['v1'],
  tls: null,
  created_by: {type: 'member', id: exampleIds.member},
  secret_rotated_at: null,
  public_key: 'whpk_koU9orteht+FhkWV3q3XxYnS7AmjgwCuxlqZ2vYNxL4=',
  revision: 1,
  created_at: '2026-01-19T14:30:02.971Z',
  updated_at: '2026-01-19T14:30:02.971Z',
};

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDt8PMDnXTzAQ=';

export const webhookExamples: Examples = {
  createWebhook: {
    body: {
      url: webhook.url,
      events: ['standup.*'],
      teams: ['platform'],
      description: webhook.description,
      headers: {authorization: 'Bearer of-the-receiver'},
      concurrency: 4,
      throttle: {max: 10, per_seconds: 1},
    },
    answer: {...webhook, secret},
  },
  listWebhooks: {query: {limit: '20', include: 'health'}, answer: lastPage({...webhook, health})},
  getWebhook: {answer: webhook},
  changeWebhook: {
    body: {events: ['standup.*', 'team.*'], teams: null, retry_schedule: [10, 60, 600], ordering: 'per_team'},
    answer: {
      ...webhook,
      events: ['standup.*', 'team.*'],
      teams: null,
      retry_schedule: [10, 60, 600],
      ordering: 'per_team',
      revision: 2,
      updated_at: '2026-11-23T09:00:00.000Z',
    },
  },
  rotateWebhookSecret: {
    body: {overlap_seconds: 3_600},
    answer: {
      ...webhook,
      secret_rotated_at: '2026-11-23T09:00:00.000Z',
      public_key: 'whpk_3O1Q9xXbnGCqRNkI1+Bq3Yo3j3bNp0rVZk7y5qkR2Xs=',
      revision: 2,
      updated_at: '2026-11-23T09:00:00.000Z',
      secret: 'whsec_hRr2m0sQ3w1Zp7vVd8kKq4cFvQbYx2nT9uJ5eLg6aWM=',
      previous_secret_expires_at: '2026-11-23T10:00:00.000Z',
    },
  },
  deleteWebhook: {},
};
