import {texts} from '../../texts/texts.ts';
import {buildSignInUrl, listProviders} from '../sign-in-ways.ts';
import type {WayProps} from './way.ts';

/** Leads to the identity providers. Only some of them ask a person again, which confirming needs. */
export function ProviderWay({to, confirms}: WayProps) {
  return listProviders()
    .filter((provider) => provider.confirms || !confirms)
    .map((provider) => (
      <a
        key={provider.id}
        className="grid min-h-11 place-items-center rounded-lg border border-edge px-4 py-2 font-semibold text-ink no-underline hover:bg-inset"
        href={buildSignInUrl(provider, to, confirms)}
      >
        {confirms
          ? texts.sessions.confirm.with({provider: provider.name})
          : texts.signIn.with({provider: provider.name})}
      </a>
    ));
}
