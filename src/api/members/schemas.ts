import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {addressPattern, isEmailAddress} from '../../domain/core/text.js';
import {memberRoles} from '../../domain/workspaces/workspace.js';
import {promptAt} from '../../domain/schedules/schedule.js';
import {ownTeam} from './me-schemas.js';
import {clockTime, id, isObject, reference, text, timezone, resourceEnd} from '../../domain/core/schemas.js';
import {pageParameters, searchText} from '../http/shared-schemas.js';

const email = z
  .string()
  .max(limits.email, `has at most ${limits.email} characters`)
  .refine(isEmailAddress, 'must be an e-mail address such as "ada@example.com"')
  .meta({pattern: addressPattern.source, examples: ['ada@example.com']});

const slackUser = z
  .string()
  .regex(/^[UW][A-Z0-9]{2,20}$/, 'must be the id of a Slack user, such as "U024BE7LH"')
  .meta({maxLength: 21, examples: ['U024BE7LH']});

const role = z.enum(memberRoles, 'must be owner, admin or member');

const quiet = clockTime.nullable();

const reminderMembers = {
  enabled: z.boolean().meta({description: 'Whether reminders are sent.'}),
  quiet_from: quiet,
  quiet_until: quiet,
  prompt_at: promptAt.nullable().meta({
    description: 'When they are asked for their standup. Null: by the setting of each of their teams.',
  }),
};

const reminders = z.object(reminderMembers).meta({
  id: 'ReminderChoice',
  description:
    'The reminder settings of the member in Slack. Between `quiet_from` and `quiet_until`, in their own zone, nothing is sent; reminders due then are sent at the end.',
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
    'The public holidays of the member: of a country, optionally a region of it, and of a calendar of the workspace.',
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
    description: 'Changes to the existing settings of the member, as a merge patch.',
    dependentRequired: {quiet_from: ['quiet_until'], quiet_until: ['quiet_from']},
  });

const holidayChange = z.strictObject(holidayMembers).partial().meta({
  id: 'HolidayChange',
  description: 'Changes to the existing settings of the member, as a merge patch.',
});

export const memberSchema = z
  .object({
    id: id('member'),
    object: z.literal('member'),
    name: z.string(),
    email: z.string().nullable().meta({
      description:
        'The e-mail address, with the letters A to Z in lower case. It is unique in the workspace.',
    }),
    role: z.string().meta({
      examples: ['member'],
      description: 'The role: `owner`, `admin` or `member`. More values may be added.',
    }),
    role_source: z.string().meta({
      examples: ['chosen'],
      description:
        'The source of the role. `slack`: the member is an admin as long as they are an owner or admin of the Slack workspace (`SLACK_ADMINS_ARE_ADMINS`). `chosen`: the role was set, and stays. More values may be added.',
    }),
    timezone: z.string().nullable(),
    timezone_source: z
      .string()
      .nullable()
      .meta({
        examples: ['chosen'],
        description:
          'The source of the time zone. `slack`: the zone follows their Slack profile. `chosen`: the zone was set, and stays. If `timezone` is set to null, the zone follows the profile again from their next use of the bot. More values may be added.',
      }),
    slack_user_id: z
      .string()
      .nullable()
      .meta({description: 'The id of the linked Slack user, unique in the workspace.'}),
    reminders,
    holidays,
    ...resourceEnd,
  })
  .meta({id: 'Member', description: 'A member of the workspace.'});

export const listedMemberSchema = memberSchema
  .extend({
    teams: z
      .object({data: z.array(ownTeam).max(limits.teamsPerRow), has_more: z.boolean()})
      .optional()
      .meta({
        description: `The teams of the member, by name; only with \`include=teams\`. If there are more than ${limits.teamsPerRow}, the last joined are included and \`has_more\` is true; \`GET /v1/teams?member=…\` lists all.`,
      }),
  })
  .meta({id: 'ListedMember', description: 'A member of the workspace, as in lists.'});

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
  .meta({id: 'NewMember', description: 'The fields of a new member.'});

export const memberChangeSchema = z
  .strictObject({name: text(limits.name).optional(), ...given})
  .meta({id: 'MemberChange', description: 'Changes to a member, as a JSON merge patch.'});

export const memberQuerySchema = z.strictObject({
  ...pageParameters,
  email: email
    .optional()
    .meta({description: 'Only the member with this e-mail address. The case of A to Z is ignored.'}),
  slack_user_id: slackUser.optional().meta({description: 'Only the member linked to this Slack user.'}),
  role: role.optional().meta({description: 'Only members with this role.'}),
  q: searchText.optional().meta({
    description:
      'Only members that match the search: each of its words begins a word of the name or e-mail address. Case and accents are ignored.',
    examples: ['ada'],
  }),
  team: reference
    .optional()
    .meta({description: 'Only members of this team, by id or slug. Also needs the scope `teams:read`.'}),
  include: z.enum(['teams'], 'must be teams').optional().meta({
    description:
      'Related data to include. `teams`: the teams of each member. Also needs the scope `teams:read`.',
  }),
});

export const eraseQuerySchema = z.strictObject({
  erase: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: 'Whether to delete everything they wrote, and their name wherever it occurs.'}),
});
