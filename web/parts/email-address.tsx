import type {Member} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';
import {Badge} from './badge.tsx';
import {hasFeature} from './features.ts';

/** Shows the address of a member, and whether mails arrive there. */
export function EmailAddress({member: {email, email_status: status}}: {readonly member: Member}) {
  const t = texts.people.email;
  return (
    <>
      <span className="wrap-anywhere">{email}</span>{' '}
      {status === 'refused' && <Badge tone="missed">{t.refused}</Badge>}
      {status === 'unproven' && hasFeature('mail') && <Badge>{t.unproven}</Badge>}
    </>
  );
}
