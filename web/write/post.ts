import {newKey} from '../api/new-key.ts';
import {dropDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {invalidate} from '../api/queries.ts';
import type {NewStandup, ShownStandup} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import {removeFromBoard, showOnBoard} from './board.ts';
import type {ComposedStandup} from './compose.ts';
import {beginDraft, type StandupDraft, findDraft, mergeDrafts, saveStandupDraft} from './draft.ts';
import {deliverRequest, sendWithoutDuplicate} from './outbox.ts';
import {formatList} from '../texts/format.ts';

export interface PendingPost {
  readonly draftKey: string;
  readonly memberId: string;
  readonly draft: StandupDraft;
  readonly body: NewStandup;
  readonly said: ComposedStandup;
  /** The day of the standup in each team, and whether the standup is late there. */
  readonly goals: readonly {
    readonly slug: string;
    readonly name: string;
    readonly date: string;
    readonly late: boolean;
  }[];
  /** Reopens the panel with the draft. */
  readonly reopen: () => void;
}

/** Posts a standup, and shows it at once. The input stays a draft until the standup is posted. */
export function postStandup({
  draftKey,
  memberId,
  draft: given,
  body,
  said: content,
  goals,
  reopen,
}: PendingPost): void {
  const earlier = given.sent as readonly NewStandup[];
  const isKnown = earlier.some((one) => JSON.stringify(one) === JSON.stringify(body));
  const draft = {...given, sent: isKnown ? earlier : [...earlier, body].slice(-5)};
  saveStandupDraft(draftKey, draft);
  const hides = goals.map(({slug, date, late}) =>
    showOnBoard(memberId, (day) => day.team === slug && day.date === date, {
      revision: 1,
      source: 'dashboard',
      late,
      edited: false,
      created_at: new Date().toISOString(),
      update: content.update,
      format: content.format,
      answers: [...content.answers],
      thread: {comments: 0, last_comment_at: null, reactions: []},
    }),
  );
  const hide = (): void => hides.forEach((one) => one());
  let dismiss = (): void => undefined;
  void deliverRequest({
    draftKey,
    body,
    send: () => sendStandup(draft.key, body, earlier),
    onMade: (made) => {
      dismiss();
      // A draft changed during the post keeps its key, so that posting it again edits this standup.
      if (findDraft(draftKey)?.at === draft.at) dropDraft(draftKey);
      void invalidate('standup', 'blocker').then(hide, hide);
      toast({
        text: texts.write.posted({teams: formatList(goals.map(({name}) => name))}),
        undo: () => void undoPost({draftKey, memberId, draft, made, reopen}),
      });
    },
    onWaiting: () => {
      dismiss = toast({text: texts.write.waiting, ms: 3_600_000});
    },
    onRefused: () => {
      dismiss();
      hide();
      // All standups created with this key, if any, are known. The next try can therefore use it again.
      const kept = findDraft(draftKey);
      if (kept?.key === draft.key) saveStandupDraft(draftKey, {...kept, sent: earlier});
      reopen();
    },
  });
}

function sendStandup(key: string, body: NewStandup, earlier: readonly NewStandup[]): Promise<ShownStandup[]> {
  return sendWithoutDuplicate(
    {body, earlier},
    (one) => createStandups(one, key),
    (made) => editOrReplaceStandups(made, body),
  );
}

async function createStandups(body: NewStandup, key: string): Promise<ShownStandup[]> {
  const made = await send('post', '/v1/standups', {key, body});
  return made.object === 'list' ? made.data : [made];
}

/** Turns an earlier try's standups into the wanted ones: edits them, or replaces them for other teams. */
async function editOrReplaceStandups(made: ShownStandup[], body: NewStandup): Promise<ShownStandup[]> {
  const wanted = body.teams ?? [body.team ?? ''];
  const isSame = made.length === wanted.length && made.every(({team}) => wanted.includes(team));
  if (!isSame) {
    await deleteStandups(made);
    // The new standups need a new key, since the old key belongs to the deleted ones.
    return createStandups(body, newKey());
  }
  const {update, format = 'plain', answers, blockers, resolved, date} = body;
  const change = {
    format,
    ...(update !== undefined && {update}),
    ...(resolved !== undefined && {resolved}),
    ...(date !== undefined && {date}),
    answers: answers ?? null,
    blockers: blockers ?? null,
  };
  const changed: ShownStandup[] = [];
  for (const {id} of made) {
    changed.push(await send('patch', '/v1/standups/{standup}', {standup: id, body: change}));
  }
  return changed;
}

async function deleteStandups(made: readonly ShownStandup[], isUnchanged = false): Promise<void> {
  for (const {id, revision} of made) {
    const given = {standup: id, revision: isUnchanged ? revision : undefined};
    try {
      await send('delete', '/v1/standups/{standup}', given);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
    }
  }
}

interface UndonePost extends Pick<PendingPost, 'draftKey' | 'memberId' | 'draft' | 'reopen'> {
  readonly made: readonly ShownStandup[];
}

/** Undoes a post: deletes its standups, reopens the blockers it resolved, and restores the draft. */
async function undoPost({draftKey, memberId, draft, made, reopen}: UndonePost): Promise<void> {
  const {key, at} = beginDraft();
  const typedSince = findDraft(draftKey);
  saveStandupDraft(draftKey, {...mergeDrafts({...draft, sent: []}, typedSince), key, at});
  removeFromBoard(
    memberId,
    made.map(({id}) => id),
  );
  try {
    await deleteStandups(made, true);
  } catch (error) {
    // A refusal proves that the standup still exists, although others may be deleted already.
    const isThere = error instanceof Problem && error.status >= 400 && error.status < 500;
    if (isThere && made.length === 1) {
      if (typedSince === undefined) dropDraft(draftKey);
      else saveStandupDraft(draftKey, typedSince);
    }
    return showUndoFailure(error);
  }
  reopen();
  try {
    for (const blocker of draft.resolved) {
      await send('patch', '/v1/blockers/{blocker}', {blocker, body: {state: 'raised'}});
    }
    await invalidate('standup', 'blocker');
  } catch (error) {
    await showUndoFailure(error);
  }
}

export async function showUndoFailure(error: unknown): Promise<void> {
  toast({text: texts.write.notUndone({reason: error instanceof Problem ? error.message : ''})});
  await invalidate('standup', 'blocker');
}
