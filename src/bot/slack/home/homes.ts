import type {HomeView} from '@slack/types';
import {createCache} from '../../../domain/core/cache.js';
import {parseWire} from '../../../domain/core/resource.js';
import {everyScope} from '../../../domain/core/access.js';
import type {TeamMissing} from '../../../domain/runs/missing.js';
import {slackDoorkeeper, type SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {PersonDay} from '../../../service/runs/team-days.js';
import {errorCodeOf} from '../core/clients.js';
import {explainError} from '../core/refusals.js';
import type {SlackAdmins} from '../core/newcomers.js';
import type {SlackUser} from '../core/slack-identities.js';
import {resolveWithin} from '../core/resolve-within.js';
import {
  firstPage,
  type HomePage,
  presentHome,
  presentHomeRefusal,
  presentHomeTrouble,
  roomyTeams,
  teamsOnHome,
} from './home-view.js';
import type {Id} from '../../../domain/core/ids.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {keyOfUser} from '../core/origin.js';
import {findViewer} from '../core/requester.js';
import type {SlackContext} from '../core/context.js';

export interface HomeRequest {
  readonly page?: HomePage;
  /** The outcome of the person's last action. The tab's data is read after that action. Must not reject. */
  readonly notice?: Promise<string>;
  readonly hash?: string | undefined;
}

/** Publishes the Home tabs of people, and remembers in this process who opened theirs recently. */
export type Homes = ReturnType<typeof createHomes>;

interface HomeState {
  page: HomePage;
  /** The hash of the last published view, so that a newer view from another process is not overwritten. */
  hash: string | undefined;
  /** The next request for this Home tab; a later request replaces an earlier one. */
  next: (HomeRequest & {readonly quiet: boolean}) | undefined;
  working: Promise<void> | undefined;
}

const maxHomes = 5_000;
const ledTeams = 3;
const openedForMs = 4 * 3_600_000;
const loadMs = 8_000;

export function createHomes(context: Omit<SlackContext, 'refreshHome'>, slackAdmins: SlackAdmins) {
  const {identities, services, timeouts, log, generateReference} = context;
  const homes = createCache<HomeState>(maxHomes, openedForMs);

  /** Publishes one view at a time for each Home tab, and then only the latest request. */
  function publishInTurn(origin: SlackOrigin, user: SlackUser, home: HomeState): Promise<void> {
    home.working ??= publishAll(origin, user, home)
      .catch((error: unknown) => void explainError(context, error))
      .finally(() => (home.working = undefined));
    return home.working;
  }

  async function publishAll(origin: SlackOrigin, user: SlackUser, home: HomeState): Promise<void> {
    while (home.next !== undefined) {
      const {quiet, page, notice, hash} = home.next;
      home.next = undefined;
      home.page = page ?? home.page;
      home.hash = hash ?? home.hash;
      await publishHome(origin, user, home, {quiet, notice});
    }
  }

  async function publishHome(
    origin: SlackOrigin,
    user: SlackUser,
    home: HomeState,
    {quiet, notice}: {readonly quiet: boolean; readonly notice: Promise<string> | undefined},
  ): Promise<void> {
    const translation = await identities.translationFor(origin, user);
    const loading = loadHome(origin, user, home, {translation, notice});
    if (!quiet && (await resolveWithin(loading, timeouts.home)) === undefined) {
      const reference = generateReference();
      log.warn({reference}, 'showing a Slack Home later: the store is unavailable');
      const {slow, reference: referenceText} = translation.texts.home;
      await sendHomeView(
        origin,
        user,
        home,
        presentHomeTrouble(translation, `${slow} ${referenceText({reference})}`),
      );
    }
    const loaded = await loading;
    if ('view' in loaded) {
      if (await sendHomeView(origin, user, home, loaded.view)) return;
      // Another process has published a newer view, so the data is read again and published over it.
      const again = await loadHome(origin, user, home, {translation, notice});
      if ('view' in again) await sendHomeView(origin, user, home, again.view);
      return;
    }
    const {code, sentence} = explainError(context, loaded.error, translation.texts);
    const shown =
      code === 'forbidden' ? presentHomeRefusal(sentence) : presentHomeTrouble(translation, sentence);
    // A Home tab that the person may no longer see is replaced.
    if (!quiet || code === 'forbidden') await sendHomeView(origin, user, home, shown);
  }

  async function loadHome(
    origin: SlackOrigin,
    user: SlackUser,
    {page}: HomeState,
    {
      translation,
      notice,
    }: {readonly translation: SlackTranslation; readonly notice: Promise<string> | undefined},
  ): Promise<{readonly view: HomeView} | {readonly error: unknown}> {
    const noticeText = await notice;
    const deadline = performance.now() + loadMs;
    try {
      const {member, access} = await findViewer(context, {origin, user}, deadline);
      const [day, reminder] = await Promise.all([
        services.teamDays.findPersonDay(access, member, {from: page.mine, most: teamsOnHome}),
        member === undefined ? undefined : services.findNextReminder(access, member),
      ]);
      const missing = await listMissing(access, day);
      const ungoverned = await lacksAdmin(origin, user, access, day);
      const more = {page, notice: noticeText, reminder, missing, ungoverned};
      return {view: presentHome(translation, day, more)};
    } catch (error) {
      return {error};
    }
  }

  /** Returns the missing members of the first teams that the person leads; more would take too long. */
  async function listMissing(
    call: {readonly workspace: Id<'workspace'>; readonly deadline: number},
    {member, days}: PersonDay,
  ): Promise<TeamMissing[]> {
    if (days.length > roomyTeams) return [];
    const led = days.filter(({role}) => role === 'lead').slice(0, ledTeams);
    return Promise.all(
      led.map(({team}) => services.findMissing({...call, scopes: everyScope}, team.id, member)),
    );
  }

  /** True if no member in Slack is an admin, and this person could be one. */
  async function lacksAdmin(
    origin: SlackOrigin,
    user: SlackUser,
    call: {readonly workspace: Id<'workspace'>; readonly deadline: number},
    {runsWorkspace}: PersonDay,
  ): Promise<boolean> {
    if (runsWorkspace || slackAdmins.count || !slackAdmins.has(origin, user.id)) return false;
    const access = {...call, principal: slackDoorkeeper, scopes: everyScope};
    const found = await Promise.all(
      (['owner', 'admin'] as const).map((role) => services.members.listMembers(access, {role, limit: 100})),
    );
    const people = found.flatMap(({rows}) => rows.map(parseWire));
    return people.every(({slack_user_id: linked}) => linked === null);
  }

  /** Publishes a view. Returns false if another process was faster; the next view then has no hash. */
  async function sendHomeView(
    origin: SlackOrigin,
    user: SlackUser,
    home: HomeState,
    view: HomeView,
  ): Promise<boolean> {
    const {hash} = home;
    home.hash = undefined;
    try {
      const client = await identities.findClient(origin, performance.now() + timeouts.home);
      const answer = await client.views.publish({user_id: user.id, view, ...(hash !== undefined && {hash})});
      home.hash = answer.view?.hash;
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === 'hash_conflict') return false;
      log.warn({reference: generateReference(), code}, 'could not show a Slack Home');
    }
    return true;
  }

  return {
    /** Shows the Home tab to a person who opened it. Never throws. */
    async show(origin: SlackOrigin, user: SlackUser, wish: HomeRequest = {}): Promise<void> {
      const key = keyOfUser(origin, user.id);
      const home = homes.get(key) ?? {page: firstPage, hash: undefined, next: undefined, working: undefined};
      homes.set(key, home);
      home.next = {...wish, quiet: false};
      await publishInTurn(origin, user, home);
    },
    /** Updates the Home tab after an action elsewhere, if the person opened it within the last hours. */
    refresh(origin: SlackOrigin, user: SlackUser): void {
      const home = homes.get(keyOfUser(origin, user.id));
      if (home === undefined) return;
      home.next ??= {quiet: true};
      context.track(publishInTurn(origin, user, home));
    },
  };
}
