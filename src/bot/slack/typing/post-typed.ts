import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {findTextBesideAnswers} from '../../../domain/questions/answers.js';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {type Standup, standupsOfPostResult} from '../../../domain/standups/standup.js';
import type {TypedDone} from '../../../domain/slack/typed-record.js';
import {parseTypedAnswer} from '../../../domain/slack/typed-answer.js';
import {type Talk, type TypedDraft, listTypedAnswers} from '../../../domain/slack/typing.js';
import type {StandupChange} from '../../../service/standups/change-standup.js';
import type {StandupInput} from '../../../service/standups/standup-content.js';
import {buildFormContentFromUpdate, buildQuestionFormContent} from '../form/form-content.js';
import {convertTextToMarkdown} from '../rich-text/to-markdown.js';
import {nameTeamInRefusal} from '../core/refusals.js';
import {serializeContent} from '../form/save-form.js';
import {validateAnswers} from '../form/validate-form.js';
import type {SlackContext} from '../core/context.js';
import {composeUpdate} from '../blocks/text.js';
import {type SlackWorkspace, slackKey} from '../core/slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {composeDraftText, describeError} from './typed-messages.js';

/** Posts a draft for all its teams or none. Errors: `idempotency_key_reused` if another text was posted. */
export async function postDraft(
  {services: {standups}}: SlackContext,
  {slackWorkspace, call}: {readonly slackWorkspace: SlackWorkspace; readonly call: Call},
  {draft, talk}: {readonly draft: TypedDraft; readonly talk: Talk},
  translation: SlackTranslation,
): Promise<readonly Standup[]> {
  const [first, ...others] = draft.teams;
  const team = first && slackWorkspace.directory.byReference(first.id);
  if (first === undefined || team === undefined)
    throw refusalForPeople('team_not_found', translation.texts.form.teamGone);
  const said =
    draft.asks === 'parts'
      ? {update: composeDraftText(draft, talk), blockers: String(talk.answers.get('blockers') ?? '')}
      : buildInputFromAnswers(draft, talk, team, translation);
  const ids = draft.teams.map(({id}) => id);
  const idempotency = slackKey(call, 'form', draft.id, serializeContent(said, ids));
  const keyed = {...call, idempotency};
  const input = {...said, source: 'slack'} as const;
  try {
    const dates = draft.teams.map(({date}) => date);
    const where = others.length === 0 ? {team: first.id, date: first.date} : {team: ids, dates};
    const {body} = await standups.postStandup(keyed, {...where, ...input});
    return standupsOfPostResult(body);
  } catch (error) {
    throw nameTeamInRefusal(error, translation, slackWorkspace.directory);
  }
}

/** If the questions have changed meanwhile, answers are matched by key, as in the form. */
function buildInputFromAnswers(
  draft: TypedDraft,
  talk: Talk,
  team: Parameters<typeof validateAnswers>[1],
  {texts}: SlackTranslation,
): StandupInput {
  const asked = {questions: draft.questions, questions_version: draft.version ?? 0};
  const content = buildQuestionFormContent(asked, listTypedAnswers(draft, talk));
  const validated = validateAnswers(content, team, [], texts);
  if ('said' in validated) return validated.said;
  throw refusalForPeople('validation_failed', Object.values(validated.errors)[0] ?? texts.form.needsAnswer);
}

/** Changes a standup after the person has edited their message; returns a sentence if nothing changes. */
export async function applyEditToStandup(
  {services: {standups}}: SlackContext,
  {slackWorkspace, call}: {readonly slackWorkspace: SlackWorkspace; readonly call: Call},
  {ts, text, at}: {readonly ts: string; readonly text: string; readonly at: string},
  done: TypedDone,
  translation: SlackTranslation,
): Promise<Standup[]> {
  const changed: Standup[] = [];
  for (const {id} of done.standups) {
    const standup = await standups.findStandup(call, id);
    const change = createStandupChange(
      standup,
      done,
      done.slots[ts] ?? '',
      text,
      slackWorkspace,
      translation,
    );
    const idempotency = slackKey(call, 'command', `typed-edit/${id}/${ts}/${at}`, text);
    const {body} = await standups.editStandup({...call, idempotency}, id, change, [standup.revision]);
    changed.push(parseWire(body));
  }
  return changed;
}

function createStandupChange(
  standup: Standup,
  {asks}: TypedDone,
  key: string,
  typed: string,
  {directory}: SlackWorkspace,
  translation: SlackTranslation,
): StandupChange {
  const refuse = (sentence: string) => refusalForPeople('validation_failed', sentence);
  // A message that is the whole update is in Slack's own notation.
  if (key === '') return {update: typed, ...(standup.format !== undefined && {format: 'plain'})};
  const format = standup.format === 'markdown' ? standup.format : undefined;
  const write = (text: string) => (format === undefined ? text : convertTextToMarkdown(text));
  if (asks === 'parts') {
    const content = buildFormContentFromUpdate(standup.update, format);
    if (content.shape !== 'parts') throw refuse(translation.texts.typing.useForm);
    const update = composeUpdate({...content.parts, [key]: write(typed.trim())});
    return {update, ...(key === 'blockers' && {blockers: typed})};
  }
  const question = directory.byReference(standup.team_id)?.questions.find((one) => one.key === key);
  if (question === undefined) throw refuse(translation.texts.typing.useForm);
  const answer = parseTypedAnswer(question, typed);
  if ('error' in answer) throw refuse(describeError(translation, answer.error));
  const others = standup.answers.filter((one) => one.question !== key);
  const value = question.type === 'text' ? write(String(answer.value)) : answer.value;
  const answers = [...others, {question: key, value}].map(({question: of, value}) => ({
    question: of,
    value,
  }));
  const beside = findTextBesideAnswers(standup.update, standup.answers, format);
  return 'after' in beside ? {answers, after: beside.after} : {answers};
}
