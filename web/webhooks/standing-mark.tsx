import {Mark} from '../parts/deliveries/mark.tsx';
import type {IconName} from '../parts/icon.tsx';
import {words} from '../words/words.ts';
import type {Standing} from './sentence.ts';

const looks: Readonly<Record<Standing, readonly [IconName, string]>> = {
  well: ['check', 'posted'],
  quiet: ['moon', 'skipped'],
  unused: ['circle', 'skipped'],
  waiting: ['clock', 'expected'],
  slow: ['clock', 'late'],
  recovering: ['arrow-right', 'late'],
  failing: ['cross', 'missed'],
  disabled: ['dash', 'skipped'],
};

export function StandingMark({
  standing,
  isTextHidden,
}: {
  readonly standing: Standing;
  readonly isTextHidden?: boolean | undefined;
}) {
  const [icon, colour] = looks[standing];
  return (
    <Mark colour={colour} icon={icon} isTextHidden={isTextHidden} text={words.webhooks.standings[standing]} />
  );
}
