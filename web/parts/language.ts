import {send} from '../api/send.ts';
import {storeItem, readItem} from '../api/storage.ts';
import type {Language} from '../texts/texts.ts';

const kept = 'standup:language';

export function readLanguage(): string | null {
  return readItem(kept);
}

/** Stores the chosen language here, and with the member for e-mails, and reloads the page in it. */
export async function storeLanguage(locale: Language): Promise<void> {
  storeItem(kept, locale);
  const signal = AbortSignal.timeout(2_000);
  await send('patch', '/v1/members/{member}', {member: 'me', body: {locale}, signal}).catch(() => undefined);
  location.reload();
}
