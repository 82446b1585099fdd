import {parseStoredAnswer, serializeStoredAnswer} from './commit/kept-replies.js';
import type {Purpose} from './core/cipher.js';
import {globalKeys, type Key} from './core/keys.js';

/** A stored value that contains an encrypted text. */
interface EncryptedValue {
  /** The id of the workspace; empty for a value of the installation. */
  readonly workspace: string;
  /** The name of the key without its hash tag, or the field of a hash of the installation. */
  readonly name: string;
  readonly value: string;
}

/** Returns another text for an encrypted one; undefined to keep it. Errors: it cannot be decrypted. */
type TranslateText = (context: string, encrypted: string) => string | undefined;

interface EncryptedLocation {
  /** `names`: strings of each workspace with such names. `hash`: the fields of a hash of the installation. */
  readonly where: {readonly names: RegExp} | {readonly hash: () => Key<'hash'>};
  /** Returns the value with another encrypted text; undefined to keep it. Errors: those of `translate`. */
  readonly translate: (stored: EncryptedValue, translate: TranslateText) => string | undefined;
}

/** The locations of all encrypted texts. A new purpose does not compile until it is listed here. */
const encryptedLocations: Record<Purpose, EncryptedLocation | 'stored nowhere'> = {
  'signing-key': {
    where: {hash: globalKeys.signingKeys},
    // The encrypted part is at the end, after the times.
    translate({name, value}, translate) {
      const at = value.lastIndexOf('.') + 1;
      const next = translate(name === 'current' ? 'current' : 'retired', value.slice(at));
      return next && value.slice(0, at) + next;
    },
  },
  // Earlier secrets have the same name with `:1` and `:2`.
  'webhook-secret': {where: {names: /^s:/}, translate: translateById},
  'webhook-headers': {where: {names: /^w:.*:headers$/}, translate: translateById},
  'shown-once': {
    where: {names: /^i:/},
    translate({workspace, value}, translate) {
      const answer = parseStoredAnswer(value);
      const {reply} = answer;
      if (reply.kind !== 'resource' && reply.kind !== 'list') return undefined;
      if (reply.encrypted === undefined) return undefined;
      const context = reply.kind === 'list' ? workspace : reply.of.suffix;
      const encrypted = translate(context, reply.encrypted);
      return encrypted && serializeStoredAnswer({...answer, reply: {...reply, encrypted}});
    },
  },
  'slack-installation': {
    where: {names: /^slack-token$/},
    translate: ({workspace, value}, translate) => translate(workspace, value),
  },
  mail: {where: {names: /^j:.*:secret$/}, translate: translateById},
  'mail-link': 'stored nowhere',
  cursor: 'stored nowhere',
  'client-address': 'stored nowhere',
  'invited-address': 'stored nowhere',
  'sign-in': 'stored nowhere',
  // Codes are kept as keyed hashes for 10 minutes, and end with the key.
  'sign-in-code': 'stored nowhere',
  // Logins of programs are kept for 10 minutes, under keyed hashes that end with the key.
  'device-login': 'stored nowhere',
  passkey: 'stored nowhere',
  // This must stay the last one: reencrypt.ts says why.
  check: {
    where: {hash: globalKeys.installation},
    translate: ({name, value}, translate) =>
      name === 'check' ? translate('installation', value) : undefined,
  },
};

/** The context is the id suffix in the name of the key. */
function translateById({name, value}: EncryptedValue, translate: TranslateText): string | undefined {
  return translate(name.split(':')[1] ?? '', value);
}

interface EncryptedIn {
  readonly purpose: Purpose;
  readonly translate: EncryptedLocation['translate'];
}

const all = Object.entries(encryptedLocations).flatMap(([purpose, location]) =>
  location === 'stored nowhere' ? [] : [{...location, purpose: purpose as Purpose}],
);
const ofWorkspaces = all.flatMap(({where, ...rest}) => ('names' in where ? [{...where, ...rest}] : []));

/** The hashes of the installation with encrypted texts. */
export const encryptedHashes: readonly (EncryptedIn & {readonly hash: () => Key<'hash'>})[] = all.flatMap(
  ({where, ...rest}) => ('hash' in where ? [{...where, ...rest}] : []),
);

/** Returns how a string of a workspace is encrypted, by its name; undefined if it is not. */
export function findEncryption(name: string): EncryptedIn | undefined {
  return ofWorkspaces.find(({names}) => names.test(name));
}
