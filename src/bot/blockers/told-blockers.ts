import type {KnownBlock} from '@slack/types';
import type {Blocker} from '../../domain/blocker.js';
import {cleanName, isolate, nameInText} from '../bidi.js';
import {flowOf} from '../rich-text/show-text.js';
import {cutText, escapeText} from '../text.js';
import type {Words} from '../words/words.js';
import {presentBlockerButtons} from './blocker-buttons.js';

/** A blocker as it is shown with the standup that told of it. */
export interface ToldBlocker extends Pick<Blocker, 'id' | 'text' | 'state'> {
  /** The name of whoever has acknowledged it; null while nobody has, and of somebody who is gone. */
  readonly by: string | null;
}

export interface ToldBlockers {
  readonly blocks: readonly KnownBlock[];
  /** The same for `text`: escaped, a line for each. */
  readonly spoken: string;
}

/** So many are shown with one standup, and their buttons, those that are not resolved first. */
export const mostTold = 5;

/** Enough to tell one from others: all of it stands in the standup as a rule. In UTF-16 code units. */
const [excerptLength, nameLength] = [80, 40];

/** How each blocker of a standup stands, with what may be done with it; undefined where there is none. */
export function presentToldBlockers(words: Words, all: readonly ToldBlocker[]): ToldBlockers | undefined {
  if (all.length === 0) return undefined;
  const rank = ({state}: ToldBlocker) => Number(state === 'resolved');
  const shown = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostTold);
  const lines = shown.map((blocker) => presentTold(words, blocker));
  if (all.length > mostTold) lines.push(presentMore(words.blockers.more(all.length - mostTold)));
  return {
    blocks: lines.flatMap(({blocks}) => blocks),
    spoken: lines.map(({spoken}) => spoken).join('\n'),
  };
}

function presentTold(words: Words, blocker: ToldBlocker): ToldBlockers {
  const {state, by, text} = blocker;
  const name = by === null ? null : cutText(cleanName(by), nameLength);
  const excerpt = cutText(text.trim().replaceAll(/\s+/g, ' '), excerptLength);
  const {told} = words.blockers;
  const elements = [
    {type: 'text', text: told(state, name), style: {bold: true}},
    {type: 'text', text: ': '},
    ...flowOf(excerpt),
  ] as const;
  const spoken = `${told(state, name === null ? null : nameInText(name))}: ${isolate(excerpt)}`;
  return {
    blocks: [
      {type: 'rich_text', elements: [{type: 'rich_text_section', elements: [...elements]}]},
      ...presentBlockerButtons(words, blocker),
    ],
    spoken: escapeText(spoken, Number.POSITIVE_INFINITY),
  };
}

function presentMore(sentence: string): ToldBlockers {
  const element = {type: 'text', text: sentence, style: {italic: true}} as const;
  return {
    blocks: [{type: 'rich_text', elements: [{type: 'rich_text_section', elements: [element]}]}],
    spoken: sentence,
  };
}
