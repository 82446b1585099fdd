import type {KnownBlock} from '@slack/types';
import type {StandupBlocker} from '../../../domain/slack/standup-content.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {bold, paragraph, textElement, button, actionsRow} from '../blocks/shapes.js';
import {toInlineElements} from '../rich-text/show-text.js';
import {cutText} from '../../texts/cut-text.js';
import {escapeAll} from '../blocks/text.js';
import type {Texts} from '../../texts/translation.js';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import {actions} from '../blocks/names.js';
import {AppError} from '../../../domain/core/errors.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';
import {admitRequester} from '../core/requester.js';
import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';

export interface RenderedBlockers {
  readonly blocks: readonly KnownBlock[];
  /** The blockers as escaped plain text, one line for each. */
  readonly spoken: string;
}

/** The maximum number of blockers shown with one standup, unresolved ones first. */
export const maxShownBlockers = 5;

/** The maximum lengths of a blocker's text and name if the standup's text does not contain it. */
const [excerptLength, nameLength] = [80, 40];

/** The lengths for blockers that the standup's text contains. The first at which all differ is used. */
const briefLengths = [24, 40, 60] as const;

/** Presents a standup's blockers with buttons; undefined if none. `said`: its text, not repeated here. */
export function presentStandupBlockers(
  texts: Texts,
  all: readonly StandupBlocker[],
  said: string,
): RenderedBlockers | undefined {
  if (all.length === 0) return undefined;
  const rank = ({state}: StandupBlocker) => Number(state === 'resolved');
  const shown = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxShownBlockers);
  const excerpts = findBlockerExcerpts(all, said);
  const lines = shown.map((blocker) => presentSingleBlocker(texts, blocker, excerpts.get(blocker.id) ?? ''));
  if (all.length > maxShownBlockers)
    lines.push(presentHiddenBlockersNote(texts.blockers.more({count: all.length - maxShownBlockers})));
  return {
    blocks: lines.flatMap(({blocks}) => blocks),
    spoken: lines.map(({spoken}) => spoken).join('\n'),
  };
}

/** Returns the excerpt that identifies each blocker, by id; empty for a blocker that needs none. */
function findBlockerExcerpts(all: readonly StandupBlocker[], said: string): ReadonlyMap<string, string> {
  const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
  const update = onOneLine(said);
  const included = all.filter(({text}) => update.includes(onOneLine(text)));
  const briefs = briefLengths.map((length) => included.map(({text}) => cutText(onOneLine(text), length)));
  const apart = briefs.find((some) => new Set(some).size === some.length) ?? briefs.at(-1) ?? [];
  return new Map(
    all.map((blocker) => {
      const index = included.indexOf(blocker);
      if (index < 0) return [blocker.id, cutText(onOneLine(blocker.text), excerptLength)];
      return [blocker.id, all.length === 1 ? '' : (apart[index] ?? '')];
    }),
  );
}

function presentSingleBlocker(texts: Texts, blocker: StandupBlocker, excerpt: string): RenderedBlockers {
  const {state, by} = blocker;
  const name = by === null ? null : cutText(cleanName(by), nameLength);
  const {status} = texts.blockers;
  const elements = [
    bold(status({state, by: name})),
    ...(excerpt === '' ? [] : [textElement(': '), ...toInlineElements(excerpt)]),
  ];
  const spoken = `${status({state, by: name === null ? null : isolateName(name)})}${excerpt === '' ? '' : `: ${isolateDirection(excerpt)}`}`;
  return {
    blocks: [paragraph(elements), ...presentBlockerButtons(texts, blocker)],
    spoken: escapeAll(spoken),
  };
}

function presentHiddenBlockersNote(sentence: string): RenderedBlockers {
  return {blocks: [paragraph([textElement(sentence, {italic: true})])], spoken: sentence};
}

/** Returns the buttons of a blocker in a channel. Permission is checked when a person presses one. */
export function presentBlockerButtons(
  {blockers: texts}: Texts,
  {id, state}: Pick<Blocker, 'id' | 'state'>,
): KnownBlock[] {
  if (state === 'resolved') return [];
  const value = {blocker: id};
  const resolve = button(actions.resolveBlocker, texts.resolve, value);
  if (state !== 'raised') return [actionsRow(resolve)];
  return [actionsRow(button(actions.acknowledgeBlocker, texts.acknowledge, value), resolve)];
}

/** Acknowledges or resolves a blocker, and returns the outcome as text. Never throws. */
export async function changeBlocker(
  context: SlackContext,
  request: SlackRequest,
  id: string,
  state: 'acknowledged' | 'resolved',
): Promise<string> {
  const {translation, triggerId} = request;
  const {blockers} = context.services;
  const texts = translation.texts.blockers;
  try {
    const {call} = await admitRequester(context, request);
    const before = await blockers.findBlocker(call, id);
    if (before.state === 'resolved') return texts.isResolved;
    if (before.state === state) return texts.isAcknowledged;
    const idempotency = slackKey(call, 'blocker', triggerId, `${id} ${state}`);
    await blockers.changeBlocker({...call, idempotency}, id, {state});
    return state === 'resolved' ? texts.resolved : texts.acknowledged;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return texts.gone;
    const {sentence, uncertain} = explainError(context, error, translation.texts);
    return uncertain ? sentence : texts.notChanged({reason: sentence});
  }
}

/** Listens to the buttons under a blocker. The resulting event updates the message. */
export function listenToBlockers(context: SlackContext): void {
  const listen = (action: string, state: 'acknowledged' | 'resolved') =>
    listenToButton(context, action, async ({request, value: {blocker}}, answer) => {
      if (typeof blocker !== 'string') return;
      await answer(privateAnswer(await changeBlocker(context, request, blocker, state)));
      context.refreshHome(request.origin, request.user);
    });
  listen(actions.acknowledgeBlocker, 'acknowledged');
  listen(actions.resolveBlocker, 'resolved');
}
