import {MarkedText} from '../parts/deliveries/mark.tsx';
import type {IconName} from '../parts/icon.tsx';
import {texts} from '../texts/texts.ts';
import type {HealthState} from './sentence.ts';

const looks: Readonly<Record<HealthState, readonly [IconName, string]>> = {
  well: ['check', 'posted'],
  quiet: ['moon', 'skipped'],
  unused: ['circle', 'skipped'],
  waiting: ['clock', 'expected'],
  slow: ['clock', 'late'],
  recovering: ['arrow-right', 'late'],
  failing: ['cross', 'missed'],
  disabled: ['dash', 'skipped'],
};

export function HealthMark({
  healthState,
  isTextHidden,
}: {
  readonly healthState: HealthState;
  readonly isTextHidden?: boolean | undefined;
}) {
  const [icon, colour] = looks[healthState];
  return (
    <MarkedText
      colour={colour}
      icon={icon}
      isTextHidden={isTextHidden}
      text={texts.webhooks.healthStates[healthState]}
    />
  );
}
