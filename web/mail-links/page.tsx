import {useEffect, useState} from 'react';
import {takeLink} from '../parts/take-link.ts';
import {ReminderPage} from './reminder-page.tsx';
import {UnsubscribePage} from './unsubscribe-page.tsx';

/** The beginning of a link that unsubscribes, as in src/dashboard/mail-links.ts. */
const unsubscribes = 'stop.';

/** The page of the links in mails to members. The first paint has room for one such route. */
export function MailLinkPage() {
  const [link, setLink] = useState(takeLink);
  useEffect(() => {
    const onHash = (): void => setLink(takeLink);
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  return link?.startsWith(unsubscribes) ? (
    <UnsubscribePage key={link} token={link.slice(unsubscribes.length)} />
  ) : (
    <ReminderPage key={link} token={link} />
  );
}
