import {z} from 'zod';
import {limits} from '../../domain/limits.js';
import {id, pageParameters, resource, text, timezone} from './shared.js';

const email = z
  .string()
  .max(limits.email, `has at most ${limits.email} characters`)
  .regex(
    /^[^\s\p{Cc}@"(),:;<>[\\\]]+@[^\s\p{Cc}@.]+(?:\.[^\s\p{Cc}@.]+)+$/u,
    'must be an e-mail address such as "ada@example.com"',
  )
  .meta({examples: ['ada@example.com']});

const slackUser = z
  .string()
  .regex(/^[UW][A-Z0-9]{2,20}$/, 'must be the id of a Slack user, such as "U024BE7LH"')
  .meta({examples: ['U024BE7LH']});

const role = z.enum(['owner', 'admin', 'member'], 'must be owner, admin or member');

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
    timezone: z.string().nullable(),
    slack_user_id: z.string().nullable().meta({description: 'Unique in the workspace.'}),
    ...resource,
  })
  .meta({id: 'Member', description: 'A person of the workspace.'});

const given = {
  email: email.nullable().optional(),
  slack_user_id: slackUser.nullable().optional(),
  timezone: timezone.nullable().optional(),
  role: role.optional(),
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
});

export const eraseQuerySchema = z.strictObject({
  erase: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: '`true` removes everything they wrote, and their name wherever it stands.'}),
});
