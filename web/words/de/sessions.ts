import type {sessions as english} from '../en/sessions.ts';

export const sessions: typeof english = {
  title: 'Sitzungen',
  sub: 'Wo du angemeldet bist. Eine Sitzung endet nach 30 Tagen, oder wenn sie 7 Tage nicht benutzt wurde.',
  here: 'Dieser Browser',
  signedIn: (when) => `Angemeldet ${when}`,
  used: (when) => `benutzt ${when}`,
  notUsed: 'noch nicht benutzt',
  by: (name) => `durch einen Link von ${name}`,
  end: 'Abmelden',
  ended: (name) => `${name} ist abgemeldet.`,
  everywhere: 'Überall abmelden',
  everywhereHint: 'Beendet alle deine Sitzungen, auch diese, und deine unbenutzten Anmelde-Links.',
  links: {
    title: 'Anmelde-Links',
    text: 'Ein Link gilt einmal, 10 Minuten lang. Wer ihn öffnet, ist als diese Person angemeldet: gib ihn niemand anderem.',
    own: 'Link für einen anderen Browser von mir',
    other: 'Link für ein Mitglied',
    member: 'Link für jemand anderen',
    memberHint: 'E-Mail-Adresse oder Id der Person. Schick ihr den Link: er meldet sie hier an.',
    make: 'Link machen',
    for: (name) => `Für ${name}, nur jetzt zu sehen:`,
    copy: 'Kopieren',
    copied: 'Kopiert.',
  },
  confirm: {
    title: 'Bestätige, dass du es bist',
    text: 'Sitzungen, Links und Zugangstoken sind 15 Minuten nach der Anmeldung zu sehen, damit niemand sie an einem verlassenen Computer ändert.',
    with: (provider) => `Mit ${provider} bestätigen`,
    link: 'Öffne einen neuen Anmelde-Link in diesem Browser. In Slack gibt dir /standup web einen.',
  },
};
