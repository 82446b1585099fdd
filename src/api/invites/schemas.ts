import {z} from 'zod';
import {id, oneOf, reference} from '../../domain/core/schemas.js';
import {inviteRevisionSchema, inviteStates} from '../../domain/invites/invite.js';
import {email} from '../../domain/workspaces/workspace.js';
import {pageParameters} from '../http/shared-schemas.js';

const createdInviteSchema = inviteRevisionSchema
  .extend({
    url: z.string().nullable().meta({
      description:
        'The URL that opens the invite in a browser. Shown only once. Null: it is sent to the address by mail.',
    }),
  })
  .meta({id: 'CreatedInvite', description: 'A new invite with its URL.'});

export const createdInvitesSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(createdInviteSchema),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    skipped: z
      .array(
        z.object({
          email: z.string(),
          reason: z.string().meta({description: 'The reason: `member`. More values may be added.'}),
          member_id: id('member'),
        }),
      )
      .meta({description: 'The addresses that were not invited, because a member has them.'}),
  })
  .meta({id: 'CreatedInvites', description: 'All invites that one request created.'});

export const inviteQuerySchema = z.strictObject({
  ...pageParameters,
  state: oneOf([...inviteStates, 'all'])
    .optional()
    .meta({
      description: 'Only invites in this state; `all` for every state.',
      default: 'open',
    }),
  team: reference.optional().meta({description: 'Only invites into this team, by id or slug.'}),
  email: email.optional().meta({description: 'Only invites to this address.'}),
});

export const revocationQuerySchema = z.strictObject({
  erase: oneOf(['true', 'false'])
    .optional()
    .meta({description: 'Whether to delete the invited address, too.'}),
});

export const acceptedInviteSchema = z
  .strictObject({
    link: z
      .string()
      .min(1, 'must not be empty')
      .max(200, 'has at most 200 characters')
      .meta({
        description: 'The part of the invite’s URL after the `#`.',
        examples: [
          'ws_01ke6p4ym07fk9s1s2m8xq4vbt.7s9c2x4r8a6bvd0m.Zm9yLWdyYWNlLWFuZC1mb3Itbm9ib2R5LWVsc2UtZXY',
        ],
      }),
  })
  .meta({id: 'AcceptedInvite', description: 'The link of an invite.'});
