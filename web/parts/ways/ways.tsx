import {useQuery} from '@tanstack/react-query';
import type {ComponentType} from 'react';
import {readQuery} from '../../api/read.ts';
import {canUsePasskeys, hasFeature} from '../features.ts';
import {listProviders} from '../sign-in-ways.ts';
import {LinkWay} from './link-way.tsx';
import {MailWay} from './mail-way.tsx';
import {PasskeyWay} from './passkey-way.tsx';
import {ProviderWay} from './provider-way.tsx';
import type {WayProps} from './way.ts';

interface SignInWay {
  readonly name: string;
  readonly isOn: (person: Pick<WayProps, 'byMail'>) => boolean;
  readonly Way: ComponentType<WayProps>;
}

/** The ways to sign in, and to confirm that it is you, in the order in which people see them. */
const ways: readonly SignInWay[] = [
  {name: 'passkey', isOn: canUsePasskeys, Way: PasskeyWay},
  {name: 'mail', isOn: ({byMail}) => byMail, Way: MailWay},
  {name: 'provider', isOn: () => listProviders().length > 0, Way: ProviderWay},
  {name: 'link', isOn: () => hasFeature('links'), Way: LinkWay},
];

/** Shows the ways that this installation has for the person. */
export function Ways(given: Omit<WayProps, 'byMail'>) {
  const props = {...given, byMail: useMailedCodes(given.confirms)};
  return ways.filter(({isOn}) => isOn(props)).map(({name, Way}) => <Way key={name} {...props} />);
}

/** True if the person can get a code by mail. A person who confirms is known, and so is their address. */
function useMailedCodes(confirms: boolean): boolean {
  const isOn = hasFeature('codes');
  const {data: own, isPending} = useQuery({
    ...readQuery('getMember', '/v1/members/{member}', {member: 'me'}),
    enabled: isOn && confirms,
  });
  return isOn && (!confirms || (!isPending && own?.email !== null));
}
