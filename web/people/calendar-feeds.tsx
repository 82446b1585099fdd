import {send} from '../api/send.ts';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {SecretAddresses} from '../parts/secret-addresses.tsx';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

/** The secret addresses of the viewer's calendar: lists, creates and revokes them. */
export function CalendarFeeds() {
  const {calendar: t} = texts.people.settings;
  return (
    <ConfirmFirst scope="tokens:manage">
      <SecretAddresses
        icon="calendar"
        kind="calendar"
        make={() => send('post', '/v1/calendar-feeds', {body: {}})}
        say={{
          ...t,
          describe: ({created_at: madeAt}, used) =>
            `${t.madeAt({when: formatTimeSince(madeAt)})} · ${used === undefined ? t.notRead : t.read({when: used})}`,
        }}
      />
    </ConfirmFirst>
  );
}
