import type {ComponentType} from 'react';
import {canUsePasskeys, hasFeature} from '../features.ts';
import {listProviders} from '../sign-in-ways.ts';
import {LinkWay} from './link-way.tsx';
import {MailWay} from './mail-way.tsx';
import {PasskeyWay} from './passkey-way.tsx';
import {ProviderWay} from './provider-way.tsx';
import type {WayProps} from './way.ts';

interface SignInWay {
  readonly name: string;
  readonly isOn: () => boolean;
  readonly Way: ComponentType<WayProps>;
}

/** The ways to sign in, and to confirm that it is you, in the order in which people see them. */
const ways: readonly SignInWay[] = [
  {name: 'passkey', isOn: canUsePasskeys, Way: PasskeyWay},
  {name: 'mail', isOn: () => hasFeature('codes'), Way: MailWay},
  {name: 'provider', isOn: () => listProviders().length > 0, Way: ProviderWay},
  {name: 'link', isOn: () => hasFeature('links'), Way: LinkWay},
];

/** Shows the ways that this installation has. */
export function Ways(props: WayProps) {
  return ways.filter(({isOn}) => isOn()).map(({name, Way}) => <Way key={name} {...props} />);
}
