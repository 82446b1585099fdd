import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {addressPattern, isAddress} from '../../domain/core/text.js';
import {memberRoles} from '../../domain/workspaces/workspace.js';
import {promptAt} from '../schedules/schemas.js';
import {ownTeam} from './me-schemas.js';
import {
  clockTime,
  id,
  isObject,
  pageParameters,
  reference,
  resource,
  searchText,
  text,
  timezone,
} from '../http/shared-schemas.js';

const email = z
  .string()
  .max(limits.email, `has at most ${limits.email} characters`)
  .refine(isAddress, 'must be an e-mail address such as "ada@example.com"')
  .meta({pattern: addressPattern.source, examples: ['ada@example.com']});

const slackUser = z
  .string()
  .regex(/^[UW][A-Z0-9]{2,20}$/, 'must be the id of a Slack user, such as "U024BE7LH"')
  .meta({maxLength: 21, examples: ['U024BE7LH']});

const role = z.enum(memberRoles, 'must be owner, admin or member');

const quiet = clockTime.nullable();

const reminderMembers = {
  enabled: z.boolean().meta({description: 'False: no reminders.'}),
  quiet_from: quiet,
  quiet_until: quiet,
  prompt_at: promptAt.nullable().meta({
    description: 'When they are asked for their standup; null: as each of their teams says.',
  }),
};

const reminders = z.object(reminderMembers).meta({
  id: 'ReminderChoice',
  description:
    'How they want to be reminded in Slack. Between `quiet_from` and `quiet_until`, by their own clocks, nothing is sent: what falls there comes at their end.',
});

const holidayMembers = {
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 country code, such as "DE"')
    .meta({maxLength: 2})
    .nullable()
    .meta({examples: ['DE']}),
  region: z
    .string()
    .regex(/^[A-Z0-9-]{1,12}$/, 'must be a part of the country, such as "BY"')
    .meta({maxLength: 12})
    .nullable()
    .meta({examples: ['BY']}),
  calendar: id('holiday_calendar').nullable(),
};

const holidays = z.object(holidayMembers).meta({
  id: 'HolidayChoice',
  description:
    'Their public holidays: of a country and perhaps a part of it, and of a calendar of the workspace.',
});

const reminderChange = z
  .strictObject(reminderMembers)
  .partial()
  .refine(
    ({quiet_from: from, quiet_until: until}) =>
      (from === undefined) === (until === undefined) && (from === null) === (until === null),
    {
      message: 'must have both `quiet_from` and `quiet_until`, such as "22:00" and "07:00", or both null',
      when: isObject,
    },
  )
  .meta({
    id: 'ReminderChange',
    description: 'Merged into what they have chosen.',
    dependentRequired: {quiet_from: ['quiet_until'], quiet_until: ['quiet_from']},
  });

const holidayChange = z
  .strictObject(holidayMembers)
  .partial()
  .meta({id: 'HolidayChange', description: 'Merged into what they have chosen.'});

export const memberSchema = z
  .object({
    id: id('member'),
    object: z.literal('member'),
    name: z.string(),
    email: z
      .string()
      .nullable()
      .meta({description: 'The letters A to Z in lower case; unique in the workspace.'}),
    role: z
      .string()
      .meta({examples: ['member'], description: '`owner`, `admin` or `member`; more may follow.'}),
    role_source: z.string().meta({
      examples: ['chosen'],
      description:
        '`slack`: they are an admin because they run the Slack workspace (`SLACK_ADMINS_ARE_ADMINS`), as long as they do. `chosen`: somebody has given them the role, and it stays. More may follow.',
    }),
    timezone: z.string().nullable(),
    timezone_source: z
      .string()
      .nullable()
      .meta({
        examples: ['chosen'],
        description:
          '`slack`: the zone is that of their Slack profile, and follows it. `chosen`: somebody has set it, and it stays; set `timezone` to null, and it is that of the profile again when they next use the bot. More may follow.',
      }),
    slack_user_id: z.string().nullable().meta({description: 'Unique in the workspace.'}),
    reminders,
    holidays,
    ...resource,
  })
  .meta({id: 'Member', description: 'A person of the workspace.'});

export const listedMemberSchema = memberSchema
  .extend({
    teams: z
      .object({data: z.array(ownTeam).max(limits.teamsPerRow), has_more: z.boolean()})
      .optional()
      .meta({
        description: `Only with \`include=teams\`: the teams that they are in, by name; of more than ${limits.teamsPerRow} those that they came into last, and \`has_more\` is true: \`GET /v1/teams?member=…\` lists all.`,
      }),
  })
  .meta({id: 'ListedMember', description: 'A person of the workspace, as lists show them.'});

const given = {
  email: email.nullable().optional(),
  slack_user_id: slackUser.nullable().optional(),
  timezone: timezone.nullable().optional(),
  role: role.optional(),
  reminders: reminderChange.optional(),
  holidays: holidayChange.optional(),
};

export const newMemberSchema = z
  .strictObject({name: text(limits.name).meta({examples: ['Ada Lovelace']}), ...given})
  .meta({id: 'NewMember', description: 'What a member is made from.'});

export const memberChangeSchema = z
  .strictObject({name: text(limits.name).optional(), ...given})
  .meta({id: 'MemberChange', description: 'A merge patch of a member.'});

export const memberQuerySchema = z.strictObject({
  ...pageParameters,
  email: email.optional().meta({description: 'The letters A to Z in any case.'}),
  slack_user_id: slackUser.optional().meta({description: 'The one who is linked to this Slack user.'}),
  role: role.optional().meta({description: 'Only those with this role.'}),
  q: searchText.optional().meta({
    description:
      'Only those of whose name, or e-mail address, each word of this begins a word, whatever the case and the accents.',
    examples: ['ada'],
  }),
  team: reference
    .optional()
    .meta({description: 'Only those in this team, by id or slug. Needs the scope `teams:read` too.'}),
  include: z.enum(['teams'], 'must be teams').optional().meta({
    description: '`teams`: each member has the teams that they are in. Needs the scope `teams:read` too.',
  }),
});

export const eraseQuerySchema = z.strictObject({
  erase: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: '`true` removes everything they wrote, and their name wherever it stands.'}),
});
