import {z} from 'zod';
import {id, type Infer, instant, open, text} from '../core/schemas.js';
import {limits} from '../core/limits.js';
import type {MailKind, MailState} from './mail.js';
import type {MailBlock} from './mail-content.js';

const block = z
  .object({
    type: open<MailBlock['type']>({
      description: 'The type: `paragraph`, `code`, `button`, `list`, `quote` or `small`.',
    }),
    text: z.string().optional(),
    label: z.string().optional(),
    url: z.string().optional(),
    title: z.string().optional(),
    items: z.array(z.string()).optional(),
  })
  .meta({
    id: 'MailBlock',
    description: 'A part of a mail. A `button` has `label` and `url`, a `list` `title` and `items`.',
  });

export const mailSchema = z
  .object({
    id: id('mail'),
    object: z.literal('mail'),
    kind: open<MailKind>({description: 'The kind, such as `invite` or `sign_in_code`.'}),
    to: z.string().meta({description: 'The address.'}),
    member: z
      .object({id: id('member'), name: z.string()})
      .nullable()
      .meta({description: 'The member it is for. Null: a person without an account.'}),
    state: open<MailState>({
      description:
        'The state. `queued`: waits, or is being sent. `sent`: the mail server accepted it. `failed`: it was refused, or came back. `uncertain`: the server may have accepted it, so it is not sent again automatically. `dropped`: it was no longer needed. `kept`: shown here instead of sent, in development.',
    }),
    attempts: z.int().meta({description: 'How many times the mail server answered.'}),
    code: z.int().nullable().meta({description: 'The reply code of the last attempt (SMTP).'}),
    detail: z
      .string()
      .nullable()
      .meta({description: 'The answer of the mail server, or the reason why there is none.'}),
    expires_at: instant.meta({description: 'The time after which it is no longer sent.'}),
    created_at: instant,
    updated_at: instant,
    content: z
      .object({subject: z.string(), text: z.string(), blocks: z.array(block)})
      .nullable()
      .meta({
        description:
          'What it says. Always null where mails are really sent, because a mail can contain a code or a link that signs in.',
      }),
  })
  .meta({
    id: 'Mail',
    description: 'A message to one address, without its text. It is deleted after 30 days.',
  });

export type ShownMail = Infer<typeof mailSchema>;

export const bounceSchema = z
  .strictObject({
    detail: text(limits.description)
      .optional()
      .meta({description: 'The reason, for people.', examples: ['550 5.1.1 No such user']}),
  })
  .meta({id: 'Bounce', description: 'Why a message came back.'});
