import {Hidden} from '../hidden.tsx';
import type {IconName} from '../icon.tsx';
import {Glyph, markClass} from '../status-mark.tsx';
import {texts} from '../../texts/texts.ts';

/** A short text with an icon before it, in a colour of base.css. */
export function MarkedText({
  text,
  icon,
  colour,
  isTextHidden = false,
}: {
  readonly text: string;
  readonly icon: IconName;
  readonly colour: string;
  /** True if a text next to the icon says the same, so that this text need not be seen. */
  readonly isTextHidden?: boolean | undefined;
}) {
  return (
    <span className={markClass} style={{color: `var(--color-${colour})`}}>
      <Glyph icon={icon} />
      {isTextHidden ? <Hidden>{text}</Hidden> : <span>{text}</span>}
    </span>
  );
}

const looks: Readonly<Record<string, readonly [IconName, string]>> = {
  pending: ['clock', 'expected'],
  delivering: ['arrow-right', 'expected'],
  succeeded: ['check', 'posted'],
  retrying: ['clock', 'late'],
  exhausted: ['cross', 'missed'],
  aborted: ['dash', 'missed'],
  expired: ['dash', 'skipped'],
  held: ['alert', 'late'],
};

/** Shows the state of a delivery; an unknown state is shown unchanged. */
export function DeliveryMark({state}: {readonly state: string}) {
  const known: Readonly<Record<string, string>> = texts.webhooks.deliveries.states;
  const [icon, colour] = looks[state] ?? ['more', 'quiet'];
  return <MarkedText colour={colour} icon={icon} text={known[state] ?? state} />;
}
