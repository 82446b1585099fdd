import type {RespondArguments} from '@slack/bolt';
import type {Button, KnownBlock} from '@slack/types';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {type FormattedText, createPrivateMarkupAnswer, createFormattedTextBlock} from '../blocks/blocks.js';
import {button, paragraph, actionsRow, actionsRowIfAny} from '../blocks/shapes.js';
import {makePostAgainRequest} from './form-request.js';
import {actions, slackLimits} from '../blocks/names.js';
import {
  listTeamLabels,
  listTeamChoices,
  formatPlainSentence,
  formatText,
  type TeamChannel,
} from '../blocks/reach.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';
import {escapeText} from '../blocks/text.js';
import {parseWithHeadings} from '../rich-text/parse-markdown.js';
import type {ParsedText} from '../rich-text/parse-text.js';
import {speakText} from '../rich-text/show-text.js';
import {formButton, createTextButton} from './buttons.js';

/** An answer whose content is completely in its blocks. */
export type BlockAnswer = RespondArguments & {readonly blocks: KnownBlock[]};

export function presentSavedStandup(
  translation: SlackTranslation,
  standup: Standup,
  team: TeamChannel,
  more: readonly Button[] = [],
): BlockAnswer {
  const {texts} = translation;
  const sentence = describeSaved(translation, [{standup, team}]);
  return presentSentenceAndText(texts, sentence, parseWithHeadings(standup), [
    formButton(texts.command.edit, {mode: 'edit', standup: standup.id, replaces: true}),
    button(actions.undo, standup.edited ? texts.command.delete : texts.command.undo, {
      standup: standup.id,
      revision: standup.revision,
    }),
    ...more,
  ]);
}

/** Says in which channel, and for which day, a standup has been posted or changed. */
export function describeSaved(translation: SlackTranslation, saved: readonly SavedFor[]): FormattedText {
  const {day} = translation;
  const {command} = translation.texts;
  const isChanged = saved.some(({standup}) => standup.edited);
  const [first] = saved;
  return formatText(translation, ({where}) => {
    if (first !== undefined && saved.length === 1) {
      const {standup, team} = first;
      const format = standup.edited ? command.changed : standup.late ? command.postedLate : command.posted;
      return format({where: where(team), day: day(standup.date)});
    }
    const named = saved.map(({standup, team}) => command.teamOn({team: where(team), day: day(standup.date)}));
    const format = isChanged ? command.changedForAll : command.postedForAll;
    return format({where: named.join(', ')});
  });
}

/** Presents a changed standup of another author, without buttons: its menu in the channel has them. */
export function presentSavedStandupOfOther({texts}: SlackTranslation, standup: Standup): BlockAnswer {
  const {shown} = texts;
  return presentSentenceAndText(
    texts,
    formatPlainSentence(shown.changedOf({name: isolateName(standup.author.name)})),
    parseWithHeadings(standup),
  );
}

export interface SavedFor {
  readonly standup: Standup;
  readonly team: TeamChannel;
}

/** Presents one update for its teams, with buttons for each. An answer to one of several keeps the others. */
export function presentSavedStandups(translation: SlackTranslation, saved: readonly SavedFor[]): BlockAnswer {
  const {command} = translation.texts;
  const [first] = saved;
  if (first !== undefined && saved.length === 1)
    return presentSavedStandup(translation, first.standup, first.team);
  const rows = saved.map(({standup: {id, revision, edited}, team}): KnownBlock => {
    const name = cleanName(team.name);
    const label = edited ? command.deleteFor({team: name}) : command.undoFor({team: name});
    return actionsRow(
      formButton(command.editFor({team: name}), {mode: 'edit', standup: id}),
      button(actions.undo, label, {standup: id, revision, beside: true}),
    );
  });
  return presentSentenceTextAndRows(
    translation.texts,
    describeSaved(translation, saved),
    first === undefined ? '' : parseWithHeadings(first.standup),
    rows,
  );
}

/** Asks whether to delete a standup, in one team or in each of several. Nothing has been deleted yet. */
export function presentDeletionQuestion(
  {texts, day}: SlackTranslation,
  found: readonly SavedFor[],
): BlockAnswer {
  const {typed, command} = texts;
  const [first] = found;
  const alone = found.length === 1;
  const buttons = found.slice(0, teamButtons).map(({standup: {id, revision}, team}) => {
    const label = alone ? typed.deleteIt : command.deleteFor({team: cleanName(team.name)});
    const value = {standup: id, revision, ...(!alone && {beside: true})};
    return button(actions.undo, label, value, {part: alone ? undefined : id, style: 'danger'});
  });
  const keep = button(actions.keepStandup, typed.keep);
  const named = found.map(({standup, team}) =>
    command.teamOn({team: isolateName(team.name), day: day(standup.date)}),
  );
  const sentence =
    alone && first !== undefined
      ? typed.latest({team: isolateName(first.team.name), day: day(first.standup.date)})
      : typed.latestForAll({teams: named.join(', ')});
  return presentSentenceAndText(
    texts,
    formatPlainSentence(sentence),
    first === undefined ? '' : parseWithHeadings(first.standup),
    [...buttons, keep],
  );
}

/** Presents a deleted standup, with a button to post it again. `now`: false if it was deleted before. */
export function presentUndoneStandup(
  {texts}: SlackTranslation,
  standup: Standup,
  {now}: {readonly now: 'undone' | 'deleted' | false},
): BlockAnswer {
  const {command} = texts;
  const sentence = now === false ? command.goneAlready : command[now];
  const request = {...makePostAgainRequest(standup, standup.revision), replaces: true};
  return presentSentenceAndText(texts, formatPlainSentence(sentence), parseWithHeadings(standup), [
    formButton(command.again, request),
  ]);
}

/** Presents another author's deleted standup, without a button: it would post in the viewer's name. */
export function presentDeletedStandup({texts}: SlackTranslation, standup: Standup): BlockAnswer {
  const {shown} = texts;
  return presentSentenceAndText(
    texts,
    formatPlainSentence(shown.deletedOf({name: isolateName(standup.author.name)})),
    parseWithHeadings(standup),
  );
}

export function presentRefusedUpdate(
  {texts}: SlackTranslation,
  sentence: string,
  update: string,
): BlockAnswer {
  return presentSentenceAndText(
    texts,
    formatPlainSentence(texts.command.notPosted({reason: sentence})),
    update,
  );
}

/** Says that the post may have succeeded, and asks the author to check before another attempt. */
export function presentUncertainPost(
  {texts}: SlackTranslation,
  {reference, update}: {readonly reference: string; readonly update: string},
): BlockAnswer {
  return presentSentenceAndText(texts, formatPlainSentence(texts.command.uncertain({reference})), update);
}

/** Presents an update while the form asks for the team, so that the text is not lost with the form. */
export function presentUpdateInForm({texts}: SlackTranslation, update: string): BlockAnswer {
  return presentSentenceAndText(texts, formatPlainSentence(texts.command.chooseInForm), update);
}

/** The maximum number of teams with buttons in an answer. With more teams, the form asks for the team. */
const teamButtons = 5;

/** Asks for the team of a text; undefined if too much for one message. `key`: the command's key. */
export function presentTeamChoice(
  translation: SlackTranslation,
  teams: readonly Team[],
  {
    text,
    key,
    dates,
  }: {readonly text: string; readonly key: string; readonly dates: ReadonlyMap<string, string>},
  more: readonly Button[] = [],
): BlockAnswer | undefined {
  if (teams.length > teamButtons) return undefined;
  const {command} = translation.texts;
  const [first] = teams;
  const alone = teams.length === 1;
  const labels = listTeamLabels(teams);
  const buttons = teams.map(({id, name}, i) => {
    const label = alone ? command.postThisTo({team: cleanName(name)}) : (labels[i] ?? '');
    return createTextButton(label, {key, text, team: id, date: dates.get(id)});
  });
  const sentence = formatText(translation, (placeholders) =>
    alone && first !== undefined
      ? command.postThere({where: placeholders.where(first)})
      : command.whichTeam({teams: listTeamChoices(translation, teams, placeholders)}),
  );
  const answer = presentSentenceAndText(translation.texts, sentence, text, [...buttons, ...more]);
  const fits =
    buttons.every(({value = ''}) => value.length <= slackLimits.buttonValue) &&
    Buffer.byteLength(JSON.stringify(answer.blocks)) <= slackLimits.blockBytes;
  return fits ? answer : undefined;
}

function presentSentenceAndText(
  texts: Texts,
  sentence: FormattedText,
  text: string | ParsedText,
  buttons: Button[] = [],
): BlockAnswer {
  return presentSentenceTextAndRows(texts, sentence, text, actionsRowIfAny(buttons));
}

function presentSentenceTextAndRows(
  {cutNote}: Texts,
  sentence: FormattedText,
  text: string | ParsedText,
  rows: readonly KnownBlock[],
): BlockAnswer {
  const heading = paragraph(sentence.elements);
  const room = slackLimits.messageText - sentence.text.length - 1;
  const spoken = typeof text === 'string' ? text : speakText(text);
  return {
    ...createPrivateMarkupAnswer(`${sentence.text} ${escapeText(isolateDirection(spoken), room)}`),
    blocks: [
      heading,
      createFormattedTextBlock(text, {quote: true, cutNote, beside: [heading, ...rows]}),
      ...rows,
    ],
  };
}
