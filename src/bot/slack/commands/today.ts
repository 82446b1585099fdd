import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import {listMemberAuthors, type Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {presentSetupAnswer} from '../answers/setup-offer.js';
import {findViewer, listAskedTeams} from '../core/requester.js';
import type {ActionsBlock, KnownBlock} from '@slack/types';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {plainTextBlock, privateAnswer, createFormattedTextBlock} from '../blocks/blocks.js';
import {slackLimits} from '../blocks/names.js';
import {header, actionsRow} from '../blocks/shapes.js';
import {parseStandup} from '../rich-text/parse-markdown.js';
import {parseAndCutText, speakText} from '../rich-text/show-text.js';
import {cutText} from '../../texts/cut-text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {formButton} from '../answers/buttons.js';

const shownTeams = 5;
/** The number of standups read for each team: some are shown, the others are only counted. */
const readStandups = 100;

/** Shows today's standups in the channel's team or the person's own teams. Errors: those of `identify`. */
export async function presentTodayAnswer(
  context: SlackContext,
  request: SlackRequest,
): Promise<RespondArguments> {
  const viewer = await findViewer(context, request);
  const {access} = viewer;
  const mine = await listAskedTeams(context, request.channel, viewer);
  if (mine.length === 0) return presentSetupAnswer(request.translation, request.channel);
  const days = await Promise.all(
    mine.slice(0, shownTeams).map((team) => readTeamToday(context, access, team)),
  );
  return presentToday(request.translation, days, mine.length - days.length);
}

async function readTeamToday({services}: SlackContext, access: Caller, team: Team): Promise<TeamToday> {
  const date = await services.standups.findDate(access, team, access.principal.id);
  const query = {teams: [team.id], dateFrom: date, dateTo: date, limit: readStandups};
  const [{rows, next}, size] = await Promise.all([
    services.standups.listStandups(access, query),
    services.teamMembers.countExpected(access, team.id),
  ]);
  const standups = rows.map(parseWire);
  const people = await services.teamMembers.countExpected(access, team.id, listMemberAuthors(standups));
  const own = standups.find(({author}) => author.id === access.principal.id);
  return {team, date, size, people, standups, more: next !== undefined, own};
}

export interface TeamToday {
  readonly team: Team;
  readonly date: string;
  /** The number of people in the team. */
  readonly size: number;
  /** The number of people who have posted; a minimum if `more` is true. */
  readonly people: number;
  /** The standups of today, newest first; incomplete if `more` is true. */
  readonly standups: readonly Standup[];
  readonly more: boolean;
  /** The latest standup of the person who asked. */
  readonly own: Standup | undefined;
}

/** The maximum length of a standup's text, and of a name, in the answer. */
const excerpt = 250;
const nameLength = 60;
/** The maximum number of blocks with standups in one answer; Slack takes 50 blocks in all. */
const standupBlocks = 25;

/** Shows who has posted, and the texts that fit, with a button for each team to post or edit. */
export function presentToday(
  translation: SlackTranslation,
  days: readonly TeamToday[],
  moreTeams: number,
): RespondArguments {
  const {today} = translation.texts;
  const frames = days.map((day) => presentDayHeadingAndActions(translation, day));
  const rest = moreTeams > 0 ? [plainTextBlock(today.moreTeams({left: moreTeams}))] : [];
  const fixed = countBytes([...frames.flatMap(({heading, actions: buttons}) => [heading, buttons]), ...rest]);
  const share = {
    bytes: Math.floor((slackLimits.blockBytes - fixed) / days.length),
    blocks: Math.floor(standupBlocks / days.length),
  };
  const blocks: KnownBlock[] = [];
  const lines: string[] = [];
  for (const [index, {heading, title, actions: buttons}] of frames.entries()) {
    const {standups = [], more = false} = days[index] ?? {};
    const shown = fitStandups(translation, standups, share);
    const left = standups.length - shown.length;
    const note = left === 0 ? [] : [more ? today.atLeastMore({left}) : today.more({left})];
    blocks.push(
      heading,
      ...shown.map(({block}) => block),
      ...note.map((text) => plainTextBlock(text)),
      buttons,
    );
    lines.push(title, ...shown.map(({line}) => line), ...note);
  }
  const text = [...lines, ...rest.map(() => today.moreTeams({left: moreTeams}))].join('\n');
  return {...privateAnswer(text), blocks: [...blocks, ...rest]};
}

function presentDayHeadingAndActions(
  {texts: {today}, day}: SlackTranslation,
  {team, date, size, people, more, own}: TeamToday,
): {title: string; heading: KnownBlock; actions: ActionsBlock} {
  const counts = more ? today.manyIn({people}) : today.in({people, missing: Math.max(0, size - people)});
  const title = `${isolateName(cutText(team.name, nameLength))} · ${day(date)} · ${counts}`;
  const request = {mode: 'new', team: team.id} as const;
  const post =
    own === undefined ? formButton(today.post, request) : formButton(today.newUpdate, request, 'new');
  const edit = own && formButton(today.edit, {mode: 'edit', standup: own.id});
  return {
    title,
    heading: header(title),
    actions: edit === undefined ? actionsRow(post) : actionsRow(edit, post),
  };
}

function fitStandups(
  {texts: {cutNote}}: SlackTranslation,
  standups: readonly Standup[],
  share: {readonly bytes: number; readonly blocks: number},
): {line: string; block: KnownBlock}[] {
  const fitting: {line: string; block: KnownBlock}[] = [];
  // Room for the note about the standups that are left out.
  let room = share.bytes - 200;
  for (const standup of standups.slice(0, share.blocks)) {
    const {author} = standup;
    const name = cleanName(cutText(author.name, nameLength));
    const shown = parseAndCutText(parseStandup(standup), excerpt);
    const block = createFormattedTextBlock(shown, {heading: name, cutNote});
    room -= countBytes([block]);
    if (room < 0) break;
    fitting.push({line: `${isolateDirection(name)}: ${isolateDirection(speakText(shown))}`, block});
  }
  return fitting;
}

function countBytes(blocks: readonly KnownBlock[]): number {
  return Buffer.byteLength(JSON.stringify(blocks));
}
