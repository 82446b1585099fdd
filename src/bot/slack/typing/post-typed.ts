import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {besideAnswers} from '../../../domain/questions/answers.js';
import {plainRefusal} from '../../../domain/core/errors.js';
import {type Standup, postedIn} from '../../../domain/standups/standup.js';
import type {TypedDone} from '../../../domain/slack/typed-record.js';
import {readTyped} from '../../../domain/slack/typed-answer.js';
import {type Talk, type TypedDraft, typedAnswers} from '../../../domain/slack/typing.js';
import type {StandupChange} from '../../../service/standups/change-standup.js';
import type {Said} from '../../../service/standups/standup-words.js';
import {type QuestionContent, contentOf as inputsOf} from '../form/form-content.js';
import {explainForTeam} from '../form/form-dates.js';
import {contentOf} from '../form/save-form.js';
import {settleAnswers} from '../form/settle-answers.js';
import type {Kit} from '../door/kit.js';
import {composeUpdate} from '../blocks/text.js';
import {type Place, slackKey} from '../door/visitors.js';
import type {Reader} from '../blocks/reader.js';
import {draftText, faultSentence} from './present.js';

type Parts = Pick<Kit, 'services'>;

/**
 * Posts a draft for all of its teams or for none; the form that can be opened for it has the same idempotency
 * key, so that it is posted once. Errors: those of posting; `idempotency_key_reused` when another text of it
 * has been posted.
 */
export async function postDraft(
  {services: {standups}}: Parts,
  {place, call}: {readonly place: Place; readonly call: Call},
  {draft, talk}: {readonly draft: TypedDraft; readonly talk: Talk},
  reader: Reader,
): Promise<readonly Standup[]> {
  const [first, ...others] = draft.teams;
  const team = first && place.directory.byReference(first.id);
  if (first === undefined || team === undefined)
    throw plainRefusal('team_not_found', reader.words.form.teamGone);
  const said = draft.asks === 'parts' ? saidInParts(draft, talk) : saidInAnswers(draft, talk, team, reader);
  const ids = draft.teams.map(({id}) => id);
  const content = others.length === 0 ? contentOf(said) : JSON.stringify([ids, contentOf(said)]);
  const keyed = {...call, idempotency: slackKey(call, 'form', draft.id, content)};
  const input = {...said, source: 'slack'} as const;
  try {
    const dates = draft.teams.map(({date}) => date);
    const where = others.length === 0 ? {team: first.id, date: first.date} : {team: ids, dates};
    const {body} = await standups.postStandup(keyed, {...where, ...input});
    return postedIn(body);
  } catch (error) {
    throw explainForTeam(error, reader, place.directory);
  }
}

function saidInParts(draft: TypedDraft, talk: Talk): Said {
  return {update: draftText(draft, talk), blockers: String(talk.answers.get('blockers') ?? '')};
}

/** If the questions have changed meanwhile, answers count by key, as in the form. */
function saidInAnswers(
  draft: TypedDraft,
  talk: Talk,
  team: Parameters<typeof settleAnswers>[1],
  {words}: Reader,
): Said {
  const content: QuestionContent = {
    shape: 'questions',
    version: draft.version ?? 0,
    answers: typedAnswers(draft, talk).map(({question: key, type, label, value}) => ({
      key,
      type,
      label,
      value,
    })),
    shown: draft.questions.map(({key}) => key),
    first: '',
    beside: 'after',
    pieces: [],
  };
  const settled = settleAnswers(content, team, [], words);
  if ('said' in settled) return settled.said;
  throw plainRefusal('validation_failed', Object.values(settled.faults)[0] ?? words.form.needsAnswer);
}

/** Applies an edited message to its standup; returns a sentence when it changes nothing. */
export async function editPosted(
  {services: {standups}}: Parts,
  {place, call}: {readonly place: Place; readonly call: Call},
  {ts, text, at}: {readonly ts: string; readonly text: string; readonly at: string},
  done: TypedDone,
  reader: Reader,
): Promise<Standup[]> {
  const changed: Standup[] = [];
  for (const {id} of done.standups) {
    const standup = await standups.findStandup(call, id);
    const change = changeOf(standup, done, done.slots[ts] ?? '', text, place, reader);
    const idempotency = slackKey(call, 'command', `typed-edit/${id}/${ts}/${at}`, text);
    const {body} = await standups.editStandup({...call, idempotency}, id, change, [standup.revision]);
    changed.push(parseWire(body));
  }
  return changed;
}

function changeOf(
  standup: Standup,
  {asks}: TypedDone,
  key: string,
  typed: string,
  {directory}: Place,
  reader: Reader,
): StandupChange {
  const refuse = (sentence: string) => plainRefusal('validation_failed', sentence);
  if (key === '') return {update: typed};
  if (asks === 'parts') {
    const content = inputsOf(standup.update);
    if (content.shape !== 'parts') throw refuse(reader.words.typing.useForm);
    const update = composeUpdate({...content.parts, [key]: typed.trim()});
    return {update, ...(key === 'blockers' && {blockers: typed})};
  }
  const question = directory.byReference(standup.team_id)?.questions.find((one) => one.key === key);
  if (question === undefined) throw refuse(reader.words.typing.useForm);
  const answer = readTyped(question, typed);
  if ('fault' in answer) throw refuse(faultSentence(reader, answer.fault));
  const others = standup.answers.filter((one) => one.question !== key);
  const answers = [...others, {question: key, value: answer.value}].map(({question: of, value}) => ({
    question: of,
    value,
  }));
  const beside = besideAnswers(standup.update, standup.answers);
  return 'after' in beside ? {answers, after: beside.after} : {answers};
}
