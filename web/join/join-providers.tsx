import {joinByProvider, type OfferedInvite} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {listProviders} from '../parts/sign-in-ways.ts';
import {useAction} from '../parts/use-action.ts';
import {findBrowserZone} from '../parts/zones.ts';
import {getCurrentLanguage, texts} from '../texts/texts.ts';
import type {HeldLink} from './held-link.ts';

/** Leads to the identity providers with which a person without an account can join. */
export function JoinProviders({held, invite}: {readonly held: HeldLink; readonly invite: OfferedInvite}) {
  const {run, isPending, problem} = useAction((provider: string) =>
    joinByProvider({...held, provider, timezone: findBrowserZone(), locale: getCurrentLanguage()}),
  );
  return (
    <>
      {listProviders()
        .filter(({id}) => invite.providers.includes(id))
        .map(({id, name}) => (
          <Button isPending={isPending} key={id} onPress={() => void run(id)}>
            {texts.join.continueWith({provider: name})}
          </Button>
        ))}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
}
