import type {Id} from '../../../domain/core/ids.js';
import type {Button, RichTextElement} from '@slack/types';
import {weekdays} from '../../../domain/schedules/schedule.js';
import type {Team} from '../../../domain/teams/team.js';
import type {MembershipNotification} from '../../../domain/teams/membership-notification.js';
import {isolateName} from '../../texts/bidi.js';
import {richTextSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import {createNoticeMetadata} from '../../showing/metadata.js';
import {actions} from '../blocks/names.js';
import {
  button,
  channelMention,
  paragraph,
  actionsRowIfAny,
  textElement,
  userMention,
} from '../blocks/shapes.js';
import {confirmLeaving} from '../answers/join-notice.js';
import {createMoreSettingsButton} from '../setup/setup-view.js';
import {escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';

type Gap = (element: RichTextElement) => string;

/**
 * Presents the message for a person who was added to a team. The actor is a `user` element, which notifies
 * nobody here and keeps no name in Slack after the person's data is erased.
 */
export function presentMembershipNotification(
  {texts}: SlackTranslation,
  event: Id<'event'>,
  news: MembershipNotification,
): OutgoingMessage {
  const {leads} = texts;
  const {team, kind, by, asked, turnedOff} = news;
  const say = (name: string, actor: string | undefined, channel: string | undefined): string[] => {
    const isNew = kind === 'added';
    const first = isNew ? leads.added({team: name, by: actor}) : leads.madeLead({team: name, by: actor});
    const more = isNew
      ? [
          ...(channel === undefined ? [] : [leads.itsChannel({channel})]),
          describeTimes(texts, team),
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
  return presentWelcome(event, team, by, say, [
    ...(kind === 'added' ? [createLeaveButton(texts, team)] : []),
    button(actions.openOwn, texts.own.title),
    ...(news.leads ? [button(actions.openSettings, texts.setup.settings, team.id)] : []),
  ]);
}

/** Presents the message for the channel of a team set up in Slack. `by`: its creator's Slack id. */
export function presentNewTeam(
  {texts}: SlackTranslation,
  event: Id<'event'>,
  team: Team,
  by: string | null,
): OutgoingMessage {
  const {leads} = texts;
  return presentWelcome(
    event,
    team,
    by,
    (name, actor) => [leads.begun({team: name, by: actor}), describeTimes(texts, team), leads.howToPost],
    [createMoreSettingsButton(texts, team.id)],
  );
}

function presentWelcome(
  event: Id<'event'>,
  team: Team,
  by: string | null,
  say: (name: string, actor: string | undefined, channel: string | undefined) => string[],
  buttons: readonly Button[],
): OutgoingMessage {
  const {slack_channel_id: channel, name} = team;
  const rich = (gap: Gap) =>
    say(
      gap(textElement(isolateName(name))),
      by === null ? undefined : gap(userMention(by)),
      channel === null ? undefined : gap(channelMention(channel)),
    ).join(' ');
  const spoken = say(
    escapeText(isolateName(name)),
    by === null ? undefined : `<@${by}>`,
    channel === null ? undefined : `<#${channel}>`,
  );
  return {
    text: spoken.join(' '),
    blocks: [paragraph(richTextSentence(rich)), ...actionsRowIfAny(buttons)],
    metadata: createNoticeMetadata(event),
  };
}

function describeTimes({leads, setup}: Texts, {schedule, timezone}: Team): string {
  if (schedule === null) return leads.noTimes;
  const {opens, closes, clock} = schedule;
  const zone = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  const by = clock === 'member' ? leads.ownClock : leads.clockOf({zone});
  if (schedule.frequency === 'monthly')
    return leads.monthly({nth: schedule.nth, day: setup.weekdays[schedule.day], opens, closes, by});
  const {days, interval} = schedule;
  const at = days.map((day) => weekdays.indexOf(day));
  const isRow = at.length > 2 && at.every((day, i) => i === 0 || day === (at[i - 1] ?? 0) + 1);
  const names = days.map((day) => setup.weekdays[day]);
  const said = isRow ? leads.daysFrom({first: names[0] ?? '', last: names.at(-1) ?? ''}) : names.join(', ');
  return leads.weeklyTimes({days: said, weeks: interval, opens, closes, by});
}

function createLeaveButton(texts: Texts, team: Team): Button {
  return button(actions.leaveNewTeam, texts.home.leave, packValue({team: team.id}), {
    confirm: confirmLeaving(texts, team),
  });
}
