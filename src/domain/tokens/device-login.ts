import {z} from 'zod';
import {id, type Infer, instant, open, text} from '../core/schemas.js';
import {type Scope, scopes} from '../core/access.js';
import {limits} from '../core/limits.js';

/** The page at which a person types the code that a program shows. */
export const devicePage = '/device';

/** Consonants that people do not confuse. They form no words. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;
const codePattern = new RegExp(`^[${letters}]{${codeLength}}$`);

/** The longest text that is read as a code, with spaces and hyphens. */
const maxTyped = 40;

/** Scopes of a program that asks for none: the person's own standups and absences, and no power over others. */
const defaultScopes: readonly Scope[] = [
  'standups:read',
  'standups:write',
  'teams:read',
  'members:read',
  'members:write',
];

export const newDeviceLoginSchema = z.strictObject({
  name: text(limits.name),
  scopes: z
    .array(z.enum(scopes, `must be one of ${scopes.join(', ')}`))
    .min(1, 'names at least one scope')
    .max(scopes.length, 'names each scope once')
    .default([...defaultScopes]),
});

export type NewDeviceLogin = Infer<typeof newDeviceLoginSchema>;

export const deviceLoginSchema = z
  .object({
    object: z.literal('device_login'),
    user_code: z.string().meta({description: 'The code that the program shows.', examples: ['WDJB-MJHT']}),
    name: z.string().meta({description: 'The name of the token, which the program has chosen.'}),
    scopes: z.array(open<Scope>()).meta({description: 'The scopes that the program asks for.'}),
    requested_from: z.string().meta({description: 'The network address of the program.'}),
    your_address: z.string().meta({description: 'The network address of this request, to compare.'}),
    created_at: instant,
    expires_at: instant,
  })
  .meta({
    id: 'DeviceLogin',
    description: 'A program that waits for a person to approve its sign-in, as in RFC 8628.',
  });

export type DeviceLogin = Infer<typeof deviceLoginSchema>;

export const deviceDecisions = ['approve', 'deny'] as const;

export type DeviceDecision = (typeof deviceDecisions)[number];

export const deviceDecisionSchema = z
  .object({
    object: z.literal('device_login_decision'),
    user_code: z.string(),
    decision: open<DeviceDecision>(),
    token: id('access_token')
      .nullable()
      .meta({description: 'The access token that the program gets. Null after `deny`.'}),
  })
  .meta({id: 'DeviceLoginDecision', description: 'The decision about the sign-in of a program.'});

export type DeviceLoginDecision = Infer<typeof deviceDecisionSchema>;

/** Creates a code from random bytes. The highest bytes are left out, so that all letters are equally likely. */
export function createUserCode(random: Uint8Array): string {
  const even = 256 - (256 % letters.length);
  const chosen = [...random].filter((byte) => byte < even).slice(0, codeLength);
  if (chosen.length < codeLength) throw new Error('too few random bytes');
  return chosen.map((byte) => letters[byte % letters.length]).join('');
}

/** Returns a code as people read it: two groups of four letters. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** Reads a typed code, in any case, with spaces and hyphens. Undefined if it can be no code. */
export function parseUserCode(typed: string): string | undefined {
  if (typed.length > maxTyped) return undefined;
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return codePattern.test(code) ? code : undefined;
}

/** Returns an address as people write it. Node shows IPv4 addresses of some sockets in the form of IPv6. */
export function formatClientAddress(address = 'unknown'): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
