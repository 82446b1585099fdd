import type {noMembers as english} from '../en/no-members.ts';

export const noMembers: typeof english = {
  empty: {
    title: 'Dieses Team hat noch keine Mitglieder',
    owner: 'Tritt bei, um loszulegen. Andere fügst du in den Team-Einstellungen hinzu.',
    lead: 'Teamleitung, Inhaber und Admins können in den Team-Einstellungen Personen hinzufügen.',
    join: 'Diesem Team beitreten',
  },
  slackJoins: 'In Slack trittst du einem Team bei, indem du in seinem Channel schreibst.',
  noTeam: {
    title: 'Du bist noch in keinem Team',
    text: 'Bitte eine Teamleitung, dich hinzuzufügen. Lesen kannst du bis dahin jedes Team.',
    owner: 'Öffne ein Team, um beizutreten oder zu sehen, wie es läuft.',
    noTeams: 'Noch keine Teams. Erstelle das erste. Du wirst seine Teamleitung.',
    more: 'Es gibt weitere. Suche nach dem Namen.',
  },
};
