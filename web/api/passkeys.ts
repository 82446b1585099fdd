// Creates passkeys and signs in with them. The browser's part is in `@simplewebauthn/browser`, which is
// loaded at the first use.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import {Problem} from './problem.ts';
import type {Passkey} from './schema.ts';
import {send} from './send.ts';
import {callSession} from './session.ts';
import {confirmSession, startSession} from './sign-in.ts';

const loadLibrary = () => import('@simplewebauthn/browser');

/** Lets the browser create a passkey, and adds it. Errors: `Problem`, also with a code of `passkey_…`. */
export async function addPasskey(): Promise<Passkey> {
  const {ticket, public_key: options} = await send('post', '/v1/passkeys/challenge', {});
  const {startRegistration} = await loadLibrary();
  // The document describes the options only as those of WebAuthn.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const {id, response} = await explainErrors(() => startRegistration({optionsJSON}));
  const {clientDataJSON, attestationObject, transports = []} = response;
  const credential = {
    id,
    client_data_json: clientDataJSON,
    attestation_object: attestationObject,
    transports: [...transports],
  };
  return send('post', '/v1/passkeys', {body: {ticket, credential}});
}

export async function signInWithPasskey(): Promise<void> {
  await startSession('/app/session', await signChallenge(false));
}

/** Signs in with a passkey that the person chooses from the suggestions of a text field. */
export async function signInByAutofill(): Promise<void> {
  await startSession('/app/session', await signChallenge(true));
}

export async function confirmWithPasskey(): Promise<void> {
  await confirmSession(await signChallenge(false));
}

/** Ends a request for a passkey that waits for the person. */
export async function cancelPasskey(): Promise<void> {
  const {WebAuthnAbortService} = await loadLibrary();
  WebAuthnAbortService.cancelCeremony();
}

async function signChallenge(useBrowserAutofill: boolean): Promise<object> {
  const {startAuthentication} = await loadLibrary();
  const optionsJSON = (await callSession(
    'POST',
    '/app/session/passkey',
  )) as PublicKeyCredentialRequestOptionsJSON;
  const {id, response} = await explainErrors(() => startAuthentication({optionsJSON, useBrowserAutofill}));
  return {
    passkey: {
      id,
      client_data_json: response.clientDataJSON,
      authenticator_data: response.authenticatorData,
      signature: response.signature,
      user_handle: response.userHandle ?? '',
    },
  };
}

/** Turns errors of the browser into a `Problem`, whose text is in `texts.passkeys.problems`. */
async function explainErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    const code =
      name === 'NotAllowedError' || name === 'AbortError'
        ? 'passkey_cancelled'
        : name === 'InvalidStateError'
          ? 'passkey_known'
          : 'passkey_failed';
    throw new Problem({status: -1, code, title: code, detail: code}, {cause});
  }
}
