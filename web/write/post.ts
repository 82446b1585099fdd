import {newKey} from '../api/new-key.ts';
import {api, dataOf} from '../api/client.ts';
import {dropDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import type {Schema} from '../api/schema.ts';
import {toast} from '../parts/toast.ts';
import {words} from '../words/words.ts';
import {readBoardAgain, removeFromBoard, showOnBoard} from './board.ts';
import type {Said} from './compose.ts';
import {beginDraft, type Draft, findDraft, joinDrafts, keep} from './draft.ts';
import {deliver, sendOnce} from './outbox.ts';

export type NewStandup = Schema<'NewStandup'>;
type Standup = Schema<'ShownStandup'>;

export interface Posting {
  readonly place: string;
  readonly memberId: string;
  readonly draft: Draft;
  readonly body: NewStandup;
  readonly said: Said;
  /** The day that it is for in each team, and whether it comes late there. */
  readonly goals: readonly {
    readonly slug: string;
    readonly name: string;
    readonly date: string;
    readonly late: boolean;
  }[];
  /** Opens the panel again, with the draft in it. */
  readonly reopen: () => void;
}

/** Stands on the board at once. Whatever comes of it, what was typed is a draft until it is posted. */
export function post({place, memberId, draft: given, body, said, goals, reopen}: Posting): void {
  const earlier = given.sent as readonly NewStandup[];
  const isKnown = earlier.some((one) => JSON.stringify(one) === JSON.stringify(body));
  const draft = {...given, sent: isKnown ? earlier : [...earlier, body].slice(-5)};
  keep(place, draft);
  const hides = goals.map(({slug, date, late}) =>
    showOnBoard(memberId, (day) => day.team === slug && day.date === date, {
      revision: 1,
      source: 'dashboard',
      late,
      edited: false,
      created_at: new Date().toISOString(),
      update: said.update,
      answers: [...said.answers],
    }),
  );
  const hide = (): void => hides.forEach((one) => one());
  let dismiss = (): void => undefined;
  void deliver({
    place,
    body,
    send: () => sendPost(draft.key, body, earlier),
    onMade: (made) => {
      dismiss();
      // Words that were typed since are a change of what was made: the key says so.
      if (findDraft(place)?.at === draft.at) dropDraft(place);
      void readBoardAgain().then(hide, hide);
      toast({
        text: words.write.posted(goals.map(({name}) => name)),
        undo: () => void takeBack({place, memberId, draft, made, reopen}),
      });
    },
    onWaiting: () => {
      dismiss = toast({text: words.write.waiting, ms: 3_600_000});
    },
    onRefused: () => {
      dismiss();
      hide();
      // Nothing was made under the key, or what was made is known: it is good for the next try.
      const kept = findDraft(place);
      if (kept?.key === draft.key) keep(place, {...kept, sent: earlier});
      reopen();
    },
  });
}

function sendPost(key: string, body: NewStandup, earlier: readonly NewStandup[]): Promise<Standup[]> {
  const header = {'Idempotency-Key': key};
  const send = async (one: NewStandup): Promise<Standup[]> => {
    const made = await dataOf(api.POST('/v1/standups', {params: {header}, body: one}));
    return made.object === 'list' ? made.data : [made];
  };
  return sendOnce({body, earlier}, send, (made) => amend(made, body));
}

/**
 * Turns what an earlier try has made into what is wanted now: the same standups with other words, or others.
 */
async function amend(made: Standup[], body: NewStandup): Promise<Standup[]> {
  const wanted = body.teams ?? [body.team ?? ''];
  const isSame = made.length === wanted.length && made.every(({team}) => wanted.includes(team));
  if (!isSame) {
    await remove(made);
    // The key stands for what was made; these are others.
    const header = {'Idempotency-Key': newKey()};
    const others = await dataOf(api.POST('/v1/standups', {params: {header}, body}));
    return others.object === 'list' ? others.data : [others];
  }
  const {update, answers, blockers, resolved, date} = body;
  const change = {
    ...(update !== undefined && {update}),
    ...(resolved !== undefined && {resolved}),
    ...(date !== undefined && {date}),
    answers: answers ?? null,
    blockers: blockers ?? null,
  };
  const changed: Standup[] = [];
  for (const {id} of made) {
    const params = {path: {standup: id}};
    changed.push(await dataOf(api.PATCH('/v1/standups/{standup}', {params, body: change})));
  }
  return changed;
}

async function remove(made: readonly Standup[], isUnchanged = false): Promise<void> {
  for (const {id, revision} of made) {
    const header = isUnchanged ? {'If-Match': `"${revision}"`} : {};
    try {
      await api.DELETE('/v1/standups/{standup}', {params: {path: {standup: id}, header}});
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
    }
  }
}

interface Taken extends Pick<Posting, 'place' | 'memberId' | 'draft' | 'reopen'> {
  readonly made: readonly Standup[];
}

/** The standups go, blockers that were ticked are open again, and the words are a draft again. */
async function takeBack({place, memberId, draft, made, reopen}: Taken): Promise<void> {
  const {key, at} = beginDraft();
  const typedSince = findDraft(place);
  keep(place, {...joinDrafts({...draft, sent: []}, typedSince), key, at});
  removeFromBoard(
    memberId,
    made.map(({id}) => id),
  );
  try {
    await remove(made, true);
  } catch (error) {
    // Only a refusal of the first one says that all of them are still there.
    const isThere = error instanceof Problem && error.status >= 400 && error.status < 500;
    if (isThere && made.length === 1) {
      if (typedSince === undefined) dropDraft(place);
      else keep(place, typedSince);
    }
    return toastNotUndone(error);
  }
  reopen();
  try {
    for (const blocker of draft.resolved) {
      await api.PATCH('/v1/blockers/{blocker}', {params: {path: {blocker}}, body: {state: 'raised'}});
    }
    await readBoardAgain();
  } catch (error) {
    await toastNotUndone(error);
  }
}

export async function toastNotUndone(error: unknown): Promise<void> {
  toast({text: words.write.notUndone(error instanceof Problem ? error.message : '')});
  await readBoardAgain();
}
