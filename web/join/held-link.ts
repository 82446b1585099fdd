import {readTabItem, storeTabItem} from '../api/storage.ts';
import {takeLink} from '../parts/take-link.ts';

/** The link of an invite, and the key with which a join whose answer was lost is finished. */
export interface HeldLink {
  readonly link: string;
  readonly key: string;
}

const name = 'standup:join';

/**
 * Returns the link in the page's address, or the one that this tab holds from before a reload or a sign-in. A
 * key belongs to its link, so that a repeat finishes what was begun.
 */
export function holdLink(): HeldLink | undefined {
  const [link = '', key = ''] = readTabItem(name)?.split(' ') ?? [];
  const given = takeLink();
  if (given === undefined || given === link) return link === '' ? undefined : {link, key};
  const held = {link: given, key: createJoinKey()};
  storeTabItem(name, `${held.link} ${held.key}`);
  return held;
}

export function dropLink(): void {
  storeTabItem(name, undefined);
}

/** Creates 128 random bits in base64url. */
function createJoinKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
