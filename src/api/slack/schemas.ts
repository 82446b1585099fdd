import {z} from 'zod';
import {id, instant, principalSchema} from '../http/shared-schemas.js';

export const slackConnectionSchema = z
  .object({
    object: z.literal('slack_connection'),
    connected: z.boolean().meta({description: 'As `slack.connected` of the workspace.'}),
    mode: z
      .string()
      .nullable()
      .meta({
        description:
          '`token`: one Slack workspace, by the configuration of the service; `oauth`: whoever installs the bot; null: Slack is not set up.',
        examples: ['oauth'],
      }),
    transport: z
      .string()
      .nullable()
      .meta({
        description: '`http`: Slack calls the service; `socket`: Socket Mode; null: Slack is not set up.',
        examples: ['http'],
      }),
    slack_workspace: z
      .object({id: z.string(), name: z.string(), url: z.string().nullable()})
      .nullable()
      .meta({
        description: 'The Slack workspace or organisation, as Slack names it; the last one once it is gone.',
      }),
    bot_name: z.string().nullable().meta({description: 'The name by which `/invite` knows the bot.'}),
    connected_at: instant
      .nullable()
      .meta({description: 'When the bot was installed last; null where it is set by configuration.'}),
    connected_by: principalSchema
      .nullable()
      .meta({description: 'The member who did; null where that is not known, or they are gone.'}),
    missing_scopes: z
      .array(z.string())
      .meta({description: 'Permissions that the bot needs and its token lacks. Install the bot again.'}),
    missing_optional_scopes: z
      .array(z.string())
      .meta({description: 'Permissions that were left out, and without which the bot does a little less.'}),
    problem: z.string().nullable().meta({
      description:
        'Why Slack does not take the token: its own code, such as `token_revoked`, or `no_answer`. What Slack says is asked anew every 30 seconds at the most.',
    }),
    install_url: z
      .string()
      .nullable()
      .meta({format: 'uri', description: 'Where the bot is installed, once or again, with `oauth`.'}),
    advice: z.string().meta({description: 'How to connect it, or to mend the connection, as it stands.'}),
  })
  .meta({id: 'SlackConnection', description: 'How the workspace is connected to Slack. No secret is in it.'});

export const slackChannelSchema = z
  .object({
    object: z.literal('slack_channel'),
    id: z.string().meta({description: "Slack's id of the channel.", examples: ['C024BE91L']}),
    team: z.string().meta({description: 'Slug of the team whose channel it is.'}),
    team_id: id('team'),
    team_name: z.string(),
    posts: z.array(z.string()).meta({description: '`standups`, `reports`; more may follow.'}),
    trouble: z
      .boolean()
      .meta({description: 'Whether something is not shown there: see the list of troubles.'}),
  })
  .meta({id: 'SlackChannel', description: 'A channel that is posted to.'});

const counts = z.object({standups: z.int(), reports: z.int()});

export const slackTroubleSchema = z
  .object({
    object: z.literal('slack_trouble'),
    id: z.string().meta({description: 'The id of the channel: each has one trouble at most.'}),
    channel_id: z.string().meta({examples: ['C024BE91L']}),
    team: z.string().nullable().meta({description: 'Slug of the team; null when it is gone.'}),
    team_id: id('team').nullable(),
    state: z.string().meta({
      description:
        '`open`: nothing is posted there for now; `solving`: Slack takes posts again; `solved`: all that was held up is shown.',
      examples: ['open'],
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: "Slack's code, such as `not_in_channel`; null where only single posts were given up.",
        examples: ['not_in_channel'],
      }),
    since: instant,
    tried_at: instant.meta({description: 'When it was tried last.'}),
    waiting: z.int().meta({description: 'How many posts are known to wait since it is being solved.'}),
    shown: counts.meta({description: 'What has been posted since it is being solved.'}),
    given_up: counts.meta({
      description:
        'What is not tried again by itself, or of which nobody can find out whether it is there. A retry posts it: look first.',
    }),
  })
  .meta({id: 'SlackTrouble', description: 'Why a channel does not show standups and reports.'});
