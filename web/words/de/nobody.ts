import type {nobody as english} from '../en/nobody.ts';

export const nobody: typeof english = {
  empty: {
    title: 'In diesem Team ist noch niemand',
    owner: 'Tritt selbst bei, um zu beginnen. Andere fügst du in den Einstellungen hinzu.',
    lead: 'Leitende, Inhaber und Admins nehmen in den Einstellungen auf.',
    join: 'Diesem Team beitreten',
  },
  slackJoins: 'In Slack tritt bei, wer im Kanal eines Teams schreibt.',
  noTeam: {
    title: 'Du bist noch in keinem Team',
    text: 'Bitte jemanden, der ein Team leitet, dich aufzunehmen. Ansehen kannst du jedes Team.',
    owner: 'Öffne ein Team und tritt bei, oder sieh nach, wie es ihm geht.',
    noTeams: 'Der Workspace hat noch kein Team. Lege das erste an: Du leitest es und fügst Personen hinzu.',
    more: 'Es gibt mehr: suche sie nach Namen.',
  },
};
