import type {Button, KnownBlock, ConfirmationDialog} from '@slack/types';
import {type Schedule} from '../../../domain/schedules/schedule.js';
import {type Weekday, weekdays} from '../../../domain/core/dates.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {plainTextBlock} from '../blocks/blocks.js';
import {button, actionsRow, confirmation} from '../blocks/shapes.js';
import {actions, slackLimits} from '../blocks/names.js';
import {cutEscapedText, escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {BlockAnswer} from './standup-answers.js';
import type {Texts} from '../../texts/translation.js';

/** The welcome to a person who joined a team by posting, with a button to leave the team. */
export interface JoinNotice {
  readonly sentence: string;
  readonly leave: Button;
}

/** Says when the person will be asked for standups, if the team has a schedule. */
export function presentJoinNotice(
  translation: SlackTranslation,
  {id, name, schedule, paused}: Team,
): JoinNotice {
  const {setup, typed} = translation.texts;
  const {joined} = typed;
  const team = isolateName(name);
  const days = schedule === null || paused ? undefined : describeScheduleDays(translation, schedule);
  const isAsked = schedule !== null && schedule.reminders.length > 0;
  const sentence =
    days === undefined
      ? joined.unasked({team})
      : isAsked
        ? joined.asked({team, days})
        : joined.expected({team, days});
  return {
    sentence,
    leave: button(
      actions.leaveTeam,
      joined.leave({team: cleanName(name)}),
      {team: id},
      {
        confirm: confirmLeaving(translation.texts, {name}),
      },
    ),
  };

  function describeScheduleDays({locale}: SlackTranslation, given: Schedule): string {
    if (given.frequency === 'monthly')
      return joined.repeated({days: formatDayName(locale, given.day), often: setup.monthly[given.nth]});
    const named = formatDayRanges(locale, given.days);
    return given.interval === 1
      ? joined.on({days: named})
      : joined.repeated({days: named, often: setup.weekly({weeks: given.interval})});
  }
}

export function appendWelcome(answer: BlockAnswer, welcome: JoinNotice | undefined): BlockAnswer {
  if (welcome === undefined) return answer;
  const behind = `\n${escapeText(isolateDirection(welcome.sentence))}`;
  const text = cutEscapedText(answer.text ?? '', slackLimits.messageText - behind.length);
  const blocks: KnownBlock[] = [
    ...answer.blocks,
    plainTextBlock(welcome.sentence),
    actionsRow(welcome.leave),
  ];
  const fits = Buffer.byteLength(JSON.stringify(blocks)) <= slackLimits.blockBytes;
  // If the blocks have no room for the welcome, only the plain text contains it.
  return {...answer, text: text + behind, ...(fits && {blocks})};
}

/** Returns the short name of a weekday. 1 January 2024 was a Monday. */
function formatDayName(locale: string, day: Weekday): string {
  const at = Date.UTC(2024, 0, 1 + weekdays.indexOf(day));
  return new Intl.DateTimeFormat(locale, {weekday: 'short', timeZone: 'UTC', calendar: 'gregory'}).format(at);
}

function formatDayRanges(locale: string, days: readonly Weekday[]): string {
  const indices = days.map((day) => weekdays.indexOf(day)).toSorted((a, b) => a - b);
  const rows: number[][] = [];
  for (const index of indices) {
    const row = rows.at(-1);
    if (row?.at(-1) === index - 1) row.push(index);
    else rows.push([index]);
  }
  const name = (index: number) => formatDayName(locale, weekdays[index] ?? 'mon');
  return rows
    .flatMap((row) =>
      row.length > 2 ? [`${name(row[0] ?? 0)}–${name(row.at(-1) ?? 0)}`] : row.map((index) => name(index)),
    )
    .join(', ');
}

export function confirmLeaving({home}: Texts, {name}: Pick<Team, 'name'>): ConfirmationDialog {
  const {leaveTitle: title, leaveConfirm: confirm, leaveDeny: deny} = home;
  return confirmation({title, text: home.leaveText({team: isolateName(name)}), confirm, deny}, 'danger');
}
