// src/domain/inbox/: what happened in conversations that a member is part of.
import {z} from 'zod';
import {principal, type PrincipalId} from '../core/access.js';
import type {IdSuffix} from '../core/ids.js';
import {limits} from '../core/limits.js';
import {addRulesToSchema, requireAnyField, requireFieldWith} from '../core/member-rules.js';
import {date, id, type Infer, instant, open} from '../core/schemas.js';

/** The reasons for which a member is notified. The first one that fits a member counts. */
export const inboxReasons = ['mention', 'reply', 'thread', 'reaction', 'blocker'] as const;

export type InboxReason = (typeof inboxReasons)[number];

const reason = open<InboxReason>({
  description:
    'The reason: `mention` (the member or one of their teams is mentioned), `reply` (a comment on their standup), `thread` (a comment after theirs), `reaction` (to their standup) or `blocker` (theirs was acknowledged or resolved). More values may be added.',
});

export const inboxItemSchema = z
  .object({
    object: z.literal('inbox_item'),
    standup: id('standup'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    date: date.meta({description: 'The day of the standup.'}),
    author: principal.meta({description: 'The author of the standup.'}),
    unread: z.int().min(0).meta({description: 'How often something happened since the item was last read.'}),
    reasons: z.array(reason).meta({description: 'The reasons since then, the first one first.'}),
    muted: z.boolean().meta({
      description:
        'Whether the reader has muted the conversation. Then nothing more is added, until they are mentioned by name or comment themselves.',
    }),
    latest: z
      .object({
        reason,
        by: principal.nullable().meta({
          description: 'The member or service account that did it. Null after they were removed.',
        }),
        comment: id('comment')
          .nullable()
          .meta({description: 'The comment. Null for everything else, and for a deleted comment.'}),
        blocker: z
          .object({
            id: id('blocker'),
            state: open<'raised' | 'acknowledged' | 'resolved'>({
              description: 'Its state now: `raised`, `acknowledged` or `resolved`. More values may be added.',
            }),
          })
          .nullable()
          .meta({
            description: 'The blocker of which the reason tells. Null otherwise, and for a deleted one.',
          }),
        excerpt: z
          .string()
          .nullable()
          .meta({
            description: `The beginning of the text without formatting, at most ${limits.inboxExcerpt} characters. Null for a reaction, and for a deleted comment.`,
          }),
        sequence: z.int().meta({description: 'The number of the first event of that change.'}),
        at: instant,
      })
      .meta({description: 'What happened last.'}),
  })
  .meta({id: 'InboxItem', description: 'A standup about which a member was notified.'});

export type InboxItem = Infer<typeof inboxItemSchema>;

const needsStandups = requireFieldWith('muted', 'standups', 'is required with `muted` (array of ids)');

export const inboxReadSchema = addRulesToSchema(
  z.strictObject({
    standups: z
      .array(id('standup'))
      .min(1, 'names at least one standup')
      .max(limits.inboxItems, `names at most ${limits.inboxItems} standups`)
      .optional()
      .meta({description: 'The standups whose items are read. Left out: all items.'}),
    until: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'The `latest.sequence` that the reader has seen. An item with a later one stays unread. Left out: whatever has happened.',
        examples: [4_711],
      }),
    muted: z.boolean().optional().meta({
      description:
        'Mutes the conversations about `standups`, or ends that. A muted one adds nothing to the inbox, until the caller is mentioned by name or comments there. Left out: unchanged.',
    }),
  }),
  [requireAnyField(['standups', 'until'], 'is required (array of ids), or `until`'), needsStandups],
).meta({id: 'InboxRead', description: 'Marks items of the inbox as read.'});

export type InboxRead = Infer<typeof inboxReadSchema>;

/** An item as it is stored. `about`: the id suffix of the comment, reaction, blocker or standup that came last. */
export interface InboxEntry {
  /** The id suffix of the standup. */
  readonly standup: IdSuffix<'standup'>;
  readonly sequence: number;
  readonly unread: number;
  readonly reasons: readonly InboxReason[];
  readonly latest: InboxReason;
  readonly by: PrincipalId;
  readonly about: IdSuffix;
  /** The time (ms) of what came last. */
  readonly at: number;
  /** The number of the first event since the item was read. */
  readonly since: number;
  /** The last of it that the member wants a message about; undefined if there is none. */
  readonly news: Pick<InboxEntry, 'latest' | 'by' | 'about'> | undefined;
  readonly muted: boolean;
}

/** The content of a message about an unread item, by mail or in Slack. */
export interface InboxNews {
  readonly reason: InboxReason;
  /** The name of the member or service account that did it last; null if they were removed. */
  readonly by: string | null;
  /** The name of the standup's author; null if it is the reader. */
  readonly author: string | null;
  readonly team: string;
  readonly date: string;
  /** The beginning of the text; null for a reaction. */
  readonly excerpt: string | null;
  /** The state of the blocker that the news is about; null for other news. */
  readonly blocker: string | null;
  /** How often something happened since the reader looked. */
  readonly unread: number;
  readonly url: string;
}
