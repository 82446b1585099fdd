import type {RespondArguments} from '@slack/bolt';
import type {Absence} from '../../../domain/absences/absence.js';
import {isolate, nameInText} from '../../words/bidi.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import type {BlockAnswer} from '../commands/answers.js';
import {runButton} from '../commands/run-button.js';
import {actions} from '../blocks/names.js';
import {button, row, rowOf} from '../blocks/shapes.js';
import type {Reader} from '../blocks/reader.js';
import type {TypedDays} from '../../typed/parse-days.js';

/** Presents an absence that was entered, with the days as they were understood, and a button to undo it. */
export function presentEntered(reader: Reader, entered: readonly Absence[], today: string): RespondArguments {
  const {away, cutNote} = reader.words;
  const [first] = entered;
  if (first === undefined) return privately(away.notAway);
  const told =
    first.kind === 'skip'
      ? away.skipped(entered.map((skip) => describeSkip(reader, skip, today)).join(', '))
      : away.entered(describeDays(reader, first, today));
  const reason = first.reason ?? '';
  const audience = first.reason_for === 'team' ? away.whoSees.team : away.whoSees.leads;
  const sentence = reason === '' ? told : `${told} ${audience}`;
  const heading = plainText(sentence);
  const value = packValue({absences: entered.map(({id}) => id)});
  return {
    ...privately(`${sentence} ${isolate(reason)}`.trim()),
    blocks: [
      heading,
      ...(reason === '' ? [] : [writtenText(reason, {quote: true, cutNote, beside: [heading]})]),
      row(button(actions.undoAbsence, reader.words.command.undo, value)),
    ],
  };
}

/**
 * Names a day that is not today by the person's clock: a standup that goes on past midnight is not called
 * "yesterday".
 */
function describeSkip(reader: Reader, {from, team}: Pick<Absence, 'from' | 'team'>, today: string): string {
  const {away} = reader.words;
  const day = from === today ? reader.day(from, today) : away.standupOf(reader.day(from));
  return team === null ? day : away.standupIn(day, nameInText(team));
}

/** Presents why nothing was entered, and the typed text. */
export function presentNotEntered(reader: Reader, sentence: string, typed: string): BlockAnswer {
  const {away, cutNote} = reader.words;
  const told = away.notSaved(sentence);
  const heading = plainText(told);
  return {
    ...privately(`${told} ${isolate(typed)}`.trim()),
    blocks: [
      heading,
      ...(typed.trim() === '' ? [] : [writtenText(typed, {quote: true, cutNote, beside: [heading]})]),
    ],
  };
}

/** Asks which days were meant: offers the probable ones, and today, where the rest may be the reason. */
export function presentDoubt(
  reader: Reader,
  {fault, guess, reason}: Extract<TypedDays, {fault: unknown}>,
  {typed, key}: {readonly typed: string; readonly key: string},
): RespondArguments {
  const {words} = reader;
  const offers = [
    ...(guess === undefined ? [] : [{label: words.typed.guess(guess), rest: guess}]),
    ...(reason === true
      ? [{label: words.typed.todayWithReason(typed), rest: ['today', typed].join(': ')}]
      : []),
  ];
  const isClear = guess === undefined || fault === 'part';
  const asked = isClear ? words.away.faults[fault] : words.typed.didYouMeanDays(guess);
  const {blocks, ...told} = presentNotEntered(reader, asked, typed);
  const buttons = offers.flatMap(({label, rest}, i) => runButton({word: 'ooo', rest, key}, label, String(i)));
  return {...told, blocks: [...blocks, ...rowOf(buttons)]};
}

/** Describes the days of an absence, relative to today. */
export function describeDays(
  reader: Reader,
  {from, until}: Pick<Absence, 'from' | 'until'>,
  today: string,
): string {
  const {away} = reader.words;
  const first = reader.day(from, today);
  if (until === null) return away.open(first);
  return until === from ? first : away.span(first, reader.day(until, today));
}
