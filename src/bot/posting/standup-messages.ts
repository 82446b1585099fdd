import type {RichTextBlock, RichTextText} from '@slack/types';
import {wholeText} from '../../domain/answers.js';
import type {StandupAnswer} from '../../domain/question.js';
import {cleanName, isolate, nameInText} from '../bidi.js';
import {cutToFit} from '../cut-to-fit.js';
import {messageTypes, slackLimits} from '../names.js';
import {escapeText, shortDay, splitText} from '../text.js';
import {readerOf} from '../words/words.js';
import type {Message} from './messages.js';

export interface ShownStandup {
  readonly id: string;
  readonly update: string;
  /** Undefined in a revision from before there were questions. */
  readonly answers?: readonly StandupAnswer[] | undefined;
  readonly author: {readonly name: string};
  readonly revision: number;
}

/** Where a standup stands: under the message of its day, or alone in the channel, where its day is said with it. */
export type StandupPlace = {readonly in: 'thread'} | {readonly in: 'channel'; readonly date: string};

/**
 * One standup as the messages that it takes: one, as a rule; a text that is too long for one is cut with a note, and goes on in replies. What
 * a person wrote stands in `text` elements only, in which Slack looks for no mention, channel or link. Together the messages say all of it,
 * to the eye (`blocks`) and to the ear (`text`).
 */
export function presentStandup(standup: ShownStandup, place: StandupPlace = {in: 'thread'}): Message[] {
  const {author, update, answers = []} = standup;
  const said = wholeText({update, answers});
  const {words} = readerOf();
  const {name} = author;
  const beside = place.in === 'channel' ? ` · ${shortDay(place.date)}` : '';
  const whole: Piece = {name, beside, text: said, note: ''};
  if (fits(whole)) return [toMessage(standup, whole, 1)];

  const goesOn = place.in === 'channel' ? words.posting.goesOnInThread : words.posting.goesOn;
  const besideOf = (part: number, of: number) => (part === 1 ? beside : ` ${words.posting.part(part, of)}`);
  const texts = cutToFit(said, (text, part) =>
    fits({name, beside: besideOf(part, most), text, note: goesOn(part, most)}),
  );
  return texts.map((text, i) => {
    const [part, of] = [i + 1, texts.length];
    const note = part === of ? '' : goesOn(part, of);
    return toMessage(standup, {name, beside: besideOf(part, of), text, note}, part);
  });
}

/** No standup takes so many messages: what it says in a note is as long as it gets. */
const most = 99;

interface Piece {
  /** The author's, as it is. */
  readonly name: string;
  /** What stands after it. */
  readonly beside: string;
  readonly text: string;
  readonly note: string;
}

function fits(piece: Piece): boolean {
  const {name, beside, text, note} = piece;
  return (
    spoken(piece).length <= slackLimits.messageText &&
    cleanName(name).length + beside.length + text.length + note.length + 2 <= slackLimits.blockText &&
    Buffer.byteLength(JSON.stringify([toBlock(piece)])) <= slackLimits.blockBytes
  );
}

function toMessage({id, revision}: ShownStandup, piece: Piece, part: number): Message {
  return {
    text: spoken(piece),
    blocks: [toBlock(piece)],
    metadata: {event_type: messageTypes.standup, event_payload: {standup: id, revision, part}},
  };
}

function spoken({name, beside, text, note}: Piece): string {
  const said = `${nameInText(name)}${beside}: ${isolate(text)}${note === '' ? '' : ` ${note}`}`;
  return escapeText(said, Number.POSITIVE_INFINITY);
}

function toBlock({name, beside, text, note}: Piece): RichTextBlock {
  const elements: RichTextText[] = [
    {type: 'text', text: `${cleanName(name)}${beside}`, style: {bold: true}},
    {type: 'text', text: '\n'},
    ...splitText(text, slackLimits.element).map((piece) => ({type: 'text' as const, text: piece})),
    ...(note === '' ? [] : [{type: 'text' as const, text: ` ${note}`, style: {italic: true}}]),
  ];
  return {type: 'rich_text', elements: [{type: 'rich_text_section', elements}]};
}
