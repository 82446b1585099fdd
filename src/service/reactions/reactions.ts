import type {Call, Caller} from '../../domain/core/access.js';
import type {Commit, Guard} from '../../domain/commit/commit.js';
import {createWrite, reviseWrite} from '../../domain/commit/writes.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {type Draft, parseWire, toDraft, type WireJson} from '../../domain/core/resource.js';
import {
  changeEmoji,
  countEmoji,
  findListsWithReaction,
  type Reaction,
  type ReactionChange,
  type ReactionSubject,
  type ReactionSummary,
} from '../../domain/reactions/reaction.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {scanPages} from '../core/paging.js';
import {createStandupFinder, findRemainingStandups} from '../standups/find-standup.js';
import {createNotifier} from '../inbox/notifications.js';
import {createDeleteReactionWrites} from './reaction-records.js';

export interface ReactionQuery extends PageQuery {
  /** The id of the standup. */
  readonly subject?: string | undefined;
}

/** Operations on reactions. Who may read a standup may react to it, and changes only their own reaction. */
export type Reactions = ReturnType<typeof createReactions>;

export function createReactions(context: ServiceContext) {
  const {mutate, records, teams, generateSuffix} = context;
  const {requireStandup, requireNamedStandup} = createStandupFinder(context);
  const planNotifications = createNotifier(context);

  /** Lists all reactions to a subject, the oldest first. There are at most `limits.reactionsPerSubject`. */
  async function listReactionsOn(
    {workspace, deadline}: Caller,
    subject: ReactionSubject,
  ): Promise<Reaction[]> {
    const list = lists.reactionsOn(subject);
    const limit = limits.reactionsPerSubject;
    const {rows} = await records.list(workspace, {list, limit, upward: true}, deadline);
    return rows.map(({json}) => parseWire(json));
  }

  /** Returns the guard that an author has made no reaction since. Read what depends on it afterwards. */
  async function findNoneSinceGuard({workspace, deadline, principal}: Call): Promise<Guard> {
    const list = lists.reactionsBy(principal.id);
    const {rows} = await records.list(workspace, {list, limit: 1}, deadline);
    return {check: 'length', list, past: rows[0]?.position ?? 0, below: 1};
  }

  async function planChange(call: Call, change: ReactionChange): Promise<Commit> {
    const [{standup, team, version}, noneSince] = await Promise.all([
      requireNamedStandup(call, change.subject, 'subject'),
      findNoneSinceGuard(call),
    ]);
    const {principal: author} = call;
    const all = await listReactionsOn(call, standup.id);
    const own = all.find((reaction) => reaction.author.id === author.id);
    const emoji = changeEmoji(own?.emoji ?? [], change);
    const draft: Draft<Reaction> = {
      object: 'reaction',
      subject: standup.id,
      team: team.slug,
      team_id: team.id,
      author,
      ...(own && toDraft(own)),
      emoji,
    };
    const reply = {kind: 'empty'} as const;
    const isThere: readonly Guard[] = [
      {check: 'unchanged', collection: 'teams', version},
      {check: 'revision', id: standup.id, revision: standup.revision},
    ];
    if (own === undefined) {
      if (emoji.length === 0) return {guards: [], writes: [], events: [], reply};
      if (all.length >= limits.reactionsPerSubject) {
        throw new AppError(
          'limit_reached',
          `At most ${limits.reactionsPerSubject} members and programs can react to one standup. Write a comment instead.`,
        );
      }
      const suffix = generateSuffix();
      const notifications = await planNotifications(call, {
        standup: suffixOf(standup.id),
        about: suffix,
        by: author.id,
        others: [{id: standup.author.id, reason: 'reaction'}],
      });
      return {
        guards: [
          ...isThere,
          noneSince,
          {check: 'length', list: lists.reactionsOn(standup.id), below: limits.reactionsPerSubject},
          ...requireRoomForEmoji(standup.id, all, own, emoji),
        ],
        writes: [createWrite('reaction', suffix, draft, findListsWithReaction(draft)), ...notifications],
        events: [{type: 'reaction.created', about: suffix, revision: 1, team: team.id}],
        reply,
      };
    }
    if (emoji.length === 0) {
      return {...createDeleteReactionWrites(own, 'remove'), effect: 'release', reply};
    }
    if (isSame(own.emoji, emoji)) {
      return {
        guards: [{check: 'revision', id: own.id, revision: own.revision}],
        writes: [],
        events: [],
        reply,
      };
    }
    return {
      guards: [...isThere, ...requireRoomForEmoji(standup.id, all, own, emoji)],
      writes: [reviseWrite(own, draft)],
      events: [
        {type: 'reaction.updated', about: suffixOf(own.id), revision: own.revision + 1, team: team.id},
      ],
      reply,
    };
  }

  return {
    /**
     * Adds emoji to the caller's reaction to a standup, and removes others. The reaction goes with its last
     * emoji. Repeating a change has no effect. The answer counts all reactions as they are now, also when it is
     * repeated: a stored one would have names. Errors: `validation_failed`, `limit_reached`.
     */
    async changeReaction(call: Call, change: ReactionChange): Promise<Answer<ReactionSummary>> {
      const answer = await mutate<ReactionSummary>(call, () => planChange(call, change));
      // Who may no longer see the standup is not shown the present reactions by a repeated request.
      if (answer.replayed) await requireNamedStandup(call, change.subject, 'subject');
      const all = await listReactionsOn(call, change.subject);
      const reactions = countEmoji(all, call.principal.id);
      const summary = {object: 'reaction_summary', subject: change.subject, reactions} as const;
      return {...answer, outcome: 'changed', body: JSON.stringify(summary)};
    },
    /** Lists reactions, newest first. Errors: `not_found` for a standup that does not exist. */
    async listReactions(access: Caller, query: ReactionQuery): Promise<Page<WireJson<Reaction>>> {
      const {workspace, deadline} = access;
      const on =
        query.subject === undefined ? undefined : (await requireStandup(access, query.subject)).standup;
      const directory = await teams.of(access);
      const list = on === undefined ? lists.reactions() : lists.reactionsOn(on.id);
      return scanPages(
        (page) => records.list(workspace, {list, ...page}, deadline),
        query,
        async (rows) => {
          const reactions = rows.map(({json}) => parseWire(json));
          const subjects = reactions.map((reaction) => reaction.subject);
          const remaining = await findRemainingStandups(records, access, subjects);
          return reactions.map(({team_id: team, subject}, i) =>
            remaining.has(subject) && directory.byReference(team) !== undefined ? rows[i]?.json : undefined,
          );
        },
      );
    },
  };
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((emoji, i) => emoji === others[i]);

/**
 * Checks that a subject has few enough different emoji, and returns guards that it still has. An emoji that
 * somebody else has adds none, as long as that person keeps it. For one that is new, all reactions must be as
 * they were read. Errors: `limit_reached`.
 */
function requireRoomForEmoji(
  subject: ReactionSubject,
  all: readonly Reaction[],
  own: Reaction | undefined,
  emoji: readonly string[],
): Guard[] {
  const others = all.filter((reaction) => reaction !== own);
  const known = new Set(others.flatMap((reaction) => reaction.emoji));
  const added = emoji.filter((one) => own?.emoji.includes(one) !== true);
  const total = new Set([...known, ...emoji]).size;
  if (added.length > 0 && total > limits.emojiPerSubject) {
    const detail = `A standup has at most ${limits.emojiPerSubject} different emoji. Use one that is there.`;
    throw new AppError('limit_reached', detail);
  }
  const isNew = added.some((one) => !known.has(one));
  const listed: Guard = {
    check: 'listed',
    list: lists.reactionsOn(subject),
    suffixes: all.map(({id}) => suffixOf(id)),
  };
  const needed = isNew
    ? others
    : new Set(added.map((one) => others.find((reaction) => reaction.emoji.includes(one))));
  return [
    ...(isNew ? [listed] : []),
    ...[...needed].flatMap((reaction): Guard[] =>
      reaction === undefined ? [] : [{check: 'revision', id: reaction.id, revision: reaction.revision}],
    ),
  ];
}
