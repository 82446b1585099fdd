import type {Id} from '../../../domain/core/ids.js';
import type {Button, RichTextElement} from '@slack/types';
import {weekdays} from '../../../domain/schedules/schedule.js';
import type {Team} from '../../../domain/teams/team.js';
import type {PlaceNews} from '../../../domain/teams/place-news.js';
import {nameInText} from '../../words/bidi.js';
import {richSentence} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import {noticeMetadata} from '../../showing/metadata.js';
import {actions} from '../blocks/names.js';
import type {Message} from '../posting/messages.js';
import {button, channelMention, paragraph, rowOf, span, userMention} from '../blocks/shapes.js';
import {confirmLeaving} from '../home/leave-team.js';
import {escapeText} from '../blocks/text.js';
import type {Reader} from '../blocks/reader.js';
import type {Words} from '../../words/words.js';

type Gap = (element: RichTextElement) => string;

/**
 * The message for a person who has been added to a team: by whose action, when they will be asked, and how to
 * leave. The actor is a `user` element, so that no name stays in Slack after an erasure; in a direct message
 * with another person it notifies no one.
 */
export function presentPlaceNews({words}: Reader, event: Id<'event'>, news: PlaceNews): Message {
  const {leads} = words;
  const {team, kind, by, asked, turnedOff} = news;
  const say = (name: string, who: string | undefined, channel: string | undefined): string[] => {
    const isNew = kind === 'added';
    const first = isNew ? leads.added(name, who) : leads.madeLead(name, who);
    const more = isNew
      ? [
          ...(channel === undefined ? [] : [leads.itsChannel(channel)]),
          sayTimes(words, team),
          ...(news.observes
            ? [leads.observes]
            : turnedOff
              ? [leads.notAsked]
              : asked === null
                ? []
                : [leads.asked[asked]]),
        ]
      : [];
    return [first, ...more, ...(news.leads ? [leads.youLead] : [])];
  };
  return present(event, team, by, say, [
    ...(kind === 'added' ? [leaveButton(words, team)] : []),
    button(actions.openOwn, words.own.title),
    ...(news.leads ? [button(actions.openSettings, words.setup.settings, team.id)] : []),
  ]);
}

/** The message for the channel of a team that has been set up in Slack. `by`: Slack's id of its creator. */
export function presentBeginning(
  {words}: Reader,
  event: Id<'event'>,
  team: Team,
  by: string | null,
): Message {
  const {leads} = words;
  return present(
    event,
    team,
    by,
    (name, who) => [leads.begun(name, who), sayTimes(words, team), leads.howToPost],
    [],
  );
}

function present(
  event: Id<'event'>,
  team: Team,
  by: string | null,
  say: (name: string, who: string | undefined, channel: string | undefined) => string[],
  buttons: readonly Button[],
): Message {
  const {slack_channel_id: channel, name} = team;
  const rich = (gap: Gap) =>
    say(
      gap(span(nameInText(name))),
      by === null ? undefined : gap(userMention(by)),
      channel === null ? undefined : gap(channelMention(channel)),
    ).join(' ');
  const spoken = say(
    escapeText(nameInText(name)),
    by === null ? undefined : `<@${by}>`,
    channel === null ? undefined : `<#${channel}>`,
  );
  return {
    text: spoken.join(' '),
    blocks: [paragraph(richSentence(rich)), ...rowOf(buttons)],
    metadata: noticeMetadata(event),
  };
}

/** When a team's standups are open, as a sentence. */
function sayTimes({leads, setup}: Words, {schedule, timezone}: Team): string {
  if (schedule === null) return leads.noTimes;
  const {opens, closes, clock} = schedule;
  const zone = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  const by = clock === 'member' ? leads.ownClock : leads.clockOf(zone);
  if (schedule.frequency === 'monthly')
    return leads.monthly(schedule.nth, setup.weekdays[schedule.day], {opens, closes, by});
  const {days, interval} = schedule;
  const at = days.map((day) => weekdays.indexOf(day));
  const isRow = at.length > 2 && at.every((place, i) => i === 0 || place === (at[i - 1] ?? 0) + 1);
  const names = days.map((day) => setup.weekdays[day]);
  const said = isRow ? leads.daysFrom(names[0] ?? '', names.at(-1) ?? '') : names.join(', ');
  return leads.weeklyTimes(said, interval, {opens, closes, by});
}

function leaveButton(words: Words, team: Team): Button {
  return button(actions.leaveTold, words.home.leave, packValue({team: team.id}), {
    confirm: confirmLeaving(words, team),
  });
}
