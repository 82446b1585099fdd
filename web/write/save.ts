import {dropDraft} from '../api/drafts.ts';
import type {Problem} from '../api/problem.ts';
import {invalidate, queryClient} from '../api/queries.ts';
import type {Schema, ShownStandup} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import {changeOnBoard} from './board.ts';
import {type ComposedStandup, readFormat} from './compose.ts';
import {type StandupDraft, findDraft, saveStandupDraft, moveDraftToRevision} from './draft.ts';
import {deliverRequest, sendWithoutDuplicate} from './outbox.ts';
import {showUndoFailure} from './post.ts';
import {standupQuery} from './queries.ts';

type StandupChange = Schema<'StandupChange'>;

/** An edit of a standup, and the revision on which it is based. */
interface StandupEdit {
  readonly change: StandupChange;
  readonly revision: number;
}

export interface PendingSave {
  readonly draftKey: string;
  readonly draft: StandupDraft;
  readonly standup: ShownStandup;
  readonly edit: StandupEdit;
  readonly said: ComposedStandup;
  readonly reopen: () => void;
}

/** Saves an edit, and shows it at once. After a rejection, the panel shows both versions. */
export function saveEdit({draftKey, draft: given, standup, edit, said: content, reopen}: PendingSave): void {
  const {id, author} = standup;
  const earlier = given.sent as readonly StandupEdit[];
  const isKnown = earlier.some((one) => JSON.stringify(one) === JSON.stringify(edit));
  const draft = {...given, sent: isKnown ? earlier : [...earlier, edit].slice(-5)};
  saveStandupDraft(draftKey, draft);
  const hide = changeOnBoard(author.id, id, {
    update: content.update,
    format: content.format,
    answers: [...content.answers],
  });
  let dismiss = (): void => undefined;
  void deliverRequest({
    draftKey,
    body: edit.change,
    send: () => sendEdit(id, draft.key, edit, earlier),
    onMade: (changed) => {
      dismiss();
      if (findDraft(draftKey)?.at === draft.at) dropDraft(draftKey);
      else moveDraftToRevision(draftKey, draft, changed.revision);
      queryClient.setQueryData(standupQuery(id).queryKey, changed);
      void invalidate('standup', 'blocker');
      toast({text: texts.write.saved, undo: () => void restoreContent(standup, changed)});
    },
    onWaiting: () => {
      dismiss = toast({text: texts.write.waiting, ms: 3_600_000});
    },
    onRefused: (problem: Problem) => {
      dismiss();
      hide();
      const kept = findDraft(draftKey);
      if (kept?.key === draft.key) saveStandupDraft(draftKey, {...kept, sent: earlier});
      if (problem.status === 412) void queryClient.invalidateQueries(standupQuery(id));
      reopen();
    },
  });
}

function sendEdit(
  standup: string,
  key: string,
  edit: StandupEdit,
  earlier: readonly StandupEdit[],
): Promise<ShownStandup> {
  const path = '/v1/standups/{standup}';
  return sendWithoutDuplicate(
    {body: edit, earlier},
    ({change, revision}) => send('patch', path, {standup, revision, key, body: change}),
    ({revision}) => send('patch', path, {standup, revision, body: edit.change}),
  );
}

/** Restores a standup's earlier content, unless another person has changed it in the meantime. */
async function restoreContent(
  {id, update, answers, format}: ShownStandup,
  {revision}: ShownStandup,
): Promise<void> {
  const before = answers.map(({question, value}) => ({question, value}));
  const body = {update, format: readFormat(format), answers: before.length === 0 ? null : before};
  try {
    const changed = await send('patch', '/v1/standups/{standup}', {standup: id, revision, body});
    queryClient.setQueryData(standupQuery(id).queryKey, changed);
    await invalidate('standup', 'blocker');
  } catch (error) {
    await showUndoFailure(error);
  }
}
