import {z} from 'zod';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import {principal} from '../core/access.js';
import {addRulesToSchema, requireAnyField} from '../core/member-rules.js';
import {id, type Infer, open, resource} from '../core/schemas.js';
import type {Id} from '../core/ids.js';

/** The resources that people react to. */
export type ReactionSubject = Id<'standup'>;

/** One emoji with all its parts: skin tones, flags, keycaps, and people joined to a family. */
const oneEmoji = /^\p{RGI_Emoji}$/v;
/** The name of an emoji that a workspace has made itself, as Slack writes it. */
const emojiName = /^:[a-z0-9_+'-]{1,64}:$/;

/** The length of the longest emoji of either form. */
const emojiLength = 66;

export function isEmoji(text: string): boolean {
  return text.length <= emojiLength && (emojiName.test(text) || oneEmoji.test(text));
}

const subject = id('standup').meta({description: 'The id of the standup.'});

export const reactionSchema = resource('reaction', {
  subject: open<ReactionSubject>({
    description: 'The id of what the reaction is to: a standup. Ids of other kinds may be added.',
  }),
  team: z.string().meta({description: "The team's slug."}),
  team_id: id('team'),
  author: principal,
  emoji: z.array(z.string()).meta({description: 'The emoji, in the order in which they were added.'}),
}).meta({id: 'Reaction', description: 'All emoji with which one member or program reacts to a standup.'});

const emojiList = z
  .array(
    z
      .string()
      .refine(isEmoji, 'must be one emoji, or a name such as ":party_parrot:"')
      .meta({maxLength: emojiLength}),
  )
  .max(limits.emojiPerSubject, `has at most ${limits.emojiPerSubject} emoji`)
  .optional();

export const reactionChangeSchema = addRulesToSchema(
  z.strictObject({
    subject,
    add: emojiList.meta({
      description:
        'The emoji to add. Each is one emoji, or the name of one between colons. One that is there stays.',
      examples: [['👍']],
    }),
    remove: emojiList.meta({description: 'The emoji to remove. One that is not there changes nothing.'}),
  }),
  [requireAnyField(['add', 'remove'], 'is required (array, such as ["👍"])')],
).meta({id: 'ReactionChange', description: "Changes to the caller's own reaction."});

export const emojiCountSchema = z
  .object({
    emoji: z.string(),
    count: z.int().min(1).meta({description: 'The number of members and programs with this emoji.'}),
    mine: z.boolean().meta({description: 'Whether the caller is one of them.'}),
    by: z
      .array(z.string())
      .meta({description: `The names of the first of them, at most ${limits.namesPerEmoji}.`}),
  })
  .meta({id: 'EmojiCount', description: 'An emoji with everyone who reacts with it, the earliest first.'});

export const reactionSummarySchema = z
  .object({
    object: z.literal('reaction_summary'),
    subject: open<ReactionSubject>({description: 'The id of the standup.'}),
    reactions: z.array(emojiCountSchema),
  })
  .meta({id: 'ReactionSummary', description: 'All reactions to a standup, the earliest emoji first.'});

/** The emoji of one person on one subject. */
export type Reaction = Infer<typeof reactionSchema>;

export type ReactionChange = Infer<typeof reactionChangeSchema>;

export type ReactionSummary = Infer<typeof reactionSummarySchema>;

export function findListsWithReaction({
  subject: on,
  team_id,
  author,
}: Pick<Reaction, 'subject' | 'team_id' | 'author'>): Listing[] {
  return [
    {list: lists.reactions()},
    {list: lists.reactionsOn(on)},
    {list: lists.reactionsOfTeam(team_id)},
    {list: lists.reactionsBy(author.id)},
  ];
}

/** Returns the emoji after a change. An emoji that is both removed and added is there, at its end. */
export function changeEmoji(
  before: readonly string[],
  {add = [], remove = []}: Pick<ReactionChange, 'add' | 'remove'>,
): readonly string[] {
  const gone = new Set(remove);
  return [...new Set([...before.filter((emoji) => !gone.has(emoji)), ...add])];
}

type EmojiCount = Infer<typeof emojiCountSchema>;

/** Counts the emoji of all reactions to a subject, which are given with the oldest first. */
export function countEmoji(
  reactions: readonly Pick<Reaction, 'author' | 'emoji'>[],
  reader: string | undefined,
): readonly EmojiCount[] {
  const authors = new Map<string, Reaction['author'][]>();
  for (const {author, emoji} of reactions) {
    for (const one of emoji) {
      const known = authors.get(one);
      if (known === undefined) authors.set(one, [author]);
      else known.push(author);
    }
  }
  return [...authors].map(([emoji, by]) => ({
    emoji,
    count: by.length,
    mine: by.some(({id: author}) => author === reader),
    by: by.slice(0, limits.namesPerEmoji).map(({name}) => name),
  }));
}
