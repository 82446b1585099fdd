import {z} from 'zod';
import {principalReference} from '../core/access.js';
import {type Id, isId, type IdSuffix, storedSuffix, suffixOf} from '../core/ids.js';
import {limits} from '../core/limits.js';
import {type Infer, instant, resource, text} from '../core/schemas.js';
import type {Member, Workspace} from '../workspaces/workspace.js';

/**
 * The signature algorithms of passkeys, by their COSE numbers: Ed25519, ES256, RS256. They are named at both
 * ends: the library would also accept ML-DSA, which Node supports only as an experiment.
 */
export const passkeyAlgorithms = [-8, -7, -257] as const;

export const passkeyRevisionSchema = resource('passkey', {
  name: z.string().meta({description: 'The name by which its holder recognises it.'}),
  holder: principalReference,
  credential_id: z.string().meta({description: 'The id of the WebAuthn credential, in base64url.'}),
  public_key: z.string().meta({description: 'The public key (COSE), in base64url.'}),
  transports: z.array(z.string()).meta({
    description: 'How the browser reaches it, such as `internal`, `hybrid` or `usb`.',
  }),
  backed_up: z.boolean().meta({
    description: 'True if it was synchronised or backed up when it was added. Otherwise it is on one device.',
  }),
}).meta({id: 'PasskeyRevision', description: 'A passkey, as in its events.'});

export const passkeySchema = passkeyRevisionSchema
  .extend({
    last_used_at: instant.nullable().meta({description: 'The last sign-in, to the minute. Null: none yet.'}),
  })
  .meta({id: 'Passkey', description: 'A WebAuthn credential with which a member signs in to the dashboard.'});

const binary = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most, `has at most ${most} characters`)
    .regex(/^[\w-]+$/, 'must be base64url without padding');

const name = text(limits.name).meta({
  description: 'A name by which you recognise it.',
  examples: ['Laptop'],
});

export const newPasskeySchema = z
  .strictObject({
    ticket: z
      .string()
      .min(1, 'must not be empty')
      .max(1_000, 'has at most 1000 characters')
      .meta({description: 'The `ticket` of the options.'}),
    name: name.optional(),
    credential: z
      .strictObject({
        id: binary(1_400),
        client_data_json: binary(4_000).meta({description: '`response.clientDataJSON`'}),
        attestation_object: binary(12_000).meta({description: '`response.attestationObject`'}),
        transports: z
          .array(
            z
              .string()
              .max(20, 'has at most 20 characters')
              .regex(/^[a-z-]+$/, 'must be a transport such as "internal"'),
          )
          .max(8, 'has at most 8 transports')
          .optional()
          .meta({description: '`response.getTransports()`'}),
      })
      .meta({description: 'The result of `navigator.credentials.create`, in base64url.'}),
  })
  .meta({id: 'NewPasskey', description: 'A new passkey, as the browser has created it.'});

export const passkeyChangeSchema = z
  .strictObject({name: name.optional()})
  .meta({id: 'PasskeyChange', description: 'The fields of a passkey to change.'});

export type Passkey = Infer<typeof passkeyRevisionSchema>;

/** A passkey with the minute of its last use, which is not part of a revision. */
export type ShownPasskey = Infer<typeof passkeySchema>;

export type NewPasskey = z.output<typeof newPasskeySchema>;

export type PasskeyChange = z.output<typeof passkeyChangeSchema>;

/** The answer of a passkey to a challenge, each part in base64url. */
export interface PasskeyAssertion {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string;
}

/** A credential that a browser has created for a challenge of ours. */
export interface CreatedCredential {
  readonly publicKey: string;
  readonly counter: number;
  readonly backedUp: boolean;
}

/** Verifies what passkeys sign, for one site: src/passkeys/. */
export interface PasskeyVerifier {
  /** The relying party id: the host name to which browsers bind passkeys. */
  readonly rpId: string;
  /**
   * Verifies a new credential. Undefined if it was not created for this challenge, on this site, or the
   * device has not verified the person.
   */
  readonly verifyCreated: (
    credential: NewPasskey['credential'],
    challenge: string,
  ) => Promise<CreatedCredential | undefined>;
  /** Verifies a signature by a public key. Returns the passkey's counter; undefined as above. */
  readonly verifyAssertion: (
    assertion: PasskeyAssertion,
    challenge: string,
    publicKey: string,
  ) => Promise<number | undefined>;
}

/**
 * The signature counter of a passkey and the minute (since the epoch) of its last use, 0 for none. Many
 * passkeys have no counter: theirs stays 0.
 */
export interface PasskeyUse {
  readonly counter: number;
  readonly minute: number;
}

/** Returns the use of a passkey as it is stored. */
export function formatPasskeyUse({counter, minute}: PasskeyUse): string {
  return `${counter} ${minute}`;
}

export function parsePasskeyUse(text: string): PasskeyUse {
  const [counter, minute] = text.split(' ').map(Number);
  return {counter: counter ?? 0, minute: minute ?? 0};
}

/** True if a counter says that the passkey was not copied: it has risen, or the passkey has none. */
export function isNewCounter(counter: number, known: number): boolean {
  return counter > known || (counter === 0 && known === 0);
}

/** Returns what a passkey stores to name its holder: `<workspace>.<id suffix of the member>`. */
function formatUserHandle(workspace: Id<'workspace'>, member: Id<'member'>): string {
  return Buffer.from(`${workspace}.${suffixOf(member)}`).toString('base64url');
}

/** Parses a user handle, which is not signed: it only says where to look. Undefined for a malformed one. */
export function parseUserHandle(
  handle: string,
): {readonly workspace: Id<'workspace'>; readonly member: IdSuffix<'member'>} | undefined {
  const [workspace = '', member = '', ...rest] = Buffer.from(handle, 'base64url').toString().split('.');
  return isId('workspace', workspace) && /^[0-9a-hjkmnp-tv-z]{16}$/.test(member) && rest.length === 0
    ? {workspace, member: storedSuffix(member)}
    : undefined;
}

/** Creates the options with which a browser creates a passkey: WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
export function createPasskeyOptions({
  rpId,
  challenge,
  workspace,
  member,
  known,
}: {
  readonly rpId: string;
  readonly challenge: string;
  readonly workspace: Pick<Workspace, 'id' | 'name'>;
  readonly member: Member;
  /** The passkeys that the member has: no device gets a second one. */
  readonly known: readonly Passkey[];
}) {
  return {
    rp: {id: rpId, name: 'Team Standup'},
    user: {
      id: formatUserHandle(workspace.id, member.id),
      name: `${member.email ?? member.name} (${workspace.name})`,
      displayName: member.name,
    },
    challenge,
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({type: 'public-key', alg})),
    timeout: 300_000,
    excludeCredentials: known.map(({credential_id: id, transports}) => ({
      type: 'public-key',
      id,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}
