import type {RespondArguments} from '@slack/bolt';
import type {Button, KnownBlock} from '@slack/types';
import {wholeText} from '../../../domain/questions/answers.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, isolate, nameInText} from '../../words/bidi.js';
import {privatelyMarked, writtenText} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import {type FormRequest, packRequest, postAgain} from '../form/form-request.js';
import {actions, slackLimits} from '../blocks/names.js';
import {labelAmong, nameChoices, plainly, tell, type Told, type Where} from '../blocks/reach.js';
import {button, paragraph, row, rowOf} from '../blocks/shapes.js';
import type {Reader} from '../blocks/reader.js';
import {escapeText} from '../blocks/text.js';

/** An answer with all that it shows in blocks. */
export type BlockAnswer = RespondArguments & {readonly blocks: KnownBlock[]};

/**
 * Tells what has been posted or changed, in which channel and for which day, and what its author can still do
 * about it. `more`: what else they may want there.
 */
export function presentSaved(
  reader: Reader,
  standup: Standup,
  team: Where,
  more: readonly Button[] = [],
): BlockAnswer {
  const {words} = reader;
  const told = tellSaved(reader, [{standup, team}]);
  return withText(told, wholeText(standup), [
    formButton(words.command.edit, {mode: 'edit', standup: standup.id, replaces: true}),
    button(
      actions.undo,
      standup.edited ? words.command.delete : words.command.undo,
      packValue({standup: standup.id, revision: standup.revision}),
    ),
    ...more,
  ]);
}

/** In which channel something has been posted or changed, and for which day. */
export function tellSaved({words: {command}, day}: Reader, saved: readonly SavedFor[]): Told {
  const isChanged = saved.some(({standup}) => standup.edited);
  const [first] = saved;
  return tell(({where}) => {
    if (first !== undefined && saved.length === 1) {
      const {standup, team} = first;
      const told = standup.edited ? command.changed : standup.late ? command.postedLate : command.posted;
      return told(where(team), day(standup.date));
    }
    const named = saved.map(({standup, team}) => command.teamOn(where(team), day(standup.date)));
    const told = isChanged ? command.changedForAll : command.postedForAll;
    return told(named.join(', '));
  });
}

/** Another's standup as it has been changed; what else may be done with it, its menu in the channel has. */
export function presentSavedOf({words: {shown}}: Reader, standup: Standup): BlockAnswer {
  return withText(plainly(shown.changedOf(nameInText(standup.author.name))), wholeText(standup));
}

/** A standup, and the team it is for. */
export interface SavedFor {
  readonly standup: Standup;
  readonly team: Where;
}

/**
 * One update that has been posted for several teams. What its author does about one of them is answered
 * beside this, which has the buttons of the others.
 */
export function presentSavedForAll(reader: Reader, saved: readonly SavedFor[]): BlockAnswer {
  const {command} = reader.words;
  const rows = saved.map(({standup: {id, revision, edited}, team}): KnownBlock => {
    const name = cleanName(team.name);
    const label = edited ? command.deleteFor(name) : command.undoFor(name);
    return row(
      formButton(command.editFor(name), {mode: 'edit', standup: id}),
      button(actions.undo, label, packValue({standup: id, revision, beside: true})),
    );
  });
  const [first] = saved;
  return withRows(tellSaved(reader, saved), first === undefined ? '' : wholeText(first.standup), rows);
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
  return withText(plainly(told), first === undefined ? '' : wholeText(first.standup), [...buttons, keep]);
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
  return withText(plainly(told), wholeText(standup), [formButton(command.again, request)]);
}

/** Another's standup that has been deleted, whole: posted again it would be of who reads this. */
export function presentDeleted({words: {shown}}: Reader, standup: Standup): BlockAnswer {
  return withText(plainly(shown.deletedOf(nameInText(standup.author.name))), wholeText(standup));
}

/** Why an update was not posted, and its text. */
export function presentRefused({words}: Reader, sentence: string, update: string): BlockAnswer {
  return withText(plainly(words.command.notPosted(sentence)), update);
}

/** Typed again it would be another update: so its author is to look first. */
export function presentUncertain(
  {words}: Reader,
  {reference, update}: {readonly reference: string; readonly update: string},
): BlockAnswer {
  return withText(plainly(words.command.uncertain(reference)), update);
}

/** While the form asks for the team: whatever becomes of the form, its author has the text. */
export function presentAsked({words}: Reader, update: string): BlockAnswer {
  return withText(plainly(words.command.chooseInForm), update);
}

/** For how many teams an answer has buttons; of more, the form lets choose. */
const teamButtons = 5;

/**
 * Asks before words leave a channel that is of no team. One press posts for the team that it names; undefined
 * when that is too much for one message, and the form has to ask. `key`: of the command; `dates`: for which
 * date it is, by team.
 */
export function presentTeamChoice(
  reader: Reader,
  teams: readonly Team[],
  {
    text,
    key,
    dates,
  }: {readonly text: string; readonly key: string; readonly dates: ReadonlyMap<string, string>},
  more: readonly Button[] = [],
): BlockAnswer | undefined {
  if (teams.length > teamButtons) return undefined;
  const {command} = reader.words;
  const [first] = teams;
  const alone = teams.length === 1;
  const buttons = teams.map((one) => {
    const {id, name} = one;
    const label = alone ? command.postThisTo(cleanName(name)) : labelAmong(teams, one);
    return textButton(label, {key, text, team: id, date: dates.get(id)});
  });
  const told = tell((places) =>
    alone && first !== undefined
      ? command.postThere(places.where(first))
      : command.whichTeam(nameChoices(reader, teams, places)),
  );
  const answer = withText(told, text, [...buttons, ...more]);
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

function withText(told: Told, text: string, buttons: Button[] = []): BlockAnswer {
  return withRows(told, text, rowOf(buttons));
}

function withRows(told: Told, text: string, rows: readonly KnownBlock[]): BlockAnswer {
  const heading = paragraph(told.elements);
  const room = slackLimits.messageText - told.text.length - 1;
  return {
    ...privatelyMarked(`${told.text} ${escapeText(isolate(text), room)}`),
    blocks: [heading, writtenText(text, {quote: true, beside: [heading, ...rows]}), ...rows],
  };
}
