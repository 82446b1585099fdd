import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {cleanName} from '../../texts/bidi.js';
import {type FormattedText, formatSentence} from './blocks.js';
import type {SlackTranslation} from './slack-translation.js';
import {textElement} from './shapes.js';
import {escapeText} from './text.js';

export type TeamChannel = Pick<Team, 'name' | 'slack_channel_id'>;

/** Returns the label of each team in a list. Slugs tell teams of the same name apart. */
export function listTeamLabels(teams: readonly Team[]): string[] {
  const names = teams.map(({name}) => cleanName(name));
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? twice : seen).add(name);
  return teams.map(({slug}, i) => {
    const name = names[i] ?? '';
    return twice.has(name) ? `${name} (${slug})` : name;
  });
}

/** Finds a team; a deleted one has this name and no channel. */
export function findTeamOrGone(directory: TeamDirectory, team: string, goneName: string): TeamChannel {
  return directory.byReference(team) ?? {name: goneName, slack_channel_id: null};
}

/** Functions that fill the gaps of a sentence about the channel in which a text is posted. */
export interface Placeholders {
  /** The channel of a team, as Slack shows it to the viewer; the team's name if it has no channel. */
  readonly where: (team: TeamChannel) => string;
  readonly team: (team: TeamChannel) => string;
}

export function formatText(
  translation: SlackTranslation,
  say: (placeholders: Placeholders) => string,
): FormattedText {
  return formatSentence(translation, ({name, channel}) =>
    say({
      where: (team) => (team.slack_channel_id === null ? name(team.name) : channel(team.slack_channel_id)),
      team: (team) => name(team.name),
    }),
  );
}

export function formatPlainSentence(sentence: string): FormattedText {
  return {elements: [textElement(sentence)], text: escapeText(sentence)};
}

export function listTeamChoices(
  {texts: {command}}: SlackTranslation,
  teams: readonly TeamChannel[],
  {where, team}: Placeholders,
): string {
  return teams
    .map((one) =>
      one.slack_channel_id === null ? team(one) : command.teamIn({team: team(one), channel: where(one)}),
    )
    .join(', ');
}

/** Says who will read a text before it is posted. `more`: the person may select further teams. */
export function describeAudience(
  translation: SlackTranslation,
  teams: readonly TeamChannel[],
  {more = false}: {readonly more?: boolean} = {},
): FormattedText {
  const {reach} = translation.texts;
  const shown = teams.filter(
    ({slack_channel_id: channel}, i) =>
      channel !== null && teams.findIndex((one) => one.slack_channel_id === channel) === i,
  );
  return formatText(translation, ({where}) => {
    const channels = shown.map((team) => where(team)).join(', ');
    if (channels === '') return more ? reach.ticked : reach.dashboard;
    return more ? reach.channelsAndTicked({channels}) : reach.channels({channels});
  });
}
