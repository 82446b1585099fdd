import type {KnownBlock} from '@slack/types';
import type {StandupBlocker} from '../../../domain/slack/standup-content.js';
import {cleanName, isolate, nameInText} from '../../words/bidi.js';
import {bold, paragraph, span} from '../blocks/shapes.js';
import {flowOf} from '../rich-text/show-text.js';
import {cutText} from '../../words/cut-text.js';
import {escapeText} from '../blocks/text.js';
import type {Words} from '../../words/words.js';
import {presentBlockerButtons} from './blocker-buttons.js';

export interface ToldBlockers {
  readonly blocks: readonly KnownBlock[];
  /** As `elements`, for `text`: escaped, one line each. */
  readonly spoken: string;
}

/** The maximum shown with one standup, and of their buttons, unresolved ones first. */
export const mostTold = 5;

/** The maximum lengths for a blocker that the standup's text does not contain, in UTF-16 code units. */
const [excerptLength, nameLength] = [80, 40];

/** The lengths for blockers that the text contains: the first one that makes them distinct is used. */
const briefLengths = [24, 40, 60] as const;

/**
 * Presents the state of each blocker of a standup, with its actions; undefined where there is none. `said`:
 * the standup's text. Blockers in it are not repeated: a single one is shown without text, several with
 * enough to tell them apart.
 */
export function presentToldBlockers(
  words: Words,
  all: readonly StandupBlocker[],
  said: string,
): ToldBlockers | undefined {
  if (all.length === 0) return undefined;
  const rank = ({state}: StandupBlocker) => Number(state === 'resolved');
  const shown = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostTold);
  const excerpts = excerptsOf(all, said);
  const lines = shown.map((blocker) => presentTold(words, blocker, excerpts.get(blocker.id) ?? ''));
  if (all.length > mostTold) lines.push(presentMore(words.blockers.more(all.length - mostTold)));
  return {
    blocks: lines.flatMap(({blocks}) => blocks),
    spoken: lines.map(({spoken}) => spoken).join('\n'),
  };
}

/** The excerpt that identifies each blocker, by id; empty for one that needs none. */
function excerptsOf(all: readonly StandupBlocker[], said: string): ReadonlyMap<string, string> {
  const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
  const update = onOneLine(said);
  const told = all.filter(({text}) => update.includes(onOneLine(text)));
  const briefs = briefLengths.map((length) => told.map(({text}) => cutText(onOneLine(text), length)));
  const apart = briefs.find((some) => new Set(some).size === some.length) ?? briefs.at(-1) ?? [];
  return new Map(
    all.map((blocker) => {
      const place = told.indexOf(blocker);
      if (place < 0) return [blocker.id, cutText(onOneLine(blocker.text), excerptLength)];
      return [blocker.id, all.length === 1 ? '' : (apart[place] ?? '')];
    }),
  );
}

function presentTold(words: Words, blocker: StandupBlocker, excerpt: string): ToldBlockers {
  const {state, by} = blocker;
  const name = by === null ? null : cutText(cleanName(by), nameLength);
  const {told} = words.blockers;
  const elements = [bold(told(state, name)), ...(excerpt === '' ? [] : [span(': '), ...flowOf(excerpt)])];
  const spoken = `${told(state, name === null ? null : nameInText(name))}${excerpt === '' ? '' : `: ${isolate(excerpt)}`}`;
  return {
    blocks: [paragraph(elements), ...presentBlockerButtons(words, blocker)],
    spoken: escapeText(spoken, Number.POSITIVE_INFINITY),
  };
}

function presentMore(sentence: string): ToldBlockers {
  return {blocks: [paragraph([span(sentence, {italic: true})])], spoken: sentence};
}
