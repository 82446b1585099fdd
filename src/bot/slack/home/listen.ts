import {createCache} from '../../../domain/core/cache.js';
import {changeBlocker} from '../blockers/change-blocker.js';
import {makeLink} from '../commands/web.js';
import {openForm} from '../form/open-form.js';
import {showHistory} from '../history/show-history.js';
import {listenToButton, listenToEvent} from '../door/listeners.js';
import type {Kit, Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {openTeamSettings} from '../setup/open-settings.js';
import {firstPage, parsePage} from './home-view.js';
import type {Homes} from './homes.js';
import {leaveTeam} from './leave-team.js';
import {goAway, returnHome} from './switch-away.js';

/** The number of events remembered: Slack resends one that it thinks was not taken. */
const maxEvents = 5_000;

/** The Home tab: opened, and everything on it. */
export function listenToHome(kit: Kit, homes: Homes): void {
  const seen = createCache<true>(maxEvents, 3_600_000);

  listenToEvent(kit, 'app_home_opened', async ({event, body, origin}) => {
    if (event.tab !== 'home' || seen.has(body.event_id)) return;
    seen.set(body.event_id, true);
    const {hash} = (event.view ?? {}) as {readonly hash?: string};
    const wish = {page: firstPage, ...(hash !== undefined && {hash})};
    await homes.show(origin, {id: event.user, name: ''}, wish);
  });

  onAction(actions.homeAgain, (visit) => homes.show(visit.origin, visit.user));
  for (const way of [actions.homeEarlier, actions.homeFurther]) {
    onAction(way, ({origin, user}, value) => homes.show(origin, user, {page: parsePage(value)}));
  }
  onAction(actions.homePost, (visit, team) => openForm(kit, visit, {mode: 'auto', team}));
  onAction(actions.homeEdit, (visit, standup) => openForm(kit, visit, {mode: 'edit', standup}));
  onAction(actions.homeHistory, async (visit) => visit.respond(await showHistory(kit, visit)));
  onAction(actions.openDashboard, async (visit) => visit.respond(await makeLink(kit, visit)));
  onAction(actions.homeSettings, (visit, team) => openTeamSettings(kit, visit, team));
  onAction(actions.homeLeave, (visit, team) => tellOf(visit, leaveTeam(kit, visit, team)));
  onAction(actions.homeAway, (visit) => tellOf(visit, goAway(kit, visit, undefined)));
  onAction(actions.homeAwayUntil, (visit, date) => tellOf(visit, goAway(kit, visit, date || undefined)));
  onAction(actions.homeBack, (visit) => tellOf(visit, returnHome(kit, visit)));
  onAction(actions.homeResolve, (visit, blocker) =>
    homes.show(visit.origin, visit.user, {notice: changeBlocker(kit, visit, blocker, 'resolved')}),
  );

  /** Shows the outcome at the top of the Home, which is read again. */
  function tellOf(visit: Visit, change: Promise<string>): Promise<void> {
    const notice = change.catch(
      (error: unknown) => explain(error, kit.log, kit.drawReference(), visit.reader.words).sentence,
    );
    return homes.show(visit.origin, visit.user, {notice});
  }

  /** Acknowledges at once, since the result is a view. */
  function onAction(name: string, act: (visit: Visit, text: string) => Promise<void>): void {
    listenToButton(
      kit,
      name,
      async ({visit, text}, answer) => {
        await answer();
        await act(visit, text);
      },
      'view',
    );
  }
}
