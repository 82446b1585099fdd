import type {RespondArguments} from '@slack/bolt';
import type {Button, KnownBlock} from '@slack/types';
import type {Call} from '../../domain/access.js';
import {AppError} from '../../domain/errors.js';
import type {Standup} from '../../domain/standup.js';
import type {TypedDue, TypedRecord} from '../../domain/typed-record.js';
import {converse, slotsOf, type Talk, type TypedDraft} from '../../domain/typing.js';
import {nameInText} from '../bidi.js';
import {presentSaved, presentSavedForAll, presentKept, formButton} from '../commands/answers.js';
import {parseCommand} from '../commands/parse-command.js';
import {subcommands} from '../commands/subcommands.js';
import {presentSuggestion} from '../commands/suggestion.js';
import type {Kit, Visit} from '../kit.js';
import {actions} from '../names.js';
import {explain} from '../refusals.js';
import type {Place} from '../visitors.js';
import {editPosted, postDraft} from './post-typed.js';
import {
  draftText,
  faultSentence,
  formOf,
  labelOf,
  namedTeams,
  offerParts,
  presentParts,
  questionParts,
  summaryParts,
  type TypedMessage,
  type TypedParts,
} from './present.js';

/** Who is answered. */
export interface Listener {
  readonly visit: Visit;
  readonly place: Place;
  readonly call: Call;
}

/** What is said next. */
export interface Saying {
  readonly message?: TypedMessage | undefined;
  /** What takes the place of the message that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The draft that `message` shows the whole of. */
  readonly shows?: string | undefined;
}

/** What belongs to a conversation is said in one message, whatever has come at once; everything else in one of its own. */
const ofConversation: ReadonlySet<TypedDue['is']> = new Set([
  'word',
  'pressed',
  'edit',
  'deleted',
  'begin',
  'dropped',
]);

export function nextOf(due: readonly TypedDue[]): readonly TypedDue[] {
  const [first] = due;
  if (first === undefined) return [];
  if (!ofConversation.has(first.is)) return [first];
  const end = due.findIndex(({is}) => !ofConversation.has(is));
  return end < 0 ? due : due.slice(0, end);
}

/** Does what the words ask for, and says what came of it. Each thing that it does is done once, however often it is asked for. */
export async function composeSaying(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<Saying> {
  const [first] = due;
  const {reader} = listener.visit;
  const {typing} = reader.words;
  if (first === undefined) return {};
  if (ofConversation.has(first.is)) return converseOn(kit, listener, record, due);
  const alone = (parts: TypedParts): Saying => ({message: presentParts(parts)});
  switch (first.is) {
    case 'command':
      return {message: await runCommand(kit, listener, first)};
    case 'offer':
    case 'edited-offer':
      return offer(kit, listener, record, first.ts);
    case 'edit-posted':
      return editAnswer(kit, listener, record, first);
    case 'deleted-posted':
      return deletedAnswer(kit, listener, record);
    case 'deleted-offer':
      return alone({sentences: [typing.deletedOffer]});
    case 'unfit':
      return alone({sentences: [typing.unfit[first.why]]});
    case 'posted':
      return tellPosted(kit, listener, record, first.done);
    case 'left': {
      const {draft} = first;
      const text = draftText(draft);
      const [names, day] = namedTeams(reader, draft, listener.place.directory);
      const wish = {mode: 'new', team: draft.teams[0]?.id, text, replaces: true} as const;
      return text === ''
        ? {}
        : alone({
            sentences: [typing.left(names, day)],
            quote: text,
            buttons: [formButton(typing.openForm, wish)],
          });
    }
    case 'idle':
      return alone({sentences: [typing.idle]});
    case 'slow':
      return alone({sentences: [typing.slow]});
    default:
      return alone({sentences: [typing.over]});
  }
}

async function converseOn(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<Saying> {
  const {draft} = record;
  const {place, visit} = listener;
  const {reader} = visit;
  const {typing} = reader.words;
  if (draft === undefined) return {};
  const talk = converse(draft);
  const [names, day] = namedTeams(reader, draft, place.directory);
  const text = draftText(draft, talk);
  const dropped = due.flatMap((one) =>
    one.is === 'dropped' ? [typing.ended[one.why](nameOf(listener, one.team))] : [],
  );
  if (draft.ended !== undefined && draft.ended !== 'stopped') {
    const sentences = [typing.ended[draft.ended](names)];
    return {
      message: presentParts(
        text === ''
          ? {sentences}
          : {sentences, quote: text, below: [typing.formStill], buttons: [formOf(reader, draft)]},
      ),
    };
  }
  const begins = draft.words.length === 1 && due.some(({is}) => is === 'word');
  const notes = [...dropped];
  let asks = true;
  let buttons: readonly Button[] = [];
  for (const one of due) {
    if (one.is === 'begin') notes.push(typing.nextTeam(names, day));
    if (one.is === 'deleted') notes.push(typing.removed);
    if (one.is !== 'word' && one.is !== 'pressed' && one.is !== 'edit') continue;
    const effect = talk.effects.get(one.ts);
    const label = labelFor(reader, draft, effect);
    if (effect === undefined) continue;
    if (one.is === 'edit') {
      if (effect.does === 'answer' && effect.editFault !== undefined)
        notes.push(faultSentence(reader, effect.editFault), typing.keptEarlier(label));
      else if (effect.does === 'answer') notes.push(typing.changed(label));
      if (effect.does === 'fault') notes.push(faultSentence(reader, effect.fault));
      asks = asks && due.length > 1;
      continue;
    }
    asks = true;
    switch (effect.does) {
      case 'answer':
        // They may not have seen what was asked.
        if (begins) notes.push(typing.takenAs(label));
        break;
      case 'post':
        if (talk.missing.length === 0 && text !== '') return post(kit, listener, record, draft, talk, one);
        notes.push(
          typing.missing(
            labelOf(reader, draft, talk.missing[0] ?? draft.questions[0] ?? {key: '', label: ''}),
          ),
        );
        break;
      case 'stop':
      case 'discard': {
        const isStop = effect.does === 'stop';
        await kit.services.typing.end(listener.call, visit.user.id, draft.id, isStop ? 'stopped' : undefined);
        const said = presentParts(
          isStop && text !== ''
            ? {sentences: [typing.stopped], quote: text, buttons: [formOf(reader, draft)]}
            : {sentences: [isStop ? typing.stoppedEmpty : typing.discarded]},
        );
        return one.is === 'pressed' && draft.summary !== undefined ? {summary: said} : {message: said};
      }
      case 'fault':
        notes.push(faultSentence(reader, effect.fault));
        break;
      case 'required':
        notes.push(typing.needed);
        break;
      case 'help':
        notes.push(...typing.help);
        break;
      case 'later':
        notes.push(
          talk.asked === undefined ? typing.laterDone : typing.later(labelOf(reader, draft, talk.asked)),
        );
        asks = false;
        break;
      case 'edit':
        notes.push(typing.editHere);
        buttons = [formOf(reader, draft)];
        asks = false;
        break;
      case 'extra':
        notes.push(typing.extra);
        break;
      case 'full':
        notes.push(typing.full);
        buttons = [formOf(reader, draft)];
        break;
      default:
    }
  }
  if (talk.asked !== undefined) {
    const intro = begins ? [typing.forTeams(names, day)] : [];
    const question = asks ? questionParts(reader, draft, talk) : {sentences: []};
    return {
      message: presentParts({
        sentences: [...intro, ...notes, ...question.sentences],
        buttons: [...buttons, ...(question.buttons ?? [])],
      }),
    };
  }
  const summary = summaryParts(reader, draft, talk, place.directory);
  const isEditAlone = due.every(({is}) => is === 'edit');
  if (isEditAlone && draft.summary !== undefined && due.every((one) => !isRefusedEdit(talk, one)))
    return {summary: presentParts(summary)};
  if (!asks) return {message: presentParts({sentences: notes, buttons})};
  return {
    message: presentParts({...summary, sentences: [...notes, ...summary.sentences]}),
    shows: draft.id,
  };
}

function isRefusedEdit({effects}: Talk, due: TypedDue): boolean {
  const effect = due.is === 'edit' ? effects.get(due.ts) : undefined;
  return effect?.does === 'fault' || (effect?.does === 'answer' && effect.editFault !== undefined);
}

function labelFor(reader: Visit['reader'], draft: TypedDraft, effect: object | undefined): string {
  const key = effect !== undefined && 'key' in effect ? effect.key : undefined;
  const question = draft.questions.find((one) => one.key === key);
  return question === undefined ? '' : labelOf(reader, draft, question);
}

function nameOf({place, visit}: Listener, team: string): string {
  const found = place.directory.byReference(team);
  return found === undefined ? visit.reader.words.typing.aTeam : nameInText(found.name);
}

async function post(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  draft: TypedDraft,
  talk: Talk,
  due: TypedDue,
): Promise<Saying> {
  const {visit, place, call} = listener;
  const {reader, user} = visit;
  const {typing} = reader.words;
  const reference = kit.drawReference();
  const settle = (message: TypedMessage): Saying =>
    due.is === 'pressed' && draft.summary !== undefined ? {summary: message} : {message};
  try {
    const standups = await postDraft(kit, {place, call}, {draft, talk}, reader);
    const done = {
      id: draft.id,
      standups: standups.map(({id, team_id: team}) => ({id, team})),
      asks: draft.asks,
      slots: slotsOf(draft),
    };
    await kit.services.typing.finish(call, user.id, done, due);
    kit.refreshHome(visit.origin, user);
    return settle(presentPosted(listener, standups));
  } catch (error) {
    const {code, sentence, uncertain} = explain(error, kit.log, reference, reader.words);
    if (code === 'idempotency_key_reused') {
      await kit.services.typing.end(call, user.id, draft.id, 'posted');
      const [names] = namedTeams(reader, draft, place.directory);
      return settle(presentParts({sentences: [typing.ended.posted(names)], quote: draftText(draft, talk)}));
    }
    const sentences = [uncertain ? sentence : typing.notPosted(sentence)];
    const again = summaryParts(reader, draft, talk, place.directory);
    return {message: presentParts({...again, sentences}), shows: draft.id};
  }
}

async function tellPosted(kit: Kit, listener: Listener, record: TypedRecord, id: string): Promise<Saying> {
  const done = record.done.find((one) => one.id === id);
  const found = await Promise.all(
    (done?.standups ?? []).map((one) =>
      kit.services.standups.findStandup(listener.call, one.id).catch(() => undefined),
    ),
  );
  return {
    message: presentPosted(
      listener,
      found.flatMap((standup) => standup ?? []),
    ),
  };
}

/** Posted for whom, with what its author can still do. */
function presentPosted({visit: {reader}, place}: Listener, standups: readonly Standup[]): TypedMessage {
  const saved = standups.map((standup) => ({
    standup,
    team: {name: place.directory.byReference(standup.team_id)?.name ?? reader.words.typing.aTeam},
  }));
  const [first] = saved;
  if (first === undefined) return presentParts({sentences: [reader.words.typing.over]});
  return messageOf(
    saved.length === 1 ? presentSaved(reader, first.standup, first.team) : presentSavedForAll(reader, saved),
  );
}

/** A private answer as a message of a direct conversation. */
export function messageOf(answer: RespondArguments): TypedMessage {
  const text = answer.text ?? '';
  const blocks = 'blocks' in answer ? (answer.blocks as KnownBlock[] | undefined) : undefined;
  return {text, blocks: blocks ?? []};
}

/** A word of `/standup`, typed to the bot. What opens a view there has a button here. */
async function runCommand(
  kit: Kit,
  {visit}: Listener,
  {ts, text}: Extract<TypedDue, {is: 'command'}>,
): Promise<TypedMessage> {
  const {reader} = visit;
  const {typing} = reader.words;
  const parsed = parseCommand(text.trim());
  const button = (element: Button) => presentParts({sentences: [typing.runFirst], buttons: [element]});
  const plain = (value: string) => ({type: 'plain_text', text: value}) as const;
  switch (parsed.kind) {
    case 'unclear':
      return messageOf(presentSuggestion(reader, parsed, `typed-${ts}`));
    case 'kept':
      return messageOf(presentKept(reader, parsed));
    case 'run': {
      if (parsed.word === 'edit')
        return button(formButton(reader.words.command.edit, {mode: 'edit', replaces: true}));
      if (parsed.word === 'settings')
        return button({type: 'button', action_id: actions.openOwn, text: plain(typing.settings)});
      let said: RespondArguments | undefined;
      const hear = async (answer?: RespondArguments) => void (said = answer ?? said);
      await subcommands[parsed.word](kit, {...visit, respond: hear}, hear, parsed.rest);
      return said === undefined
        ? button(formButton(typing.openForm, {mode: 'auto', replaces: true}))
        : messageOf(said);
    }
    default:
      return button(formButton(typing.openForm, {mode: 'auto', replaces: true}));
  }
}

async function offer(
  kit: Kit,
  {visit, place, call}: Listener,
  record: TypedRecord,
  ts: string,
): Promise<Saying> {
  const found = record.offers.find((one) => one.ts === ts);
  if (found === undefined) return {};
  const {standups} = kit.services;
  const mine = await kit.visitors.listTeams(place, call.principal.id, call.deadline);
  const dates = await standups.findDates(call, mine, call.principal.id);
  const teams = await Promise.all(
    mine.map(async (team) => {
      const date = dates.get(team.id) ?? '';
      const query = {author: call.principal.id, team: team.id, dateFrom: date, dateTo: date, limit: 1};
      const {rows} = await standups.listStandups(call, query);
      return {team, date, hasPosted: rows.length > 0};
    }),
  );
  return {message: presentParts(offerParts(visit.reader, found, teams))};
}

async function editAnswer(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: Extract<TypedDue, {is: 'edit-posted'}>,
): Promise<Saying> {
  const {visit, call} = listener;
  const {reader} = visit;
  const done = record.done.findLast(({slots}) => Object.hasOwn(slots, due.ts));
  if (done === undefined) return {};
  try {
    const changed = await editPosted(kit, listener, due, done, reader);
    kit.refreshHome(visit.origin, visit.user);
    return {message: presentPosted(listener, changed)};
  } catch (error) {
    const {sentence} =
      error instanceof AppError && error.code === 'not_found'
        ? {sentence: reader.words.form.gone}
        : explain(error, kit.log, kit.drawReference(), reader.words);
    const [first] = done.standups;
    const edit =
      first && formButton(reader.words.command.edit, {mode: 'edit', standup: first.id, replaces: true});
    const isThere = call.principal.id !== '' && !(error instanceof AppError && error.code === 'not_found');
    return {
      message: presentParts({
        sentences: [reader.words.typing.notChanged(sentence)],
        quote: due.text,
        buttons: edit && isThere ? [edit] : [],
      }),
    };
  }
}

async function deletedAnswer(kit: Kit, listener: Listener, record: TypedRecord): Promise<Saying> {
  const {visit, call, place} = listener;
  const {reader} = visit;
  const {typing} = reader.words;
  const known = record.done.flatMap(({standups}) => standups).slice(-1);
  const found = await Promise.all(
    known.map(({id}) => kit.services.standups.findStandup(call, id).catch(() => undefined)),
  );
  const [standup] = found;
  if (standup === undefined) return {message: presentParts({sentences: [reader.words.form.gone]})};
  const name = place.directory.byReference(standup.team_id)?.name ?? typing.aTeam;
  const {blocks} = messageOf(presentSaved(reader, standup, {name}));
  const said = presentParts({sentences: [typing.deletedPosted]});
  return {message: {...said, blocks: [...said.blocks, ...blocks.filter(({type}) => type === 'actions')]}};
}
