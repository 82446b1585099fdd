import {admitRequester} from '../core/requester.js';
import type {Button} from '@slack/types';
import type {Greeting, NoticeEvent} from '../../../domain/slack/notice-content.js';
import {weekdays} from '../../../domain/core/dates.js';
import type {Team} from '../../../domain/teams/team.js';
import type {MembershipNotification} from '../../../domain/teams/membership-notification.js';
import {isolateName} from '../../texts/bidi.js';
import {formatSentence, type OutgoingMessage, privateAnswer} from '../blocks/blocks.js';
import {actionsRow, actionsRowIfAny, button, link, paragraph, textElement} from '../blocks/shapes.js';
import {createMetadata} from '../../showing/metadata.js';
import {actions} from '../blocks/names.js';
import {formButton} from '../answers/buttons.js';
import {confirmLeaving} from '../answers/join-notice.js';
import {createMoreSettingsButton} from '../setup/setup-view.js';
import {describeClock} from '../setup/team-form.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';
import {AppError} from '../../../domain/core/errors.js';
import {parseWire} from '../../../domain/core/resource.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import type {MemberCall} from '../core/slack-identities.js';
import {listenToButton} from '../core/listeners.js';

/** The actor is a `user` element: it notifies no one and keeps no name after the person's erasure. */
export function presentMembershipNotification(
  translation: SlackTranslation,
  event: NoticeEvent,
  news: MembershipNotification,
): OutgoingMessage {
  const {texts} = translation;
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
  return presentWelcome(translation, event, team, by, say, [
    ...(kind === 'added' ? [createLeaveButton(texts, team)] : []),
    button(actions.openOwn, texts.own.title),
    ...(news.leads ? [button(actions.openSettings, texts.setup.settings, team.id)] : []),
  ]);
}

/** Presents the message for the channel of a team set up in Slack. `by`: its creator's Slack id. */
export function presentNewTeam(
  translation: SlackTranslation,
  event: NoticeEvent,
  team: Team,
  by: string | null,
): OutgoingMessage {
  const {texts} = translation;
  const {leads} = texts;
  return presentWelcome(
    translation,
    event,
    team,
    by,
    (name, actor) => [leads.begun({team: name, by: actor}), describeTimes(texts, team), leads.howToPost],
    [formButton(leads.postMine, {mode: 'auto', team: team.id}), createMoreSettingsButton(texts, team.id)],
  );
}

/** Greets the person who installed the bot. `dashboard`: its address. */
export function presentGreeting(
  translation: SlackTranslation,
  event: NoticeEvent,
  {member, hasTeams}: Greeting,
  dashboard: string,
): OutgoingMessage {
  const {install, setup, web} = translation.texts;
  const label = hasTeams ? setup.anywhere : install.setUpFirst;
  const {elements, text} = formatSentence(translation, (gaps) =>
    [
      install.greeting({name: member && gaps.name(member.name)}),
      install.about,
      install.mayDo({role: member?.role ?? 'member'}),
    ].join(' '),
  );
  return {
    text: `${text} ${dashboard}`,
    blocks: [
      paragraph(elements),
      actionsRow(button(actions.setUp, label, undefined, {style: 'primary'})),
      paragraph([textElement(`${install.more} `), link(dashboard, web.open)]),
    ],
    metadata: createMetadata('notice', {event}),
  };
}

function presentWelcome(
  translation: SlackTranslation,
  event: NoticeEvent,
  team: Team,
  by: string | null,
  say: (name: string, actor: string | undefined, channel: string | undefined) => string[],
  buttons: readonly Button[],
): OutgoingMessage {
  const {slack_channel_id: channel, name} = team;
  const {elements, text} = formatSentence(translation, (gaps) =>
    say(
      gaps.name(name),
      by === null ? undefined : gaps.user(by),
      channel === null ? undefined : gaps.channel(channel),
    ).join(' '),
  );
  return {
    text,
    blocks: [paragraph(elements), ...actionsRowIfAny(buttons)],
    metadata: createMetadata('notice', {event}),
  };
}

function describeTimes(texts: Texts, {schedule, timezone}: Team): string {
  const {leads, setup} = texts;
  if (schedule === null) return leads.noTimes;
  const {opens, closes, clock} = schedule;
  const by = describeClock(texts, timezone, clock);
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
  return button(
    actions.leaveNewTeam,
    texts.home.leave,
    {team: team.id},
    {
      confirm: confirmLeaving(texts, team),
    },
  );
}

const changeMs = 5_000;

/** Removes a person from a team; returns a sentence that says so. Safe to repeat. */
export async function leaveTeam(
  context: SlackContext,
  request: SlackRequest,
  reference: string,
): Promise<string> {
  const {services} = context;
  const {home, leads} = request.translation.texts;
  const {slackWorkspace, call} = await admitRequester(context, request, performance.now() + changeMs);
  const team = slackWorkspace.directory.byReference(reference);
  if (team === undefined) return home.teamGone;
  const isLast = await isOnlyLead(services, call, team).catch(() => false);
  try {
    await services.teamMembers.removeTeamMember(call, team.id, call.principal.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  const name = {team: isolateName(team.name)};
  return isLast ? leads.leftAsLead(name) : home.left(name);
}

/** Listens to the buttons to leave a team. Only the message about a new team is replaced by the outcome. */
export function listenToLeaving(context: SlackContext): void {
  listenToButton(context, actions.leaveTeam, async ({request, value: {team}}, answer) => {
    if (typeof team === 'string') await answer(privateAnswer(await leaveTeam(context, request, team)));
  });
  listenToButton(context, actions.leaveNewTeam, async ({request, value: {team}}, answer) => {
    if (typeof team !== 'string') return;
    const sentence = await leaveTeam(context, request, team);
    context.refreshHome(request.origin, request.user);
    await answer({...privateAnswer(sentence), replace_original: true});
  });
}

/** The maximum number of people who are searched for leads, in pages of 100. */
const searchedAtMost = 1_000;

/** True if the caller is the only lead of a team; false for a team that is too big to search. */
async function isOnlyLead(
  {teamMembers}: SlackContext['services'],
  call: MemberCall,
  {id}: Team,
): Promise<boolean> {
  let past: number | undefined;
  let leads = false;
  for (let seen = 0; seen < searchedAtMost; seen += 100) {
    const {rows, next} = await teamMembers.listTeamMembers(call, id, {past, limit: 100});
    const found = rows.map(parseWire).filter(({role}) => role === 'lead');
    if (found.some(({member}) => member.id !== call.principal.id)) return false;
    leads ||= found.length > 0;
    if (next === undefined) return leads;
    past = next;
  }
  return false;
}
