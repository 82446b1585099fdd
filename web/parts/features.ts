/** A part of the service that an installation may lack. `mail-kept`: mails are shown here, and not sent. */
export type Feature = 'passkeys' | 'mail' | 'mail-kept' | 'codes' | 'links' | 'push';

/** Whether the installation has a feature, from a meta tag that the service adds to the page. */
export function hasFeature(feature: Feature): boolean {
  const said = document.querySelector<HTMLMetaElement>('meta[name="features"]')?.content ?? '';
  return said.split(' ').includes(feature);
}

/** Whether the installation and this browser have passkeys. */
export function canUsePasskeys(): boolean {
  return hasFeature('passkeys') && 'PublicKeyCredential' in globalThis;
}
