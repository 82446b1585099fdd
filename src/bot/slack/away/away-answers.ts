import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import type {Absence} from '../../../domain/absences/absence.js';
import {isolateName} from '../../texts/bidi.js';
import {presentAnswer, privateAnswer} from '../blocks/blocks.js';
import {button, actionsRow, actionsRowIfAny} from '../blocks/shapes.js';
import {createRunButton} from '../answers/buttons.js';
import {actions} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {TypedDays} from '../../../domain/typed/parse-days.js';

/** Presents an absence that was entered: the days as we understood them, and a button to undo it. */
export function presentEnteredAbsence(
  translation: SlackTranslation,
  entered: readonly Absence[],
  today: string,
): RespondArguments {
  const {texts} = translation;
  const {away} = texts;
  const [first] = entered;
  if (first === undefined) return privateAnswer(away.notAway);
  const summary =
    first.kind === 'skip'
      ? away.skipped({days: entered.map((skip) => describeSkip(translation, skip, today)).join(', ')})
      : away.entered({days: describeAbsenceDays(translation, first, today)});
  const reason = first.reason ?? '';
  const audience = first.reason_for === 'team' ? away.visibility.team : away.visibility.leads;
  const sentence = reason === '' ? summary : `${summary} ${audience}`;
  const value = {absences: entered.map(({id}) => id)};
  const undo = button(actions.undoAbsence, texts.command.undo, value);
  return presentAnswer(texts, sentence, reason, actionsRow(undo));
}

/** Names the skipped day by its date, unless it is today. A run open past midnight is not "yesterday". */
function describeSkip(translation: SlackTranslation, {from, team}: Absence, today: string): string {
  const {away} = translation.texts;
  const day = from === today ? translation.day(from, today) : away.standupOf({day: translation.day(from)});
  return team === null ? day : away.standupIn({day, team: isolateName(team)});
}

export function presentRefusedAbsence(
  {texts}: SlackTranslation,
  reason: string,
  typed: string,
  ...rows: KnownBlock[]
): RespondArguments {
  return presentAnswer(texts, texts.away.notSaved({reason}), typed, ...rows);
}

/** Asks which days the person meant, with buttons for the likely days, and for today with this reason. */
export function askWhichDays(
  translation: SlackTranslation,
  {error, guess, reason}: Extract<TypedDays, {error: unknown}>,
  {typed, key}: {readonly typed: string; readonly key: string},
): RespondArguments {
  const {texts} = translation;
  const offers = [
    ...(guess === undefined ? [] : [{label: texts.typed.guess({days: guess}), rest: guess}]),
    ...(reason === true
      ? [{label: texts.typed.todayWithReason({reason: typed}), rest: ['today', typed].join(': ')}]
      : []),
  ];
  const isClear = guess === undefined || error === 'part';
  const asked = isClear ? texts.away.errors[error] : texts.typed.didYouMeanDays({days: guess});
  const buttons = offers.flatMap(({label, rest}, i) =>
    createRunButton({word: 'ooo', rest, key}, label, String(i)),
  );
  return presentRefusedAbsence(translation, asked, typed, ...actionsRowIfAny(buttons));
}

export function describeAbsenceDays(
  translation: SlackTranslation,
  {from, until}: Absence,
  today: string,
): string {
  const {away} = translation.texts;
  const first = translation.day(from, today);
  if (until === null) return away.open({from: first});
  return until === from ? first : away.span({from: first, until: translation.day(until, today)});
}
