import type {WayIn} from '../domain/tokens/sign-in.js';
import type {Config} from './config.js';

/** Lists the ways to sign in that are allowed and set up. */
export function listWaysIn(
  {signIn, slack, trustedIssuers}: Pick<Config, 'signIn' | 'slack' | 'trustedIssuers'>,
  {hasMail, hasPasskeys}: {readonly hasMail: boolean; readonly hasPasskeys: boolean},
): WayIn[] {
  const isSetUp: Readonly<Record<WayIn, boolean>> = {
    mail: hasMail,
    passkey: hasPasskeys,
    link: true,
    slack: slack?.clientId !== undefined,
    provider: trustedIssuers.some((issuer) => issuer.signIn !== undefined),
  };
  return signIn.filter((way) => isSetUp[way]);
}
