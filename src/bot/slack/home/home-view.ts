import {z} from 'zod';
import type {
  ActionsBlock,
  Button,
  HomeView,
  KnownBlock,
  RichTextBlockElement,
  RichTextElement,
} from '@slack/types';
import type {Standup} from '../../../domain/standups/standup.js';
import {standupText} from '../../../domain/questions/answers.js';
import {lookAheadDays, type NextReminder} from '../../../domain/prompts/next-reminder.js';
import type {TeamMissing} from '../../../domain/runs/missing.js';
import {isExpected, type Team} from '../../../domain/teams/team.js';
import type {PersonBlocker, PersonDay, MemberTeamDay} from '../../../service/runs/team-days.js';
import {cleanName, isolateName} from '../../texts/bidi.js';
import {richTextSentence} from '../blocks/blocks.js';
import {
  bold,
  bulletList,
  button,
  channelMention,
  header,
  option,
  paragraph,
  parseValue,
  actionsRow,
  section,
  select,
  textElement,
} from '../blocks/shapes.js';
import {presentMissingBlocks} from '../missing/missing-view.js';
import {actions} from '../blocks/names.js';
import {parseWritten} from '../rich-text/parse-markdown.js';
import {parseAndCutText, renderText} from '../rich-text/show-text.js';
import {presentAway} from '../away/away.js';
import {cutText} from '../../texts/cut-text.js';
import {confirmLeaving} from '../answers/join-notice.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/** The position in the lists of a Home tab: the indices of the first own and the first other team. */
const homePage = z.object({mine: z.int().nonnegative(), others: z.int().nonnegative()}).readonly();

export type HomePage = z.infer<typeof homePage>;

export const firstPage: HomePage = {mine: 0, others: 0};

/** The maximum number of own, and of other, teams: the tab takes 100 blocks, and an own team four. */
export const teamsOnHome = 20;
const updateLength = 300;

/** The maximum number of blockers, one block each, and a smaller one for when many teams are shown. */
const mostBlockers = 20;
const fewBlockers = 3;
export const roomyTeams = 12;

/** Presents the Home tab: everything about a person's day. `notice`: the outcome of their last action. */
export function presentHome(
  translation: SlackTranslation,
  day: PersonDay,
  {
    page = firstPage,
    notice,
    reminder,
    missing = [],
    ungoverned = false,
  }: {
    readonly page?: HomePage;
    readonly notice?: string | undefined;
    readonly reminder?: NextReminder | undefined;
    readonly missing?: readonly TeamMissing[];
    /** True if no member in Slack is an admin, and this person runs the Slack workspace. */
    readonly ungoverned?: boolean;
  } = {},
): HomeView {
  const {home} = translation.texts;
  const {days, total, others, runsWorkspace} = day;
  const notices: KnownBlock[] = [
    ...(notice === undefined ? [] : [paragraph([textElement(notice)])]),
    ...(ungoverned ? [paragraph([textElement(translation.texts.leads.ungoverned)])] : []),
  ];
  const ways = actionsRow(
    button(actions.setUp, translation.texts.setup.anywhere),
    button(actions.openDashboard, translation.texts.web.open),
  );
  if (total === 0) {
    const lines = others.length === 0 ? [home.begin[0], home.beginWithoutTeams, home.begin[2]] : home.begin;
    const beginning = lines.map((line) => paragraph([textElement(line ?? '')]));
    return toHomeView([...notices, ...beginning, ways, ...presentOthers()]);
  }
  return toHomeView([
    ...notices,
    header(home.today),
    ...presentReminder(),
    ...days.filter(isExpected).flatMap(presentToday),
    ...presentAway(translation, day),
    ...presentBlockers(day.blockers),
    ...presentLedTeams(translation, missing),
    header(home.mine),
    ...days.flatMap(presentTeam),
    ...presentPaging({first: day.from, shown: days.length, of: total}, teamsOnHome, (mine) => ({
      ...page,
      mine,
    })),
    ...presentOthers(),
    ways,
  ]);

  /** Presents the time of the next reminder, or why there is none, and a button to change reminders. */
  function presentReminder(): KnownBlock[] {
    if (reminder === undefined) return [];
    return [
      paragraph(describeReminder(reminder)),
      actionsRow(
        button(actions.openOwn, translation.texts.own.title),
        button(actions.homeHistory, translation.texts.typed.history.show),
      ),
    ];
  }

  function describeReminder(next: NextReminder): RichTextElement[] {
    const {reminders} = home;
    switch (next.kind) {
      case 'reminder':
        return richTextSentence((gap) =>
          reminders.next({at: gap(translation.richInstant(next.at)), team: isolateName(next.team.name)}),
        );
      case 'off':
        return [textElement(reminders.off)];
      case 'away':
        return [
          textElement(
            next.until === null ? reminders.awayOpen : reminders.away({until: translation.day(next.until)}),
          ),
        ];
      case 'no-reminders':
        return [textElement(reminders.noTeam)];
      case 'none-soon':
        return [textElement(reminders.noReminders({days: lookAheadDays}))];
    }
  }

  function presentToday({team, date, own}: MemberTeamDay): KnownBlock[] {
    const state = own === undefined ? home.notPosted : home.posted;
    const line = paragraph(
      [bold(isolateName(team.name)), textElement(` · ${translation.day(date)} · ${state}`)],
      own && quoteText(own),
    );
    const act =
      own === undefined
        ? button(actions.homePost, home.post, team.id, {
            spoken: home.postFor({team: isolateName(team.name)}),
            style: 'primary',
          })
        : button(actions.homeEdit, home.edit, own.id, {spoken: home.editFor({team: isolateName(team.name)})});
    return [line, actionsRow(act)];
  }

  function quoteText(standup: Standup): RichTextBlockElement[] {
    const text = parseWritten(standupText(standup).trim(), standup.format);
    const shown = parseAndCutText(text, updateLength + home.cut.length, home.cut);
    return renderText(shown, undefined, {quoted: true});
  }

  function presentBlockers(blockers: readonly PersonBlocker[]): KnownBlock[] {
    if (blockers.length === 0) return [];
    const shown = blockers.slice(0, days.length > roomyTeams ? fewBlockers : mostBlockers);
    const {heading, headingOf} = translation.texts.blockers;
    const title =
      shown.length === blockers.length ? heading : headingOf({shown: shown.length, of: blockers.length});
    return [header(title), ...shown.map(presentBlocker)];
  }

  function presentBlocker({
    id,
    author,
    teamName,
    text: content,
    state,
    created_at,
  }: PersonBlocker): KnownBlock {
    const {blockers, digest} = translation.texts;
    const team = isolateName(teamName);
    const since = translation.day(created_at.slice(0, 10));
    const say = digest.states[state];
    const line =
      author.id === day.member
        ? blockers.own({team, since, state: say})
        : blockers.of({name: isolateName(author.name), team, since, state: say});
    const quoted = cutText(content.trim(), updateLength);
    return section(
      `${line}\n${quoted}`,
      button(actions.homeResolve, blockers.resolve, id, {spoken: blockers.resolveThat({text: quoted})}),
    );
  }

  function presentTeam({team, role, people, size, more}: MemberTeamDay): KnownBlock[] {
    const count = more ? home.atLeastInToday({people}) : home.inToday({people, size});
    const line: RichTextElement[] = [bold(isolateName(team.name)), textElement(' · ')];
    if (team.slack_channel_id === null) line.push(textElement(home.noChannel));
    else line.push(channelMention(team.slack_channel_id));
    const roleLabel = role === 'lead' ? home.leads : role === 'observer' ? home.observes : undefined;
    line.push(textElement(` · ${count}${roleLabel === undefined ? '' : ` · ${roleLabel}`}`));
    const leave = button(actions.homeLeave, home.leave, team.id, {
      spoken: home.leaveTeam({team: isolateName(team.name)}),
      confirm: confirmLeaving(translation.texts, team),
    });
    const leads =
      role === 'lead' || runsWorkspace ? [createMissingButton(team), createSettingsButton(team)] : [];
    return [paragraph(line), actionsRow(...leads, leave)];
  }

  function createMissingButton({id, name}: Team): Button {
    const {leads} = translation.texts;
    return button(
      actions.showMissing,
      leads.missing,
      {team: id},
      {
        spoken: leads.missingIn({team: isolateName(name)}),
      },
    );
  }

  function createSettingsButton({id, name}: Team): Button {
    return button(actions.homeSettings, home.settings, id, {
      spoken: home.settingsOf({team: isolateName(name)}),
    });
  }

  /** Presents the channels of other teams. Anyone who posts there joins: Slack controls the access. */
  function presentOthers(): KnownBlock[] {
    if (others.length === 0) return [];
    const from = page.others < others.length ? page.others : 0;
    const shown = others.toSorted((a, b) => a.name.localeCompare(b.name)).slice(from, from + teamsOnHome);
    const list = bulletList(
      shown.map(({name, slack_channel_id: channel}) => [
        bold(isolateName(name)),
        textElement(' · '),
        channel === null ? textElement(home.leadAdds) : channelMention(channel),
      ]),
    );
    const paging = presentPaging(
      {first: from, shown: shown.length, of: others.length},
      teamsOnHome,
      (next) => ({...page, others: next}),
    );
    const settings = runsWorkspace ? [presentSettingsMenu(shown)] : [];
    return [header(home.others), paragraph([textElement(home.toJoin)], list), ...settings, ...paging];
  }

  /** Presents a menu of team settings, for people who may change teams that they are not in. */
  function presentSettingsMenu(teams: readonly Team[]): ActionsBlock {
    const options = teams.map(({id, name}) => option(id, cleanName(name)));
    return {
      ...actionsRow(select(actions.homeSettings, home.settingsOfOne, options)),
      // The id depends on the teams, since Slack keeps the choice in a menu of the same id.
      block_id: `${actions.homeSettings}-${teams[0]?.id}-${teams.length}`,
    };
  }

  /** Says which part of a long list the Home tab shows, with buttons that show the other parts. */
  function presentPaging(
    {first, shown, of}: {readonly first: number; readonly shown: number; readonly of: number},
    size: number,
    pageAt: (first: number) => HomePage,
  ): KnownBlock[] {
    if (shown === of) return [];
    const rest = of - first - shown;
    const ways = [
      ...(first > 0 ? [button(actions.homeEarlier, home.earlier, pageAt(Math.max(0, first - size)))] : []),
      ...(rest > 0 ? [button(actions.homeFurther, home.further({more: rest}), pageAt(first + shown))] : []),
    ];
    return [
      paragraph([textElement(home.shown({first: first + 1, last: first + shown, of}))]),
      actionsRow(...ways),
    ];
  }
}

function presentLedTeams(translation: SlackTranslation, missing: readonly TeamMissing[]): KnownBlock[] {
  if (missing.length === 0) return [];
  return [header(translation.texts.leads.missing), ...presentMissingBlocks(translation, missing)];
}

/** Presents a Home tab with a single sentence, because its data cannot be shown now. */
export function presentHomeTrouble({texts: {home}}: SlackTranslation, sentence: string): HomeView {
  return toHomeView([paragraph([textElement(sentence)]), actionsRow(button(actions.homeAgain, home.again))]);
}

/** Presents a Home tab for a person who may not use the bot; there is no button to try again. */
export function presentHomeRefusal(sentence: string): HomeView {
  return toHomeView([paragraph([textElement(sentence)])]);
}

export function parsePage(value: string | undefined): HomePage {
  return homePage.safeParse(parseValue(value)).data ?? firstPage;
}

function toHomeView(blocks: KnownBlock[]): HomeView {
  return {type: 'home', blocks};
}
