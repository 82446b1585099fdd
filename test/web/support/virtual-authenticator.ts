import type {Page} from 'playwright-core';

/** A device of a page that verifies its person at once, or refuses to. */
export interface VirtualAuthenticator {
  /** Whether the person is verified from now on. */
  verify(isVerified: boolean): Promise<void>;
  /** The passkeys on the device. */
  countPasskeys(): Promise<number>;
}

/** Gives a page a device with passkeys. It stays as long as the page. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const {authenticatorId} = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', {authenticatorId, isUserVerified});
    },
    countPasskeys: async () =>
      (await session.send('WebAuthn.getCredentials', {authenticatorId})).credentials.length,
  };
}
