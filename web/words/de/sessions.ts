import type {sessions as english} from '../en/sessions.ts';

export const sessions: typeof english = {
  title: 'Sitzungen',
  sub: 'Wo Sie angemeldet sind. Eine Sitzung gilt 30 Tage, oder bis sie 7 Tage nicht benutzt wurde.',
  here: 'Dieser Browser',
  signedIn: (when) => `Angemeldet ${when}`,
  used: (when) => `benutzt ${when}`,
  notUsed: 'noch nicht benutzt',
  by: (name) => `durch einen Link von ${name}`,
  end: 'Abmelden',
  ended: (name) => `${name} ist abgemeldet.`,
  everywhere: 'Überall abmelden',
  everywhereHint: 'Beendet alle Ihre Sitzungen, auch diese, und Ihre unbenutzten Anmelde-Links.',
  links: {
    title: 'Anmelde-Links',
    text: 'Ein Link gilt einmal, 10 Minuten lang. Wer ihn hat, ist als sein Mitglied angemeldet: geben Sie ihn niemand anderem.',
    own: 'Link für einen anderen Browser von mir',
    other: 'Link für ein Mitglied',
    member: 'Mitglied',
    memberHint: 'E-Mail-Adresse oder Id',
    make: 'Link machen',
    for: (name) => `Für ${name}, nur jetzt zu sehen:`,
    copy: 'Kopieren',
    copied: 'Kopiert.',
  },
  confirm: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Sitzungen, Links und Zugangstoken sind 15 Minuten nach der Anmeldung zu sehen, damit niemand sie an einem verlassenen Computer ändert.',
    with: (provider) => `Mit ${provider} bestätigen`,
    link: 'Öffnen Sie einen neuen Anmelde-Link in diesem Browser. In Slack gibt Ihnen /standup web einen.',
  },
};
