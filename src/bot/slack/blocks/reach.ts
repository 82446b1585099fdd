import type {RichTextElement} from '@slack/types';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, nameInText} from '../../words/bidi.js';
import {richSentence} from './blocks.js';
import type {Reader} from './reader.js';
import {channelMention, span} from './shapes.js';
import {escapeText} from './text.js';

/** A team, and the channel in which its standups are shown. */
export type Where = Pick<Team, 'name' | 'slack_channel_id'>;

/** The label of each of these teams on a button or an option; slugs distinguish two of one name. */
export function labelsOf(teams: readonly Pick<Team, 'name' | 'slug'>[]): string[] {
  const names = teams.map(({name}) => cleanName(name));
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? twice : seen).add(name);
  return teams.map(({slug}, i) => {
    const name = names[i] ?? '';
    return twice.has(name) ? `${name} (${slug})` : name;
  });
}

/** A deleted team. */
export function nowhere(name: string): Where {
  return {name, slack_channel_id: null};
}

/** A sentence of ours that names channels: as elements, and for `text`, escaped. */
export interface Told {
  readonly elements: readonly RichTextElement[];
  readonly text: string;
}

/** The gaps of a sentence that says where a text goes. */
export interface Places {
  /** The channel of a team, as Slack shows it to the viewer; the name of the team where it has none. */
  readonly where: (team: Where) => string;
  readonly team: (team: Where) => string;
}

export function tell(say: (places: Places) => string): Told {
  const named = (team: Where) => nameInText(team.name);
  const elements = richSentence((gap) =>
    say({
      where: (team) =>
        gap(team.slack_channel_id === null ? span(named(team)) : channelMention(team.slack_channel_id)),
      team: (team) => gap(span(named(team))),
    }),
  );
  const text = say({
    where: ({slack_channel_id: channel, name}) =>
      channel === null ? escapeText(nameInText(name)) : `<#${channel}>`,
    team: (team) => escapeText(named(team)),
  });
  return {elements, text};
}

/** A sentence of ours without any channel. */
export function plainly(sentence: string): Told {
  return {elements: [span(sentence)], text: escapeText(sentence)};
}

/** Lists the teams that a text may go to, each with its channel. */
export function nameChoices(
  {words: {command}}: Reader,
  teams: readonly Where[],
  {where, team}: Places,
): string {
  return teams
    .map((one) => (one.slack_channel_id === null ? team(one) : command.teamIn(team(one), where(one))))
    .join(', ');
}

/** Says who will read the typed text, before it is posted. `more`: further teams may be ticked. */
export function tellReach(
  {words: {reach}}: Reader,
  teams: readonly Where[],
  {more = false}: {readonly more?: boolean} = {},
): Told {
  const shown = teams.filter(
    ({slack_channel_id: channel}, i) =>
      channel !== null && teams.findIndex((one) => one.slack_channel_id === channel) === i,
  );
  return tell(({where}) => {
    const channels = shown.map((team) => where(team)).join(', ');
    if (channels === '') return more ? reach.ticked : reach.dashboard;
    return more ? reach.channelsAndTicked(channels) : reach.channels(channels);
  });
}
