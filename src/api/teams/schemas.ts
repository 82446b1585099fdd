import {reasonAudiences} from '../../domain/absences/absence.js';
import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {
  slackDigests,
  slackMentions as mentionChoices,
  slackPostModes,
  teamDefaults,
} from '../../domain/teams/team.js';
import {isSlug} from '../../domain/core/text.js';
import {newQuestionsSchema, questionSchema} from '../questions/schemas.js';
import {latePolicySchema, newScheduleSchema, promptAt, scheduleSchema} from '../schedules/schemas.js';
import {
  id,
  pageParameters,
  personParameter,
  personText,
  resource,
  searchText,
  text,
  timezone,
} from '../http/shared-schemas.js';

export const slug = z
  .string()
  .refine(
    (value) => isSlug(value, limits.slug),
    `must be 1 to ${limits.slug} lower-case letters, digits and inner dashes, such as "platform"`,
  )
  .meta({pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$', maxLength: limits.slug, examples: ['platform']});

const slackChannel = z
  .string()
  .regex(/^[CG][A-Z0-9]{2,20}$/, 'must be the id of a Slack channel, such as "C024BE91L"')
  .meta({maxLength: 21})
  .nullable()
  .meta({description: 'The Slack channel in which the team posts and reads its standups.'});

const slackPostMode = z
  .enum(slackPostModes, `must be one of ${slackPostModes.map((mode) => `"${mode}"`).join(', ')}`)
  .meta({
    description:
      "How standups appear in the Slack channel: `thread`, as replies to one message for the day; `channel`, each as a message of its own; `digest`, only the day's message with the list of members who posted. A change applies to later standups.",
  });

const slackDigest = z
  .enum(slackDigests, `must be one of ${slackDigests.map((digest) => `"${digest}"`).join(', ')}`)
  .meta({
    description:
      'Where the report of a run is posted in Slack when it closes: `thread`, below the message of the day; `channel`, as a message of its own; `off`, nowhere.',
  });

const namesMissing = z.boolean().meta({
  description: 'Whether the report of a run names the members who have not posted, or only counts them.',
});

const absenceReasons = z.enum(reasonAudiences, 'must be "leads" or "team"').meta({
  description:
    'Who can read why members of the team are away: `leads`, leads of the team, owners and admins; `team`, every member of the workspace, also in its channel. A change applies to later reasons.',
});

const slackMentions = z
  .enum(mentionChoices, `must be one of ${mentionChoices.map((choice) => `"${choice}"`).join(', ')}`)
  .meta({
    description:
      'Who is notified in Slack when a standup mentions them: `none`, no one; `team`, members of the team; `workspace`, members of the workspace. Others are named without a notification.',
  });

const slackWeeklySummary = z.boolean().meta({description: 'Whether Slack gets a summary of each week.'});

const paused = z.boolean().meta({
  description:
    'Whether the team is paused: it has no runs and no reminders. An open run is cancelled when the team is paused.',
});

export const teamSchema = z
  .object({
    id: id('team'),
    object: z.literal('team'),
    slug: z.string(),
    name: z.string(),
    timezone: z.string(),
    slack_channel_id: z.string().nullable(),
    slack_post_mode: slackPostMode,
    slack_digest: slackDigest,
    names_missing: namesMissing,
    absence_reasons: absenceReasons,
    slack_mentions: slackMentions,
    slack_weekly_summary: slackWeeklySummary,
    prompt_at: promptAt,
    schedule: scheduleSchema
      .nullable()
      .meta({description: 'The schedule. Null: runs are only opened by callers.'}),
    paused,
    late_policy: latePolicySchema,
    questions: z
      .array(questionSchema)
      .meta({description: 'The questions of the form. Empty: yesterday, today, blockers.'}),
    questions_version: z.int().meta({description: 'The version of the questions: it counts their changes.'}),
    ...resource,
  })
  .meta({id: 'Team', description: 'The group an update is for.'});

/** The fields of a team that a request may set, both for a new team and for a change. */
const choices = z
  .strictObject({
    name: text(limits.name),
    timezone,
    slack_channel_id: slackChannel,
    slack_post_mode: slackPostMode,
    slack_digest: slackDigest,
    names_missing: namesMissing,
    absence_reasons: absenceReasons,
    slack_mentions: slackMentions,
    slack_weekly_summary: slackWeeklySummary,
    prompt_at: promptAt,
    schedule: newScheduleSchema.nullable().optional().meta({
      description:
        'The schedule, replaced as a whole. Null removes it. An open run keeps the schedule it opened with.',
    }),
    paused,
    late_policy: latePolicySchema,
    questions: newQuestionsSchema,
  })
  .partial();

/** Requests cannot set `questions_version`, so its default is not shown. */
const {questions_version: _, ...defaults} = teamDefaults;
const shownDefaults = Object.entries(defaults)
  .map(([name, value]) => `\`${name}\` \`${JSON.stringify(value)}\``)
  .join(', ');

export const newTeamSchema = z
  .strictObject({slug, ...choices.shape})
  .meta({id: 'NewTeam', description: `The fields of a new team. The defaults are ${shownDefaults}.`});

export const teamChangeSchema = choices.meta({
  id: 'TeamChange',
  description: 'Changes to a team, as a JSON merge patch.',
});

export const teamQuerySchema = z.strictObject({
  ...pageParameters,
  q: searchText.optional().meta({
    description:
      'Only teams that match the search: each of its words begins a word of the name or slug. Case and accents are ignored.',
    examples: ['plat'],
  }),
  member: personParameter
    .optional()
    .meta({description: `Only teams of this member, ${personText}`, examples: ['me']}),
});

export const forceQuerySchema = z.strictObject({
  force: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: "Whether to delete the team's standups with it."}),
});
