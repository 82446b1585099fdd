import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {Services} from '../../../service/services.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {Language} from '../../texts/translation.js';
import {type SlackTranslation, getTranslationForLocale} from '../blocks/slack-translation.js';
import type {SlackClients} from './clients.js';
import type {Newcomers} from './newcomers.js';
import {resolveWithin} from './resolve-within.js';
import {keyOfUser} from './origin.js';

interface Person {
  readonly id: string;
  readonly name: string;
}

const maxKept = 10_000;
/** The maximum time until a changed language in Slack takes effect. */
const knownMs = 10 * 60_000;
/** The time until an unknown language is looked up again. */
const unknownMs = 60_000;
const lookMs = 2_000;
const hourMs = 3_600_000;

/** Looks in the store first. A new person's locale comes with their profile, so Slack is asked only once. */
export function createTranslationFinder({
  people,
  installations,
  clients,
  newcomers,
  language,
  waitMs,
}: {
  readonly people: Pick<Services['people'], 'findSlackLocale'>;
  readonly installations: Pick<SlackInstallations, 'find'>;
  readonly clients: Pick<SlackClients, 'interactive'>;
  readonly newcomers: Pick<Newcomers, 'find'>;
  /** The language for people whose language is unknown or not translated. */
  readonly language: Language;
  /** The maximum time (ms) for which a person waits for their translation. */
  readonly waitMs: number;
}) {
  /** The locale of each person, or that it is unknown. A look-up in progress is cached too. */
  const locales = createCache<Promise<string | undefined>>(maxKept);

  async function lookUpLocale(origin: SlackOrigin, user: Person): Promise<string | undefined> {
    const deadline = performance.now() + lookMs;
    const installation = await installations.find(origin, deadline);
    const stored = await people.findSlackLocale({workspace: installation.workspace, deadline}, user.id);
    if (stored !== undefined) return stored;
    const bot = {installation, client: clients.interactive(installation), origin};
    return (await newcomers.find(bot, user, {knownMs: hourMs}))?.locale;
  }

  function findLocale(origin: SlackOrigin, user: Person): Promise<string | undefined> {
    const key = keyOfUser(origin, user.id);
    const known = locales.get(key);
    if (known !== undefined) return known;
    const looking = lookUpLocale(origin, user).catch(() => undefined);
    locales.set(key, looking, {ttl: unknownMs});
    void looking.then((locale) => locale !== undefined && locales.set(key, looking, {ttl: knownMs}));
    return looking;
  }

  /** Finds the translation for a person, by the language of their Slack. Never rejects. */
  return async (origin: SlackOrigin, user: Person): Promise<SlackTranslation> =>
    getTranslationForLocale(await resolveWithin(findLocale(origin, user), waitMs), language);
}
