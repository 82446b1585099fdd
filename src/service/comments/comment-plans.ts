import {
  type Comment,
  type CommentChange,
  findListsWithComment,
  type NewComment,
} from '../../domain/comments/comment.js';
import {
  type Commit,
  type CommitPart,
  type Guard,
  joinCommitParts,
  nothing,
} from '../../domain/commit/commit.js';
import {createWrite, reviseWrite, type Write} from '../../domain/commit/writes.js';
import type {Call, Caller, PrincipalId} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {type IdSuffix, isId, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, isUnchangedByDraft, parseWire, toDraft} from '../../domain/core/resource.js';
import type {Source, Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {Proof} from '../core/authority.js';
import type {ServiceContext} from '../core/context.js';
import {createMentionChecker} from '../core/mentions.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createStandupFinder, isMissing} from '../standups/find-standup.js';
import {createNotifier} from '../inbox/notifications.js';
import {createDeleteCommentPart} from './comment-records.js';

type Formatted = Pick<NewComment, 'text' | 'format'>;

interface CommentWithTeam {
  readonly comment: Comment;
  readonly team: Team;
}

/** Plans changes of comments, for the API and for people who reply in Slack. */
export function createCommentPlans(context: ServiceContext) {
  const {records, generateSuffix, authority} = context;
  const {requireStandup, requireNamedStandup} = createStandupFinder(context);
  const checkMentions = createMentionChecker(context);
  const planNotifications = createNotifier(context);

  /** Finds a comment. One of a deleted standup or team counts as deleted, even before a job has removed it. */
  async function requireComment(access: Caller, id: string): Promise<CommentWithTeam> {
    const comment = isId('comment', id)
      ? await records.find(access.workspace, id, access.deadline)
      : undefined;
    if (comment === undefined) throw notFound('comment');
    try {
      const {team} = await requireStandup(access, comment.standup);
      return {comment, team};
    } catch (error) {
      throw isMissing(error) ? notFound('comment') : error;
    }
  }

  /** Lists those who wrote the newest comments on a standup. */
  async function listCommenters({workspace, deadline}: Caller, standup: Standup): Promise<PrincipalId[]> {
    const query = {list: lists.commentsOf(standup.id), limit: limits.inboxThread};
    const {rows} = await records.list(workspace, query, deadline);
    return rows.map(({json}) => parseWire(json).author.id);
  }

  async function requireRoom({workspace, deadline}: Caller, standup: Standup): Promise<Guard> {
    const list = lists.commentsOf(standup.id);
    const below = limits.commentsPerStandup;
    if ((await records.count(workspace, list, deadline)) >= below) {
      const detail = `This standup has ${below} comments, which is as many as it may have. Delete some first.`;
      throw new AppError('limit_reached', detail);
    }
    return {check: 'length', list, below};
  }

  /** Checks that the caller may delete a comment. Errors: `forbidden`. */
  async function requireMayDelete(call: Call, {author}: Comment, team: Team): Promise<Proof> {
    if (call.principal.id === author.id) return [];
    if (call.principal.type === 'service_account' && !call.scopes.has('standups:write_any')) {
      const detail = `Only its author ${author.name}, or a token with the scope "standups:write_any" may delete it.`;
      throw new AppError('forbidden', detail, {reason: 'not_author', person: author.name});
    }
    return authority.requireLead(call, team, {
      detail: `Only its author ${author.name}, a lead of the team "${team.slug}", or an owner or admin of the workspace, may delete it.`,
      reason: 'lead_only',
    });
  }

  /** Writes the present names into the mentions of a formatted comment. Errors: `validation_failed`. */
  async function nameMentions<C extends Formatted>(call: Call, comment: C, before?: Formatted): Promise<C> {
    if (comment.format !== 'markdown') return comment;
    const written = [{pointer: '#/text', field: 'text', text: comment.text, most: limits.comment}];
    const rename = await checkMentions(call, written, before?.format === 'markdown' ? [before.text] : []);
    return {...comment, text: rename(comment.text)};
  }

  async function planCreate(
    call: Call,
    {standup: id, ...given}: NewComment,
    reply?: {readonly slack: Comment['slack']; readonly claim: (comment: IdSuffix<'comment'>) => CommitPart},
  ): Promise<Commit> {
    const {standup} = await requireNamedStandup(call, id, 'standup');
    const {text, format} = await nameMentions(call, given);
    const room = await requireRoom(call, standup);
    const {type, id: author, name} = call.principal;
    const draft: Draft<Comment> = {
      object: 'comment',
      ...(format === 'markdown' && {format}),
      standup: standup.id,
      team: standup.team,
      team_id: standup.team_id,
      author: {type, id: author, name} as Comment['author'],
      text,
      source: chooseSource(call),
      ...(reply !== undefined && {slack: reply.slack}),
      edited: false,
    };
    const suffix = generateSuffix();
    const claim = reply?.claim(suffix) ?? nothing;
    const commenters = await listCommenters(call, standup);
    const notifications = await planNotifications(call, {
      standup: suffixOf(standup.id),
      about: suffix,
      by: author,
      texts: format === 'markdown' ? [text] : [],
      others: [
        {id: standup.author.id, reason: 'reply'},
        ...commenters.map((commenter) => ({id: commenter, reason: 'thread'}) as const),
      ],
    });
    const created = createWrite('comment', suffix, draft, findListsWithComment(draft));
    return {
      // A deleted standup takes no comment.
      guards: [{check: 'revision', id: standup.id, revision: standup.revision}, room, ...claim.guards],
      writes: [created, ...notifications, ...planUnmuting(author, suffixOf(standup.id)), ...claim.writes],
      events: [{type: 'comment.created', about: suffix, revision: 1, team: standup.team_id}],
      reply: {kind: 'resource', of: created},
    };
  }

  async function planChange(
    call: Call,
    id: string,
    change: CommentChange,
    {expected, claim}: {readonly expected?: Precondition | undefined; readonly claim?: CommitPart} = {},
  ): Promise<Commit> {
    const {comment} = await requireComment(call, id);
    const {author, revision, team_id: team} = comment;
    if (author.id !== call.principal.id) {
      const detail = `Only its author ${author.name} may edit it.`;
      throw new AppError('forbidden', detail, {reason: 'not_author', person: author.name});
    }
    if (claim === undefined) requireEditedHere(comment);
    requireRevision(expected, revision);
    const draft = await nameMentions(call, applyCommentChange(comment, change), comment);
    if (isUnchangedByDraft(comment, draft)) {
      const unchanged = planNothing(comment);
      // An edit that ends at the same text still comes after those before it.
      return {...unchanged, ...joinCommitParts([unchanged, claim ?? nothing])};
    }
    const revised = reviseWrite(comment, draft);
    const notifications = await planNotifications(call, {
      standup: suffixOf(comment.standup),
      about: suffixOf(comment.id),
      by: author.id,
      texts: draft.format === 'markdown' ? [draft.text] : [],
      before: comment.format === 'markdown' ? [comment.text] : [],
    });
    return {
      guards: claim?.guards ?? [],
      writes: [revised, ...notifications, ...(claim?.writes ?? [])],
      events: [{type: 'comment.updated', about: suffixOf(comment.id), revision: revision + 1, team}],
      reply: {kind: 'resource', of: revised},
    };
  }

  async function planDelete(call: Call, id: string, expected?: Precondition): Promise<Commit> {
    const {comment, team} = await requireComment(call, id);
    const proof = await requireMayDelete(call, comment, team);
    requireRevision(expected, comment.revision);
    return {
      ...createDeleteCommentPart(comment),
      effect: 'release',
      guards: proof,
      reply: {kind: 'empty'},
    };
  }

  return {requireComment, planCreate, planChange, planDelete};
}

/** Checks that a comment was not typed in Slack, where a bot cannot edit it. Errors: `edit_in_slack`. */
function requireEditedHere({slack}: Comment): void {
  if (slack === undefined) return;
  const where = slack.permalink === null ? '' : `: ${slack.permalink}`;
  throw new AppError('edit_in_slack', `This comment is a reply in Slack, and is edited there${where}`);
}

/** Who comments in a conversation that they have muted wants its answers. */
function planUnmuting(author: PrincipalId, standup: IdSuffix<'standup'>): Write[] {
  return isId('member', author) ? [{do: 'mute-inbox', member: author, standup, mutes: false}] : [];
}

function chooseSource({entryPoint}: Call): Source {
  return entryPoint === 'system' ? 'api' : entryPoint;
}

function applyCommentChange(comment: Comment, {text = comment.text, format}: CommentChange): Draft<Comment> {
  const {object, format: before, ...kept} = toDraft(comment);
  const next = (format ?? before) === 'markdown' ? 'markdown' : undefined;
  const isChanged = text !== comment.text || next !== before;
  return {
    object,
    ...(next !== undefined && {format: next}),
    ...kept,
    text,
    edited: comment.edited || isChanged,
  };
}
