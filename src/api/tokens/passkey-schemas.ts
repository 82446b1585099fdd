import {z} from 'zod';
import {instant} from '../../domain/core/schemas.js';

export const passkeyChallengeSchema = z
  .object({
    object: z.literal('passkey_challenge'),
    ticket: z.string().meta({description: 'Proves to `createPasskey` that the options are ours.'}),
    expires_at: instant,
    public_key: z.record(z.string(), z.unknown()).meta({
      description:
        'The argument for `PublicKeyCredential.parseCreationOptionsFromJSON`, whose result `navigator.credentials.create` takes as `publicKey`.',
    }),
  })
  .meta({id: 'PasskeyChallenge', description: 'The options with which a browser creates a passkey.'});
