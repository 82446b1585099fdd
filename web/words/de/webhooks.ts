import type {webhooks as english} from '../en/webhooks.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${new Intl.NumberFormat('de').format(amount)} ${plural('de', amount, {one, other})}`;
const deliveries = (amount: number): string => count(amount, 'Zustellung', 'Zustellungen');
const wait = (amount: number): string => (amount === 1 ? 'wartet' : 'warten');

export const webhooks: typeof english = {
  title: 'Webhooks',
  sub: 'Ereignisse dieses Arbeitsbereichs, an eigene Programme gesendet, sobald sie geschehen.',
  forManagers: {
    title: 'Webhooks sind für die, die den Arbeitsbereich leiten',
    text: 'Sie senden, was alle schreiben, an andere Programme. Frag jemanden mit der Rolle Owner oder Admin.',
  },
  empty: {
    title: 'Noch keine Webhooks',
    text: 'Ein Webhook sendet jedes Ereignis an eine eigene Adresse: signiert, wiederholt bis es angekommen ist, und hier steht es, wenn es nicht ankommt.',
  },
  first: 'Den ersten anlegen',
  list: 'Webhooks',
  more: 'Mehr anzeigen',
  everyEvent: 'alle Ereignisse',
  moreEvents: (more) => `und ${more} weitere`,
  lastResult: 'Letztes Ergebnis',
  never: 'noch nichts gesendet',
  backlog: 'Wartet',
  waiting: (amount) => deliveries(amount),
  nothingWaits: 'nichts',
  standings: {
    well: 'In Ordnung',
    quiet: 'Ruhig',
    unused: 'Noch nicht benutzt',
    waiting: 'Beschäftigt',
    slow: 'Langsam',
    recovering: 'Erholt sich',
    failing: 'Scheitert',
    disabled: 'Ausgeschaltet',
  },
  units: {ms: (amount) => `${amount} ms`, s: (amount) => `${amount} s`},
  dayAt: (day, time) => `${day}, ${time}`,
  said: {
    disabled: {
      user: (since) => `Ausgeschaltet seit ${since}: jemand hat ihn ausgeschaltet.`,
      gone: (since) => `Ausgeschaltet seit ${since}: der Empfänger will nichts mehr haben.`,
      failing: (since) => `Ausgeschaltet seit ${since}: fünf Tage lang war jeder Versuch gescheitert.`,
    },
    held: (amount) => `${deliveries(amount)} ${wait(amount)}, bis er eingeschaltet wird.`,
    unused: 'Noch wurde nichts gesendet: das erste gewünschte Ereignis geht binnen Sekunden hinaus.',
    quiet: (last) =>
      `Im letzten Tag wurde nichts gesendet; der letzte Versuch war ${last} und ist angekommen.`,
    failing: (since, how) => `Scheitert seit ${since}: ${how}.`,
    failures: (amount, how) =>
      amount === 1 ? `der letzte Versuch ${how}` : `die letzten ${amount} Versuche ${how}`,
    mixedFailures: (amount, same, how) =>
      `die letzten ${amount} Versuche scheiterten, ${same === 1 ? 'der letzte' : `die letzten ${same}`} ${how}`,
    opened: (since) => `Geschont seit ${since}, weil zu viele der letzten Versuche scheiterten.`,
    recovering: (since) =>
      `Erholt sich: der Empfänger antwortet wieder, nachdem er ab ${since} geschont wurde.`,
    fewAtATime: (amount) =>
      amount === 0
        ? 'Es wartet nichts mehr.'
        : `${deliveries(amount)} ${amount === 1 ? 'wartet und geht' : 'warten und gehen'} nach und nach hinaus.`,
    waits: (amount) => `${deliveries(amount)} ${wait(amount)}.`,
    waitsForProbe: (amount, next) => `${deliveries(amount)} ${wait(amount)}; nächste Probe ${next}.`,
    waitsForAttempt: (amount, next) => `${deliveries(amount)} ${wait(amount)}; nächster Versuch ${next}.`,
    waitsUntil: (amount, next) => `${deliveries(amount)} ${wait(amount)} bis ${next}.`,
    probe: (next) => `Nächste Probe ${next}.`,
    slow: (usual, most) =>
      `Langsam: die Hälfte der Versuche des letzten Tages dauerte ${usual} oder länger, einer von zwanzig ${most}; nach 15 s gilt einer als gescheitert.`,
    busy: (amount, age) => `Beschäftigt: ${deliveries(amount)} ${wait(amount)}, die älteste seit ${age}.`,
    well: (attempts, share, usual) =>
      `Alles in Ordnung: ${count(attempts, 'Versuch', 'Versuche')} im letzten Tag, ${share} angekommen, die Hälfte davon binnen ${usual}.`,
    again: (attempts, failed) =>
      `Wieder in Ordnung: der letzte Versuch kam an. Von ${count(attempts, 'Versuch', 'Versuchen')} im letzten Tag scheiterten ${failed}.`,
    behind: (events) =>
      `${count(events, 'Ereignis', 'Ereignisse')} ${events === 1 ? 'ist' : 'sind'} noch durchzusehen; sie folgen von selbst.`,
    missed: (events) =>
      `${count(events, 'Ereignis fiel', 'Ereignisse fielen')} aus dem Protokoll, bevor Platz für sie war.`,
  },
  failed: {
    status: (one, status) => `${one ? 'wurde' : 'wurden'} mit ${status ?? '?'} beantwortet`,
    timeout: (one) => (one ? 'dauerte zu lange' : 'dauerten zu lange'),
    dns_failed: (one) => (one ? 'fand den Host nicht' : 'fanden den Host nicht'),
    connection_failed: (one) => `${one ? 'bekam' : 'bekamen'} keine Verbindung`,
    connection_closed: (one) => `${one ? 'wurde' : 'wurden'} vor dem Ende der Antwort abgeschnitten`,
    tls_failed: (one) => (one ? 'scheiterte an TLS' : 'scheiterten an TLS'),
    invalid_response: (one) => `${one ? 'bekam' : 'bekamen'} eine Antwort, die kein HTTP ist`,
    proxy_failed: (one) => `${one ? 'scheiterte' : 'scheiterten'} am Proxy dieses Dienstes`,
    other: (one) => (one ? 'scheiterte' : 'scheiterten'),
  },
  outcomes: {
    status: (status) => `beantwortet mit ${status ?? '?'}`,
    timeout: 'dauerte zu lange',
    dns_failed: 'Host nicht gefunden',
    connection_failed: 'keine Verbindung',
    connection_closed: 'Verbindung abgebrochen',
    tls_failed: 'TLS gescheitert',
    invalid_response: 'kein HTTP',
    proxy_failed: 'unser Proxy scheiterte',
    other: 'gescheitert',
  },
  hours: {
    title: 'Die letzten 25 Stunden',
    hint: 'Versuche nach Stunden; wähle eine, um ihre Zustellungen zu sehen. Pfeiltasten gehen von Stunde zu Stunde.',
    bar: (time, succeeded, failed) => `${time}: ${succeeded} angekommen, ${failed} gescheitert`,
    none: 'Keine Versuche in dieser Zeit.',
    most: (amount) => `bis zu ${count(amount, 'Versuch', 'Versuche')} in der Stunde`,
    asTable: 'Als Tabelle',
    hour: 'Stunde',
    succeeded: 'Angekommen',
    failed: 'Gescheitert',
    why: 'Warum',
    otherStatus: 'kein 2xx',
    half: 'Hälfte binnen',
    most95: '95 % binnen',
  },
  deliveries: {
    title: 'Zustellungen',
    filters: 'Filter',
    state: 'Zustand',
    everyState: 'Jeder Zustand',
    type: 'Art des Ereignisses',
    everyType: 'Alle Arten',
    time: 'Zeit',
    anyTime: 'Jederzeit',
    times: {hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage'},
    chosenTime: (from, until) => `${from} – ${until}`,
    event: (id) => `Ereignis ${id}`,
    replay: (id) => `Wiederholung ${id}`,
    clear: 'Filter löschen',
    list: 'Zustellungen',
    more: 'Mehr zeigen',
    lookFurther: 'Weiter zurück suchen',
    looked: (amount) =>
      amount === 0
        ? 'Keine unter den bisher durchgesehenen.'
        : `${deliveries(amount)} unter den bisher durchgesehenen.`,
    newer: 'Etwas hat sich geändert: das Neueste zeigen',
    empty: {title: 'Keine Zustellungen', text: 'Noch ist nichts geschehen, was dieser Webhook haben will.'},
    noMatch: {title: 'Keine Zustellung passt', text: 'Lösche die Filter, um alle zu sehen.'},
    attempts: (amount) => count(amount, 'Versuch', 'Versuche'),
    noAttempt: 'noch nicht versucht',
    replayed: 'Wiederholung',
    probe: 'Probe',
    next: (when) => `nächster ${when}`,
    due: 'jetzt fällig',
    states: {
      pending: 'Wartet',
      delivering: 'Unterwegs',
      succeeded: 'Zugestellt',
      retrying: 'Neuer Versuch',
      exhausted: 'Aufgegeben',
      aborted: 'Abgelehnt',
      expired: 'Abgelaufen',
      held: 'Angehalten',
    },
  },
  waterfall: {
    title: 'Versuche',
    openEvent: 'Ereignis öffnen',
    phases: {
      dns: 'Name',
      tcp: 'Verbinden',
      tls: 'TLS',
      connect: 'Verbindung',
      wait: 'Warten',
      body: 'Inhalt',
    },
    phase: (name, took) => `${name} ${took}`,
    kept: 'offene Verbindung',
    axis: 'Zeit seit Beginn jedes Versuchs, in logarithmischem Maßstab',
    attempt: (number) => `Versuch ${number}`,
    took: (what, took) => `${what} nach ${took}`,
    later: (waited) => `${waited} später`,
    next: (when) => `Nächster Versuch ${when}`,
    unknown: (number) => `Das Ende von ${count(number, 'Versuch', 'Versuchen')} wurde nie bekannt.`,
    none: 'Noch nicht versucht.',
    lastOnly: 'Die letzten 100 Versuche werden aufbewahrt.',
    request: 'Anfrage',
    answer: 'Antwort',
    noAnswer: 'Es kam keine Antwort.',
    notKept:
      'Nicht mehr aufbewahrt. Was übertragen wurde, bleibt für die letzten 100 Versuche eines Webhooks, bis jemand gelöscht wird.',
    body: 'Ihr Inhalt ist das Ereignis, Byte für Byte:',
    thinBody: 'Ihr Inhalt ist das Ereignis in schlanker Form:',
    emptyBody: 'Ohne Inhalt.',
    address: (address) => `von ${address}`,
    headers: 'Kopfzeilen',
    delivery: 'Zustellung',
    event: 'Ereignis',
  },
  ofEvent: {
    title: 'Zustellungen',
    none: 'Es ging an keinen Webhook.',
    to: (address) => `an ${address}`,
    more: 'Mehr zeigen',
  },
};
