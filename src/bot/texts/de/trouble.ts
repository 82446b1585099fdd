import {createPlural} from '../plural.js';
import type {Texts} from '../catalogue.js';

const plural = createPlural('de');

function countMessages(standups: number, reports: number): string {
  const counted = [
    ...(standups > 0 || reports === 0 ? [plural(standups, {one: '# Standup', other: '# Standups'})] : []),
    ...(reports > 0 ? [plural(reports, {one: '# Bericht', other: '# Berichte'})] : []),
  ];
  return counted.join(' und ');
}

export const trouble: Texts['trouble'] = {
  notShown: (team, channel) => `Ich kann Standups und Berichte von ${team} nicht in ${channel} posten.`,
  fix: (fix, channel, code) => `${fix} (Slack meldet ${code} für ${channel}.)`,
  fixes: {
    notIn: (bot) => `Ich bin nicht im Channel. Gib dort /invite @${bot} ein.`,
    notFound: (bot) =>
      `Der Channel wurde gelöscht, oder er ist privat und ich bin nicht darin. Gib dort /invite @${bot} ein oder wähle in den Einstellungen einen anderen Channel.`,
    archived:
      'Er ist archiviert. Stelle ihn wieder her oder wähle in den Einstellungen einen anderen Channel.',
    scope: 'Der App fehlt eine Berechtigung. Installiere sie aus ihrem Manifest neu.',
    token: 'Slack akzeptiert das Token der App nicht mehr. Installiere die App neu.',
    other:
      'Slack lässt die App dort nicht posten. Frag einen Slack-Admin oder wähle in den Einstellungen einen anderen Channel.',
  },
  kept: (at) => `Nichts geht verloren, und ich versuche es weiter. Letzter Versuch: ${at}.`,
  solved: (team, channel, {standups, reports, held}) =>
    `Gelöst. Ich habe ${countMessages(standups, reports)} von ${team} in ${channel} gepostet${held > 0 ? `, ${plural(held, {one: '# kommt noch', other: '# kommen noch'})}` : ''}.`,
  lost: (team, channel, {standups, reports, count}) =>
    `In ${channel} ${plural(count, {one: 'fehlt', other: 'fehlen'})} vielleicht ${countMessages(standups, reports)} von ${team}. Sieh zuerst dort nach. „Erneut posten“ postet ${plural(count, {one: 'es', other: 'sie'})} noch einmal.`,
  over: (team, channel) => `Ich kann Standups und Berichte von ${team} wieder in ${channel} posten.`,
  tryAgain: 'Erneut versuchen',
  postAgain: 'Erneut posten',
  trying: 'Neuer Versuch. Das Ergebnis erscheint in der Nachricht oben.',
};
