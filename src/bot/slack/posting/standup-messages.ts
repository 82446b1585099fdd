import type {CommentContent} from '../../../domain/slack/comment-content.js';
import type {StandupContent} from '../../../domain/slack/standup-content.js';
import type {KnownBlock, RichTextBlock, ContextBlock} from '@slack/types';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {presentStandupBlockers, type RenderedBlockers} from '../blockers/standup-blockers.js';
import {prependHeading, appendNote, type OutgoingMessage} from '../blocks/blocks.js';
import {cutText, cutToFit, type Stretch} from '../../texts/cut-text.js';
import {hashContent} from '../../showing/kind.js';
import {createMetadata} from '../../showing/metadata.js';
import {slackLimits} from '../blocks/names.js';
import {longestPicture} from '../core/profiles.js';
import {parseStandup, parseWritten} from '../rich-text/parse-markdown.js';
import {makeHeadingsBold, renderText, speakText} from '../rich-text/show-text.js';
import type {Mentions} from '../rich-text/mentions.js';
import type {ParsedText} from '../rich-text/parse-text.js';
import {presentStandupMenu} from '../shown/standup-menu.js';
import type {StandupLocation} from '../../showing/chat.js';
import {escapeAll} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';

/** A long text continues in replies. Blockers come last: they never move the cuts. `mentions`: to notify. */
export function presentStandup(
  translation: SlackTranslation,
  standup: StandupContent,
  location: StandupLocation = {in: 'thread'},
  mentions?: Mentions,
): OutgoingMessage[] {
  const {author, answers = []} = standup;
  const written = parseStandup(standup, mentions);
  const {texts} = translation;
  const {name} = author;
  const by = describeOthers(texts, standup);
  const beside = `${by}${location.in === 'channel' ? ` · ${translation.shortDay(location.date)}` : ''}`;
  const lead = {picture: standup.picture, menu: presentStandupMenu(texts, standup)};
  const labels = answers.map(({label}) => label);
  const parsed = makeHeadingsBold(written, labels);
  const whole: Piece = {name, beside, parsed, at: [0, parsed.text.length], note: '', lead};
  const renderedBlockers = presentStandupBlockers(texts, standup.blockers ?? [], speakText(written));
  const goesOn = location.in === 'channel' ? texts.posting.goesOnInThread : texts.posting.goesOn;
  const pieces = addBlockers(cutIntoPieces(texts, whole, goesOn), renderedBlockers);
  return addCounts(pieces, standup).map((piece, i) => toMessage(standup, piece, i + 1));
}

/** The maximum length of the emoji of a reaction, which may be the name of a custom one. */
const emojiLength = 40;

/** Adds the numbers of reactions and comments to the first message, if they fit: they never move the cuts. */
function addCounts(pieces: readonly Piece[], {counts}: StandupContent): Piece[] {
  const [first, ...others] = pieces;
  if (first?.lead === undefined || counts === undefined) return [...pieces];
  const shown = [
    ...counts.reactions.map(({emoji, count}) => `${cutText(emoji, emojiLength)} ${count}`),
    ...(counts.comments > 0 ? [`💬 ${counts.comments}`] : []),
  ];
  const counted = {...first, lead: {...first.lead, counts: shown.join(' · ')}};
  return shown.length > 0 && fitsInMessage(counted) ? [counted, ...others] : [...pieces];
}

/** Cuts a text into as few pieces as fit into messages. `goesOn`: the note at the end of all but the last. */
function cutIntoPieces(texts: Texts, whole: Piece, goesOn: Texts['posting']['goesOn']): Piece[] {
  if (fitsInMessage(whole)) return [whole];
  const {name, beside, parsed, lead} = whole;
  const besideOf = (part: number, of: number) => (part === 1 ? beside : ` ${texts.posting.part({part, of})}`);
  const leadOfPart = (part: number) => (part === 1 && lead !== undefined ? {lead} : {});
  const stretches = cutToFit(parsed.text, (at, part) =>
    fitsInMessage({
      name,
      beside: besideOf(part, most),
      parsed,
      at,
      note: goesOn({part, of: most}),
      ...leadOfPart(part),
    }),
  );
  return stretches.map((at, i): Piece => {
    const [part, of] = [i + 1, stretches.length];
    const note = part === of ? '' : goesOn({part, of});
    return {name, beside: besideOf(part, of), parsed, at, note, ...leadOfPart(part)};
  });
}

/** Presents a comment as replies, which mention and notify no one. In a day's thread it names the standup's author. */
export function presentComment(
  {texts}: SlackTranslation,
  {id, standup, author, of, text, format}: CommentContent,
  location: 'standup' | 'day',
): OutgoingMessage[] {
  const parsed = parseWritten(text, format);
  const isInDay = location === 'day';
  const name = isInDay ? texts.posting.onUpdate({name: cleanName(of)}) : author.name;
  const beside = isInDay ? ` · ${isolateName(author.name)}` : '';
  const whole: Piece = {name, beside, parsed, at: [0, parsed.text.length], note: ''};
  return cutIntoPieces(texts, whole, texts.posting.goesOn).map((piece, i) => ({
    text: formatPieceAsPlainText(piece),
    blocks: toBlocks(piece),
    metadata: createMetadata('comment', {standup, comment: id, part: i + 1}),
  }));
}

/** Names the person who posted or edited the standup, if not the author. */
function describeOthers({posting}: Texts, {poster, editor}: StandupContent): string {
  const inText = (name: string | null): string | null => (name === null ? null : isolateName(name));
  const others = [
    ...(poster === undefined ? [] : [posting.postedBy({name: inText(poster)})]),
    ...(editor === undefined ? [] : [posting.editedBy({name: inText(editor)})]),
  ];
  return others.length === 0 ? '' : ` (${others.join(', ')})`;
}

function addBlockers(pieces: readonly Piece[], renderedBlockers: RenderedBlockers | undefined): Piece[] {
  const last = pieces.at(-1);
  if (last === undefined || renderedBlockers === undefined) return [...pieces];
  const together = {...last, renderedBlockers};
  const own = {
    name: last.name,
    beside: '',
    parsed: last.parsed,
    at: [0, 0],
    note: '',
    renderedBlockers,
  } as const;
  return fitsInMessage(together) ? [...pieces.slice(0, -1), together] : [...pieces, own];
}

/** An upper bound for the number of a standup's messages, for the longest possible note about them. */
const most = 99;

interface Piece {
  readonly name: string;
  readonly beside: string;
  /** The whole text of the standup, and the part of it that this message shows. */
  readonly parsed: ParsedText;
  readonly at: Stretch;
  readonly note: string;
  /** The author and the menu; only in the first message. */
  readonly lead?: Lead;
  readonly renderedBlockers?: RenderedBlockers;
}

/** The author at the beginning, and the counts and the standup's menu at the end, of the first message. */
interface Lead {
  readonly picture: string | undefined;
  readonly counts?: string;
  readonly menu: KnownBlock;
}

/** A picture's longest address. Room for it is reserved, so that a new picture does not move the cuts. */
const longestPictureUrl = 'x'.repeat(longestPicture);

function fitsInMessage(piece: Piece): boolean {
  const {name, beside, note, lead, renderedBlockers} = piece;
  const text = composeMessageText(piece);
  const detailsLength = (renderedBlockers?.spoken.length ?? 0) + (lead?.counts?.length ?? 0);
  const largest =
    piece.lead === undefined ? piece : {...piece, lead: {...piece.lead, picture: longestPictureUrl}};
  return (
    formatPieceAsPlainText(piece).length <= slackLimits.messageText &&
    cleanName(name).length + beside.length + text.length + note.length + detailsLength + 2 <=
      slackLimits.blockText &&
    Buffer.byteLength(JSON.stringify(toBlocks(largest))) <= slackLimits.blockBytes
  );
}

function toMessage({id, revision}: StandupContent, piece: Piece, part: number): OutgoingMessage {
  const {renderedBlockers, lead} = piece;
  return {
    text: formatPieceAsPlainText(piece),
    blocks: toBlocks(piece),
    metadata: createMetadata('standup', {
      standup: id,
      revision,
      part,
      ...(renderedBlockers && {blockers: hashContent(renderedBlockers.blocks)}),
      ...(lead?.counts !== undefined && {counts: hashContent(lead.counts)}),
    }),
  };
}

function composeMessageText({parsed, at: [from, to]}: Piece): string {
  return speakText(parsed, [from, to]);
}

function formatPieceAsPlainText(piece: Piece): string {
  const {name, beside, note, lead, renderedBlockers} = piece;
  const text = composeMessageText(piece);
  const said = text === '' ? '' : ` ${isolateDirection(text)}`;
  const line = `${isolateName(name)}${beside}:${said}${note === '' ? '' : ` ${note}`}`;
  const blockers = renderedBlockers === undefined ? '' : `\n${renderedBlockers.spoken}`;
  const counts = lead?.counts === undefined ? '' : `\n${escapeAll(lead.counts)}`;
  return `${escapeAll(line)}${blockers}${counts}`;
}

function toBlocks(piece: Piece): KnownBlock[] {
  const {name, beside, lead, renderedBlockers} = piece;
  const blockers = renderedBlockers?.blocks ?? [];
  if (lead === undefined) return [toBlock(piece), ...blockers];
  const {picture, counts, menu} = lead;
  const below = counts === undefined ? [] : [presentCounts(counts)];
  const profile = picture === undefined ? [] : [presentProfile(`${cleanName(name)}${beside}`, picture)];
  return [...profile, toBlock(piece), ...blockers, ...below, menu];
}

function toBlock({name, beside, parsed, at, note, lead}: Piece): RichTextBlock {
  const author = {type: 'text', text: `${cleanName(name)}${beside}`, style: {bold: true}} as const;
  const heading = lead?.picture === undefined ? [author] : [];
  const shown = appendNote(
    prependHeading(heading, renderText(parsed, at)),
    note === '' ? '' : ` ${note}`,
    false,
    {
      italic: true,
    },
  );
  return {type: 'rich_text', elements: shown};
}

function presentCounts(text: string): ContextBlock {
  return {type: 'context', elements: [{type: 'plain_text', text, emoji: true}]};
}

/** Presents the author's picture, and their name in an element in which Slack finds no markup. */
function presentProfile(name: string, picture: string): ContextBlock {
  const text = {type: 'plain_text', text: name, emoji: false} as const;
  return {type: 'context', elements: [{type: 'image', image_url: picture, alt_text: name}, text]};
}
