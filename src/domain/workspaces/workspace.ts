import {z} from 'zod';
import {holidayChangeSchema, holidayChoiceSchema} from '../absences/absence.js';
import {type Language, languages} from '../core/compiled/languages.js';
import {addDays, toInstant} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {clockTime, type Infer, isObject, oneOf, open, resource, text, timezone} from '../core/schemas.js';
import {addressPattern, isEmailAddress} from '../core/text.js';
import {promptAt, type PromptAt} from '../schedules/schedule.js';

/** The emoji that count as being away in a workspace that has not chosen others. */
export const usualAwayEmoji = [':palm_tree:', ':face_with_thermometer:', ':no_entry:'];

/** The name of an emoji, as Slack writes it. */
const emojiName = /^:[a-z0-9_+'-]{1,64}:$/;

const awayEmoji = z
  .array(
    z.string().regex(emojiName, 'must be the name of an emoji, such as ":palm_tree:"').meta({maxLength: 66}),
  )
  .max(limits.awayEmoji, `has at most ${limits.awayEmoji} emoji`)
  .refine((given) => new Set(given).size === given.length, 'must not have an emoji twice')
  .meta({
    uniqueItems: true,
    description: 'The emoji of a status in Slack that count as being away. An empty list: none.',
    examples: [usualAwayEmoji],
  });

export const workspaceSchema = resource('workspace', {
  slug: z
    .string()
    .meta({description: 'The slug, made from the original name of the workspace. It is permanent.'}),
  name: z.string(),
  retention_days: z.int().nullable().meta({
    description:
      'The days for which standups are kept after their date, and blockers and absences after their end. Older ones are deleted within the hour. A standup is deleted with the unacknowledged blockers that it alone raised (`blocker.deleted`); everything else without an event. Counts are kept. A standup of such a date, or a reason of such an absence, is rejected. Null: kept until deleted.',
  }),
  leads_invite: z.boolean().meta({
    description: 'Whether leads of teams can invite people. It is asked again when an invite is accepted.',
  }),
  away_emoji: z.array(z.string()).meta({
    description: 'The emoji of a status in Slack that count as being away. See `slack_status` of a member.',
  }),
}).meta({id: 'WorkspaceRevision', description: 'The workspace, as in its events.'});

export const shownWorkspaceSchema = workspaceSchema
  .extend({
    slack: z.object({
      connected: z.boolean().meta({
        description:
          'Whether a Slack workspace is connected, by a configured token or by an installation of the bot.',
      }),
    }),
    storage: z
      .object({
        used_bytes: z.int().meta({
          description:
            'The bytes of the store that all data of the workspace uses, including deleted data that is kept for webhooks. The number is rounded up to a multiple of 64 KiB. It is measured each hour; changes since then are added.',
        }),
        limit_bytes: z.int().nullable().meta({
          description:
            'The limit (`WORKSPACE_BYTES`). Beyond it new data is rejected: 507 `workspace_full`. Null: no limit.',
        }),
      })
      .meta({description: 'How much of the store the workspace uses.'}),
  })
  .meta({id: 'Workspace', description: 'The tenant. Every resource belongs to exactly one.'});

export const workspaceChangeSchema = z
  .strictObject({
    name: text(limits.name).optional(),
    retention_days: z
      .int()
      .min(limits.retentionDaysMin, `must be at least ${limits.retentionDaysMin} days`)
      .max(limits.retentionDaysMax, `must be at most ${limits.retentionDaysMax} days`)
      .nullable()
      .optional()
      .meta({
        description:
          'The days for which texts are kept. Older ones are deleted permanently. Null: kept until deleted.',
      }),
    leads_invite: z.boolean().optional().meta({
      description: 'Whether leads of teams can invite people, and whether their open invites admit anyone.',
    }),
    away_emoji: awayEmoji.optional(),
  })
  .meta({id: 'WorkspaceChange', description: 'Changes to the workspace, as a JSON merge patch.'});

export type Workspace = Infer<typeof workspaceSchema>;

/** A workspace as it is shown. Its connection to Slack and its storage are not part of a revision. */
export type ShownWorkspace = Infer<typeof shownWorkspaceSchema>;

/** The storage that a workspace uses, rounded up to a whole step, and its limit. */
export type WorkspaceStorage = ShownWorkspace['storage'];

export type WorkspaceChange = Infer<typeof workspaceChangeSchema>;

/** The command that creates the first workspace, as it is shown to people. */
export const firstWorkspaceCommand = 'standup-admin workspace create NAME --owner EMAIL';

/** Returns the oldest date whose texts such a workspace still has, in any zone, at an instant (ms). */
export function findFirstRetainedDate(days: number, now: number): string {
  return addDays(toInstant(now).slice(0, 10), -days - 1);
}

export const memberRoles = ['owner', 'admin', 'member'] as const;

export type MemberRole = (typeof memberRoles)[number];

const ranks: Readonly<Record<MemberRole, number>> = {member: 0, admin: 1, owner: 2};

export function isDemotion(before: MemberRole, after: MemberRole): boolean {
  return ranks[after] < ranks[before];
}

/** The size of a step in bytes. With smaller ones, each post would change the workspace's entity tag. */
export const storageStep = 64 * 1024;

export const email = z
  .string()
  .max(limits.email, `has at most ${limits.email} characters`)
  .refine(isEmailAddress, 'must be an e-mail address such as "ada@example.com"')
  .meta({pattern: addressPattern.source, examples: ['ada@example.com']});

export const slackUser = z
  .string()
  .regex(/^[UW][A-Z0-9]{2,20}$/, 'must be the id of a Slack user, such as "U024BE7LH"')
  .meta({maxLength: 21, examples: ['U024BE7LH']});

export const role = z.enum(memberRoles, 'must be owner, admin or member');

const quiet = clockTime.nullable();

const reminderChannels = ['slack', 'mail'] as const;

export type ReminderChannel = (typeof reminderChannels)[number];

const channelsDescription =
  'The ways to reach the member, the preferred one first. Each reminder, and each message about their inbox, uses the first that reaches them: `slack`, if Slack is connected and they are linked; `mail`, if mail is set up and they have an address.';

const reminderMembers = {
  enabled: z.boolean().meta({description: 'Whether reminders are sent.'}),
  quiet_from: quiet,
  quiet_until: quiet,
  prompt_at: promptAt.nullable().meta({
    description: 'When they are asked for their standup. Null: by the setting of each of their teams.',
  }),
};

const reminders = z
  .object({
    ...reminderMembers,
    channels: z.array(open<ReminderChannel>({examples: [...reminderChannels]})).meta({
      description: `${channelsDescription} More values may be added.`,
    }),
  })
  .meta({
    id: 'ReminderChoice',
    description:
      'The reminder settings of the member. Between `quiet_from` and `quiet_until`, in their own zone, nothing is sent; reminders due then are sent at the end.',
  });

const reminderChange = z
  .strictObject({
    ...reminderMembers,
    channels: z
      .array(oneOf(reminderChannels))
      .min(1, 'must have at least one channel; `enabled` turns reminders off')
      .max(reminderChannels.length)
      .refine((given) => new Set(given).size === given.length, 'must not have a channel twice')
      .meta({uniqueItems: true, description: channelsDescription}),
  })
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

export type EmailStatus = 'proven' | 'unproven' | 'refused';
const reportMembers = {
  daily: z.boolean().meta({description: 'A mail with the report of each run of their teams that closes.'}),
  weekly: z
    .boolean()
    .meta({description: 'A mail with the summary of a week, after the last run of a team in it.'}),
  notices: z.boolean().meta({
    description:
      'A mail about their inbox (see `notify`), when a person joins by an invite of theirs, or, for owners and admins without Slack, when a webhook fails or is disabled. Mails about the safety of their account come anyway.',
  }),
};

const reports = z.object(reportMembers).meta({
  id: 'ReportChoice',
  description: 'The reports and notices that the member gets by mail, if mail is set up.',
});

const reportChange = z
  .strictObject(reportMembers)
  .partial()
  .meta({id: 'ReportChange', description: 'Changes to the existing choice, as a merge patch.'});

const noticeTimes = ['now', 'inbox'] as const;

export type NoticeTime = (typeof noticeTimes)[number];

/** The reasons of the inbox for which a member may get a message. A reaction stays in the inbox. */
const noticeReasons = {
  mention: 'When they or one of their teams are mentioned.',
  reply: 'When someone comments on their standup.',
  thread: 'When someone comments after them.',
  blocker: 'When someone acknowledges or resolves their blocker.',
} as const;

export type NoticeReason = keyof typeof noticeReasons;

function describeReasons<S>(schema: (description: string) => S): Record<NoticeReason, S> {
  const entries = Object.entries(noticeReasons).map(([reason, text]) => [reason, schema(text)] as const);
  return Object.fromEntries(entries) as Record<NoticeReason, S>;
}

const timesDescription =
  '`now`: also by a message, unless they have read it within two minutes. `inbox`: in the inbox only.';

const notify = z
  .object(
    describeReasons((text) =>
      open<NoticeTime>({
        examples: [...noticeTimes],
        description: `${text} ${timesDescription} More values may be added.`,
      }),
    ),
  )
  .meta({id: 'NoticeChoice', description: 'What of the inbox also reaches the member by a message.'});

const notifyChange = z
  .strictObject(
    describeReasons((text) => oneOf(noticeTimes).meta({description: `${text} ${timesDescription}`})),
  )
  .partial()
  .meta({id: 'NoticeChange', description: 'Changes to the existing choice, as a merge patch.'});

export const slackStatusChoices = ['ask', 'always', 'never'] as const;

/** The effects that a member lets their status in Slack have. */
export type SlackStatusChoice = (typeof slackStatusChoices)[number];

const slackStatusDescription =
  "What happens if the member's status in Slack has one of the `away_emoji` of the workspace while a run is open. `ask`: their reminder asks whether they are away, and the report in Slack shows the emoji if they do not post. `always`: they are away from that run. `never`: their status is not read.";

export const memberSchema = resource('member', {
  name: z.string(),
  email: z.string().nullable().meta({
    description: 'The e-mail address, with the letters A to Z in lower case. It is unique in the workspace.',
  }),
  email_status: open<EmailStatus>()
    .nullable()
    .meta({
      examples: ['proven'],
      description:
        '`proven`: the member has read a mail to the address. `unproven`: not yet. `refused`: its mail server refuses it, or a mail came back. A new address is unproven. Null: no address. More values may be added.',
    }),
  role: open<MemberRole>({
    examples: ['member'],
    description: 'The role: `owner`, `admin` or `member`. More values may be added.',
  }),
  role_source: open<'slack' | 'chosen'>({
    examples: ['chosen'],
    description:
      'The source of the role. `slack`: the member is an admin as long as they are an owner or admin of the Slack workspace (`SLACK_ADMINS_ARE_ADMINS`). `chosen`: the role was set, and stays. More values may be added.',
  }),
  timezone: z.string().nullable(),
  timezone_source: open<'slack' | 'chosen'>()
    .nullable()
    .meta({
      examples: ['chosen'],
      description:
        'The source of the time zone. `slack`: the zone follows their Slack profile. `chosen`: the zone was set, and stays. If `timezone` is set to null, the zone follows the profile again from their next use of the bot. More values may be added.',
    }),
  locale: open<Language>()
    .nullable()
    .meta({
      examples: ['en'],
      description:
        'The language of e-mails to the member. The dashboard sets it when they choose a language or join. Null: English. More values may be added.',
    }),
  slack_user_id: z
    .string()
    .nullable()
    .meta({description: 'The id of the linked Slack user, unique in the workspace.'}),
  reminders,
  reports,
  notify,
  slack_status: open<SlackStatusChoice>({
    examples: [...slackStatusChoices],
    description: `${slackStatusDescription} More values may be added.`,
  }),
  holidays: holidayChoiceSchema,
}).meta({id: 'Member', description: 'A member of the workspace.'});

const given = {
  email: email.nullable().optional(),
  slack_user_id: slackUser.nullable().optional(),
  timezone: timezone.nullable().optional(),
  locale: oneOf(languages).nullable().optional(),
  role: role.optional(),
  reminders: reminderChange.optional(),
  reports: reportChange.optional(),
  notify: notifyChange.optional(),
  slack_status: oneOf(slackStatusChoices).optional().meta({description: slackStatusDescription}),
  holidays: holidayChangeSchema.optional(),
};

export const newMemberSchema = z
  .strictObject({name: text(limits.name).meta({examples: ['Ada Lovelace']}), ...given})
  .meta({id: 'NewMember', description: 'The fields of a new member.'});

export const memberChangeSchema = z
  .strictObject({name: text(limits.name).optional(), ...given})
  .meta({id: 'MemberChange', description: 'Changes to a member, as a JSON merge patch.'});

/** A person in a workspace. Members post only for their own teams, and may be linked to a Slack user. */
export type Member = Infer<typeof memberSchema>;

/** A person's choice of reminders. */
export type ReminderChoice = Member['reminders'];

export type NewMember = Infer<typeof newMemberSchema>;
export type MemberChange = Infer<typeof memberChangeSchema>;

/** Returns when a member is asked for a team's standup: by their own choice, or by the team's setting. */
export function findPromptTime(
  {reminders}: {readonly reminders: Pick<ReminderChoice, 'prompt_at'>},
  team: {readonly prompt_at: PromptAt},
): PromptAt {
  return reminders.prompt_at ?? team.prompt_at;
}

export const memberDefaults: Pick<
  Member,
  'role_source' | 'reminders' | 'reports' | 'notify' | 'slack_status' | 'holidays'
> = {
  role_source: 'chosen',
  reminders: {
    enabled: true,
    quiet_from: null,
    quiet_until: null,
    prompt_at: null,
    channels: [...reminderChannels],
  },
  reports: {daily: false, weekly: false, notices: true},
  notify: {mention: 'now', reply: 'now', thread: 'inbox', blocker: 'now'},
  slack_status: 'ask',
  holidays: {country: null, region: null, calendar: null},
};

export const serviceAccountSchema = resource('service_account', {
  name: z.string().meta({description: 'The name, unique in the workspace.'}),
}).meta({
  id: 'ServiceAccount',
  description:
    'A program that acts in its own name. It is created with its first token (`service_account` of `POST /v1/tokens`).',
});

/** An account of a program, which acts in its own name. */
export type ServiceAccount = Infer<typeof serviceAccountSchema>;
