import type {RespondArguments} from '@slack/bolt';
import type {Button, KnownBlock} from '@slack/types';
import {wholeText} from '../../../domain/questions/answers.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, isolate, nameInText} from '../../words/bidi.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import {type FormRequest, packRequest, postAgain} from '../form/form-request.js';
import {actions, slackLimits} from '../blocks/names.js';
import {button, row, rowOf} from '../blocks/shapes.js';
import type {Reader} from '../blocks/reader.js';

/** An answer with all that it shows in blocks. */
export type BlockAnswer = RespondArguments & {readonly blocks: KnownBlock[]};

/**
 * What has been posted or changed, for whom and for which day, and what its author can still do about it.
 * `more`: what else they may want there.
 */
export function presentSaved(
  reader: Reader,
  standup: Standup,
  team: Pick<Team, 'name'>,
  more: readonly Button[] = [],
): BlockAnswer {
  const {words} = reader;
  const {changed, posted, postedLate} = words.command;
  const told = standup.edited ? changed : standup.late ? postedLate : posted;
  return withText(told(nameInText(team.name), reader.day(standup.date)), wholeText(standup), [
    formButton(words.command.edit, {mode: 'edit', standup: standup.id, replaces: true}),
    button(
      actions.undo,
      standup.edited ? words.command.delete : words.command.undo,
      packValue({standup: standup.id, revision: standup.revision}),
    ),
    ...more,
  ]);
}

/** Another's standup as it has been changed; what else may be done with it, its menu in the channel has. */
export function presentSavedOf({words: {shown}}: Reader, standup: Standup): BlockAnswer {
  return withText(shown.changedOf(nameInText(standup.author.name)), wholeText(standup));
}

/** A standup, and the team it is for. */
export interface SavedFor {
  readonly standup: Standup;
  readonly team: Pick<Team, 'name'>;
}

/**
 * One update that has been posted for several teams. What its author does about one of them is answered
 * beside this, which has the buttons of the others.
 */
export function presentSavedForAll({words: {command}, day}: Reader, saved: readonly SavedFor[]): BlockAnswer {
  const isChanged = saved.some(({standup}) => standup.edited);
  const named = saved.map(({standup, team}) => command.teamOn(nameInText(team.name), day(standup.date)));
  const rows = saved.map(({standup: {id, revision, edited}, team}): KnownBlock => {
    const name = cleanName(team.name);
    const label = edited ? command.deleteFor(name) : command.undoFor(name);
    return row(
      formButton(command.editFor(name), {mode: 'edit', standup: id}),
      button(actions.undo, label, packValue({standup: id, revision, beside: true})),
    );
  });
  const told = isChanged ? command.changedForAll : command.postedForAll;
  const [first] = saved;
  return withRows(told(named.join(', ')), first === undefined ? '' : wholeText(first.standup), rows);
}

/** Asks whether it is to be deleted, in one team or each of several; nothing has been yet. */
export function presentDeletion(
  {words: {typed, command}, day}: Reader,
  found: readonly SavedFor[],
): BlockAnswer {
  const [first] = found;
  const alone = found.length === 1;
  const buttons = found.slice(0, teamButtons).map(({standup: {id, revision}, team}) => {
    const label = alone ? typed.deleteIt : command.deleteFor(cleanName(team.name));
    const value = packValue({standup: id, revision, ...(!alone && {beside: true})});
    return button(actions.undo, label, value, {part: alone ? undefined : id, style: 'danger'});
  });
  const keep = button(actions.keepStandup, typed.keep);
  const named = found.map(({standup, team}) => command.teamOn(nameInText(team.name), day(standup.date)));
  const told =
    alone && first !== undefined
      ? typed.latest(nameInText(first.team.name), day(first.standup.date))
      : typed.latestForAll(named.join(', '));
  return withText(told, first === undefined ? '' : wholeText(first.standup), [...buttons, keep]);
}

/**
 * A standup that has been taken back, whole, with the way to post it after all. `now`: the press that did
 * it.
 */
export function presentUndone(
  {words}: Reader,
  standup: Standup,
  {now}: {readonly now: 'undone' | 'deleted' | false},
): BlockAnswer {
  const {command} = words;
  const told = now === false ? command.goneAlready : command[now];
  const request = {...postAgain(standup, standup.revision), replaces: true};
  return withText(told, wholeText(standup), [formButton(command.again, request)]);
}

/** Another's standup that has been deleted, whole: posted again it would be of who reads this. */
export function presentDeleted({words: {shown}}: Reader, standup: Standup): BlockAnswer {
  return withText(shown.deletedOf(nameInText(standup.author.name)), wholeText(standup));
}

/** Why an update was not posted, and its text. */
export function presentRefused({words}: Reader, sentence: string, update: string): BlockAnswer {
  return withText(words.command.notPosted(sentence), update);
}

/** Typed again it would be another update: so its author is to look first. */
export function presentUncertain(
  {words}: Reader,
  {reference, update}: {readonly reference: string; readonly update: string},
): BlockAnswer {
  return withText(words.command.uncertain(reference), update);
}

/** While the form asks for the team: whatever becomes of the form, its author has the text. */
export function presentAsked({words}: Reader, update: string): BlockAnswer {
  return withText(words.command.chooseInForm, update);
}

/** For how many teams an answer has buttons; of more, the form lets choose. */
const teamButtons = 5;

/**
 * One press posts for the team that it names; undefined when that is too much for one message, and the form
 * has to ask. `key`: of the command; `dates`: for which date it is, by team.
 */
export function presentTeamChoice(
  {words}: Reader,
  teams: readonly Team[],
  {
    text,
    key,
    dates,
  }: {readonly text: string; readonly key: string; readonly dates: ReadonlyMap<string, string>},
  more: readonly Button[] = [],
): BlockAnswer | undefined {
  if (teams.length > teamButtons) return undefined;
  const buttons = teams.map(({id, name}) =>
    textButton(cleanName(name), {key, text, team: id, date: dates.get(id)}),
  );
  const answer = withText(words.command.whichTeam, text, [...buttons, ...more]);
  const fits =
    buttons.every(({value = ''}) => value.length <= slackLimits.buttonValue) &&
    Buffer.byteLength(JSON.stringify(answer.blocks)) <= slackLimits.blockBytes;
  return fits ? answer : undefined;
}

/**
 * A button that posts a text as an update: once, however often it is pressed, since its key is that of the
 * command that brought it.
 */
export function textButton(
  label: string,
  value: {
    readonly key: string;
    readonly text: string;
    readonly team?: string;
    readonly date?: string | undefined;
  },
  part: string | undefined = value.team,
): Button {
  return button(actions.postText, label, packValue(value), {part});
}

/**
 * A button that opens the form. `part`: what tells it from another one in the same block; `spoken`: what
 * screen readers say.
 */
export function formButton(label: string, request: FormRequest, part?: string, spoken?: string): Button {
  return button(actions.openForm, label, packRequest(request), {part, spoken});
}

function withText(sentence: string, text: string, buttons: Button[] = []): BlockAnswer {
  return withRows(sentence, text, rowOf(buttons));
}

function withRows(sentence: string, text: string, rows: readonly KnownBlock[]): BlockAnswer {
  const heading = plainText(sentence);
  return {
    ...privately(`${sentence} ${isolate(text)}`),
    blocks: [heading, writtenText(text, {quote: true, beside: [heading, ...rows]}), ...rows],
  };
}
