import type {RespondArguments} from '@slack/bolt';
import type {ActionsBlock, KnownBlock} from '@slack/types';
import {wholeText} from '../../../domain/questions/answers.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, isolate, nameInText} from '../../words/bidi.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {slackLimits} from '../blocks/names.js';
import {header, row} from '../blocks/shapes.js';
import {parseCut} from '../rich-text/show-text.js';
import {cutText} from '../../words/cut-text.js';
import type {Reader} from '../blocks/reader.js';
import {formButton} from './answers.js';

/** How one team stands today. */
export interface TeamToday {
  readonly team: Team;
  readonly date: string;
  /** People in the team. */
  readonly size: number;
  /** How many of them have posted; at least so many when `more`. */
  readonly people: number;
  /** Newest first; not all of them when `more`. */
  readonly standups: readonly Standup[];
  readonly more: boolean;
  /** The latest standup of the person who asks. */
  readonly own: Standup | undefined;
}

/** The longest text of one standup, and of a name, that is shown. */
const excerpt = 250;
const nameLength = 60;
/** Blocks that standups may take in one answer, of the 50 that it may have. */
const standupBlocks = 25;

/**
 * Shows who is in and what they wrote, as far as one message holds it, with how much is left out; for each
 * team the way to post or edit.
 */
export function presentToday(
  reader: Reader,
  days: readonly TeamToday[],
  moreTeams: number,
): RespondArguments {
  const {today} = reader.words;
  const frames = days.map((day) => frameOf(reader, day));
  const rest = moreTeams > 0 ? [plainText(today.moreTeams(moreTeams))] : [];
  const fixed = bytes([...frames.flatMap(({heading, actions: buttons}) => [heading, buttons]), ...rest]);
  const share = {
    bytes: Math.floor((slackLimits.blockBytes - fixed) / days.length),
    blocks: Math.floor(standupBlocks / days.length),
  };
  const blocks: KnownBlock[] = [];
  const lines: string[] = [];
  for (const [index, {heading, title, actions: buttons}] of frames.entries()) {
    const {standups = [], more = false} = days[index] ?? {};
    const shown = fitStandups(standups, share);
    const left = standups.length - shown.length;
    const note = left === 0 ? [] : [more ? today.atLeastMore(left) : today.more(left)];
    blocks.push(heading, ...shown.map(({block}) => block), ...note.map((text) => plainText(text)), buttons);
    lines.push(title, ...shown.map(({line}) => line), ...note);
  }
  const text = [...lines, ...rest.map(() => today.moreTeams(moreTeams))].join('\n');
  return {...privately(text), blocks: [...blocks, ...rest]};
}

function frameOf(
  {words: {today}, day}: Reader,
  {team, date, size, people, more, own}: TeamToday,
): {title: string; heading: KnownBlock; actions: ActionsBlock} {
  const counts = more ? today.manyIn(people) : today.in(people, Math.max(0, size - people));
  const title = `${nameInText(cutText(team.name, nameLength))} · ${day(date)} · ${counts}`;
  const request = {mode: 'new', team: team.id} as const;
  const post =
    own === undefined ? formButton(today.post, request) : formButton(today.newUpdate, request, 'new');
  const edit = own && formButton(today.edit, {mode: 'edit', standup: own.id});
  return {title, heading: header(title), actions: edit === undefined ? row(post) : row(edit, post)};
}

function fitStandups(
  standups: readonly Standup[],
  share: {readonly bytes: number; readonly blocks: number},
): {line: string; block: KnownBlock}[] {
  const fitting: {line: string; block: KnownBlock}[] = [];
  // The note of what is left out needs room too.
  let room = share.bytes - 200;
  for (const standup of standups.slice(0, share.blocks)) {
    const {author} = standup;
    const name = cleanName(cutText(author.name, nameLength));
    const shown = parseCut(wholeText(standup), excerpt);
    const block = writtenText(shown, {heading: name});
    room -= bytes([block]);
    if (room < 0) break;
    fitting.push({line: `${isolate(name)}: ${isolate(shown.text)}`, block});
  }
  return fitting;
}

function bytes(blocks: readonly KnownBlock[]): number {
  return Buffer.byteLength(JSON.stringify(blocks));
}
