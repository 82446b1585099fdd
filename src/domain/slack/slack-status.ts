import {z} from 'zod';
import {principalSchema} from '../core/access.js';
import {id, type Infer, instant} from '../core/schemas.js';

export type SlackConnection = Infer<typeof slackConnectionSchema>;

export const slackConnectionSchema = z
  .object({
    object: z.literal('slack_connection'),
    connected: z
      .boolean()
      .meta({description: 'Whether Slack is connected, as in `slack.connected` of the workspace.'}),
    mode: z
      .string()
      .nullable()
      .meta({
        description:
          'The mode. `token`: one Slack workspace, by the configuration of the service. `oauth`: every workspace that installs the bot. Null: Slack is not set up.',
        examples: ['oauth'],
      }),
    transport: z
      .string()
      .nullable()
      .meta({
        description:
          'The transport. `http`: Slack calls the service. `socket`: Socket Mode. Null: Slack is not set up.',
        examples: ['http'],
      }),
    slack_workspace: z
      .object({id: z.string(), name: z.string(), url: z.string().nullable()})
      .nullable()
      .meta({
        description:
          'The Slack workspace or organisation, as Slack names it. After a disconnection it is the last one.',
      }),
    bot_name: z.string().nullable().meta({description: 'The name of the bot for `/invite`.'}),
    connected_at: instant
      .nullable()
      .meta({description: 'When the bot was last installed. Null if it is set by configuration.'}),
    connected_by: principalSchema
      .nullable()
      .meta({description: 'The member who installed the bot. Null if unknown or removed.'}),
    missing_scopes: z.array(z.string()).meta({
      description: 'The required permissions that the token of the bot lacks. Install the bot again.',
    }),
    missing_optional_scopes: z.array(z.string()).meta({
      description: 'Optional permissions that the token lacks. The bot has fewer functions without them.',
    }),
    problem: z.string().nullable().meta({
      description:
        'Why Slack rejects the token: its own code, such as `token_revoked`, or `no_answer`. The service asks Slack at most every 30 seconds.',
    }),
    install_url: z.string().nullable().meta({
      format: 'uri',
      description: 'The URL to install the bot, for the first time or again. Null unless `mode` is `oauth`.',
    }),
    advice: z.string().meta({description: 'How to connect Slack, or to repair the connection.'}),
  })
  .meta({id: 'SlackConnection', description: 'The connection of the workspace to Slack, without secrets.'});

export const slackChannelSchema = z
  .object({
    object: z.literal('slack_channel'),
    id: z.string().meta({description: "Slack's id of the channel.", examples: ['C024BE91L']}),
    team: z.string().meta({description: 'The slug of the team of the channel.'}),
    team_id: id('team'),
    team_name: z.string(),
    posts: z
      .array(z.string())
      .meta({description: 'What is posted: `standups`, `reports`. More values may be added.'}),
    trouble: z
      .boolean()
      .meta({description: 'Whether something could not be posted there: see the list of troubles.'}),
  })
  .meta({id: 'SlackChannel', description: 'A channel that the service posts to.'});

const counts = z.object({standups: z.int(), reports: z.int()});

export const slackTroubleSchema = z
  .object({
    object: z.literal('slack_trouble'),
    id: z.string().meta({description: 'The id of the channel: each has at most one trouble.'}),
    channel_id: z.string().meta({examples: ['C024BE91L']}),
    team: z.string().nullable().meta({description: 'The slug of the team. Null after the team is deleted.'}),
    team_id: id('team').nullable(),
    state: z.string().meta({
      description:
        'The state. `open`: nothing is posted there now. `solving`: Slack accepts posts again. `solved`: all delayed posts were sent.',
      examples: ['open'],
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          "The reason: Slack's code, such as `not_in_channel`. Null if the channel works, and the service gave up only some posts.",
        examples: ['not_in_channel'],
      }),
    since: instant,
    tried_at: instant.meta({description: 'The last retry.'}),
    waiting: z.int().meta({description: 'The known number of waiting posts, while the state is `solving`.'}),
    shown: counts.meta({description: 'The posts sent since the state became `solving`.'}),
    given_up: counts.meta({
      description:
        'The posts that are not retried automatically, or with an unknown result. A retry sends them: check the channel first.',
    }),
  })
  .meta({id: 'SlackTrouble', description: 'A reason why a channel does not show standups and reports.'});
