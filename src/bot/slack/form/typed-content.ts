import type {Call} from '../../../domain/core/access.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {TypedOffer} from '../../../domain/slack/typed-record.js';
import type {Team} from '../../../domain/teams/team.js';
import {
  replayConversation,
  mapQuestionKeysByMessage,
  type TypedDraft,
  listTypedAnswers,
} from '../../../domain/slack/typing.js';
import type {SlackContext} from '../core/context.js';
import {buildFormContentFromUpdate, type FormContent, buildQuestionFormContent} from './form-content.js';
import type {Asker} from './find-asker.js';
import type {FormRequest} from '../answers/form-request.js';

/** A text typed to the bot: a draft in a conversation, or a text that answers no question. */
export type TypedContent = TypedDraft | TypedOffer;

/** Finds the typed text that the request asks to post; undefined if it is no longer stored. */
export async function findTypedText(
  {services}: SlackContext,
  {access, slackRequest: {user}}: Asker,
  request: FormRequest,
): Promise<TypedContent | undefined> {
  const begins = request.mode === 'new' ? request.begins : undefined;
  if (begins?.with !== 'typed' || access === undefined) return undefined;
  const record = await services.typing.find(access, user.id);
  return record?.draft?.id === begins.id ? record.draft : record?.offers.find(({ts}) => ts === begins.id);
}

export function toFormContent(typed: TypedContent, only: Team | undefined): FormContent {
  if ('text' in typed)
    return only === undefined || only.questions.length === 0
      ? buildFormContentFromUpdate(typed.text)
      : buildQuestionFormContent(only, [], {apart: typed.text});
  const talk = replayConversation(typed);
  if (only !== undefined && typed.asks === 'questions')
    return buildQuestionFormContent(only, listTypedAnswers(typed, talk));
  const said = (key: string) => String(talk.answers.get(key) ?? typed.given[key] ?? '');
  return {
    shape: 'parts',
    parts: {yesterday: said('yesterday'), today: said('today'), blockers: said('blockers')},
  };
}

export function listTypedTeamIds(typed: TypedContent): string[] {
  return 'text' in typed ? [] : typed.teams.map(({id}) => id);
}

/** Ends the conversation whose text the form has posted. Keeps only which messages gave which answers. */
export async function endTypedConversation(
  {services: {typing}}: SlackContext,
  call: Call,
  user: string,
  id: string | undefined,
  saved: readonly Standup[],
): Promise<void> {
  if (id === undefined) return;
  const draft = (await typing.find(call, user))?.draft;
  const isDraft = draft?.id === id;
  const done = {
    id,
    standups: saved.map((standup) => ({id: standup.id, team: standup.team_id})),
    asks: isDraft ? draft.asks : ('parts' as const),
    slots: isDraft ? mapQuestionKeysByMessage(draft) : {[id]: ''},
  };
  await typing.finish(call, user, done, {messages: isDraft ? draft.words : []});
}
