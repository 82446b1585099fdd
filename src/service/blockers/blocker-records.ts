import type {Principal} from '../../domain/core/access.js';
import {type Blocker, findListsWithBlocker, findResolutionDay} from '../../domain/blockers/blocker.js';
import type {CommitPart, EventDraft} from '../../domain/commit/commit.js';
import {
  type CreateWrite,
  createWrite,
  type RemovalMode,
  type ReviseWrite,
  reviseWrite,
  type Write,
} from '../../domain/commit/writes.js';
import type {EventType} from '../../domain/events/event.js';
import {suffixOf, parseCreationTime, type IdSuffix, type Id} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import type {Team} from '../../domain/teams/team.js';

export interface NewBlocker {
  readonly team: Pick<Team, 'id' | 'slug'>;
  readonly author: Principal;
  readonly text: string;
  /** The id of the standup that raised the blocker, provisional if the same commit creates it. */
  readonly standup: Id<'standup'> | null;
  readonly question: string | null;
}

/** Raises a blocker. `suffix`: the blocker's id suffix. */
export function createRaiseBlockerWrites(
  {team, author, text, standup, question}: NewBlocker,
  suffix: IdSuffix<'blocker'>,
): CommitPart & {readonly created: CreateWrite} {
  const draft: Draft<Blocker> = {
    object: 'blocker',
    team: team.slug,
    team_id: team.id,
    author,
    text,
    state: 'raised',
    standup,
    question,
    acknowledged_by: null,
    acknowledged_at: null,
    resolved_by: null,
    resolved_at: null,
  };
  const isNew = standup !== null && parseCreationTime(standup) === 0;
  const ofNew = isNew ? ({kind: 'standup', suffix: suffixOf(standup)} as const) : undefined;
  const created = createWrite('blocker', suffix, draft, findListsWithBlocker(draft), ofNew);
  return {
    created,
    guards: [],
    writes: [created],
    events: [{type: 'blocker.raised', about: suffix, revision: 1, team: team.id}],
  };
}

export function createChangeBlockerWrites(
  blocker: Blocker,
  draft: Draft<Blocker>,
): CommitPart & {readonly revised: ReviseWrite} {
  const {id, revision: from, team_id: team} = blocker;
  const suffix = suffixOf(id);
  const open = lists.openBlockersOfTeam(team);
  const ends = draft.state === 'resolved' && blocker.state !== 'resolved';
  const begins = draft.state !== 'resolved' && blocker.state === 'resolved';
  const move = [{list: lists.blockersByEnd(), day: findResolutionDay(draft.resolved_at)}];
  const revised = reviseWrite(blocker, draft, ends || begins ? {move} : {});
  const writes: Write[] = [
    revised,
    ...(ends ? [{do: 'relist', suffix, from: open, to: null} as const] : []),
    ...(begins
      ? [
          {
            do: 'relist',
            suffix,
            from: null,
            to: {list: open, positionFrom: lists.blockersOfTeam(team)},
          } as const,
        ]
      : []),
  ];
  const eventOf = (type: EventType): EventDraft => ({type, about: suffix, revision: from + 1, team});
  const isChanged = (['text', 'standup', 'question'] as const).some((name) => draft[name] !== blocker[name]);
  return {
    revised,
    guards: [],
    writes,
    events: [
      ...(isChanged ? [eventOf('blocker.updated')] : []),
      ...(draft.state === blocker.state ? [] : [eventOf(`blocker.${draft.state}`)]),
    ],
  };
}

export function draftResolvedBlocker(blocker: Blocker, {type, id}: Principal, at: string): Draft<Blocker> {
  return {...toDraft(blocker), state: 'resolved', resolved_by: {type, id}, resolved_at: at};
}

export function createDeleteBlockerWrites(blocker: Blocker, how?: RemovalMode): CommitPart {
  const {id, revision, team_id: team} = blocker;
  return {
    guards: [],
    writes: [createRemoveBlockerWrite(blocker, how)],
    events: [{type: 'blocker.deleted', about: suffixOf(id), revision, team}],
  };
}

export function createRemoveBlockerWrite(blocker: Blocker, how: RemovalMode = 'remove'): Write {
  const {id, revision: from, author} = blocker;
  const listNames = findListsWithBlocker(blocker).map(({list}) => list);
  return {do: 'remove', how, id, from, lists: listNames, names: [author.id]};
}
