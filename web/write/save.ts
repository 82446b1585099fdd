import {api, dataOf} from '../api/client.ts';
import {dropDraft} from '../api/drafts.ts';
import type {Problem} from '../api/problem.ts';
import {queryClient} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {toast} from '../parts/toast.ts';
import {words} from '../words/words.ts';
import {changeOnBoard, readBoardAgain} from './board.ts';
import type {Said} from './compose.ts';
import {type Draft, findDraft, keep, rebase} from './draft.ts';
import {deliver, sendOnce} from './outbox.ts';
import {toastNotUndone} from './post.ts';
import {standupQuery} from './queries.ts';

type Standup = Schema<'ShownStandup'>;
type StandupChange = Schema<'StandupChange'>;

/** A change, and the revision that it is based on. */
interface Edit {
  readonly change: StandupChange;
  readonly revision: number;
}

export interface Saving {
  readonly place: string;
  readonly draft: Draft;
  readonly standup: Standup;
  readonly edit: Edit;
  readonly said: Said;
  readonly reopen: () => void;
}

/**
 * Shows the change on the board at once, and reverts it when it is rejected: the panel then shows both
 * versions.
 */
export function save({place, draft: given, standup, edit, said, reopen}: Saving): void {
  const {id, author} = standup;
  const earlier = given.sent as readonly Edit[];
  const isKnown = earlier.some((one) => JSON.stringify(one) === JSON.stringify(edit));
  const draft = {...given, sent: isKnown ? earlier : [...earlier, edit].slice(-5)};
  keep(place, draft);
  const hide = changeOnBoard(author.id, id, {update: said.update, answers: [...said.answers]});
  let dismiss = (): void => undefined;
  void deliver({
    place,
    body: edit.change,
    send: () => sendEdit(id, draft.key, edit, earlier),
    onMade: (changed) => {
      dismiss();
      if (findDraft(place)?.at === draft.at) dropDraft(place);
      else rebase(place, draft, changed.revision);
      queryClient.setQueryData(standupQuery(id).queryKey, changed);
      void readBoardAgain();
      toast({text: words.write.saved, undo: () => void putBack(standup, changed)});
    },
    onWaiting: () => {
      dismiss = toast({text: words.write.waiting, ms: 3_600_000});
    },
    onRefused: (problem: Problem) => {
      dismiss();
      hide();
      const kept = findDraft(place);
      if (kept?.key === draft.key) keep(place, {...kept, sent: earlier});
      if (problem.status === 412) void queryClient.invalidateQueries(standupQuery(id));
      reopen();
    },
  });
}

function sendEdit(standup: string, key: string, edit: Edit, earlier: readonly Edit[]): Promise<Standup> {
  const patch = ({change, revision}: Edit, idempotency?: string): Promise<Standup> => {
    const header = {
      'If-Match': `"${revision}"`,
      ...(idempotency !== undefined && {'Idempotency-Key': idempotency}),
    };
    const params = {path: {standup}, header};
    return dataOf(api.PATCH('/v1/standups/{standup}', {params, body: change}));
  };
  return sendOnce(
    {body: edit, earlier},
    (one) => patch(one, key),
    ({revision}) => patch({...edit, revision}),
  );
}

/** Restores the earlier content, unless another person has changed the standup since. */
async function putBack({id, update, answers}: Standup, {revision}: Standup): Promise<void> {
  const params = {path: {standup: id}, header: {'If-Match': `"${revision}"`}};
  const before = answers.map(({question, value}) => ({question, value}));
  const body = {update, answers: before.length === 0 ? null : before};
  try {
    const changed = await dataOf(api.PATCH('/v1/standups/{standup}', {params, body}));
    queryClient.setQueryData(standupQuery(id).queryKey, changed);
    await readBoardAgain();
  } catch (error) {
    await toastNotUndone(error);
  }
}
