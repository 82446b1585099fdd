import {createCache} from '../../../domain/core/cache.js';
import {changeBlocker} from '../blockers/standup-blockers.js';
import {createSignInLink} from '../commands/web.js';
import {openForm} from '../form/open-form.js';
import {showHistory} from '../history/history.js';
import {listenToAction, listenToEvent} from '../core/listeners.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {explainError} from '../core/refusals.js';
import {openTeamSettings} from '../setup/open-forms.js';
import {firstPage, parsePage} from './home-view.js';
import type {Homes} from './homes.js';
import {leaveTeam} from '../welcome/welcome.js';
import {startAbsence, endAbsence} from '../away/away.js';

/** The number of events that are remembered, since Slack may send an event again. */
const maxEvents = 5_000;

export function listenToHome(context: SlackContext, homes: Homes): void {
  const seen = createCache<true>(maxEvents, 3_600_000);

  listenToEvent(context, 'app_home_opened', async ({event, body, origin}) => {
    if (event.tab !== 'home' || seen.has(body.event_id)) return;
    seen.set(body.event_id, true);
    const {hash} = (event.view ?? {}) as {readonly hash?: string};
    const wish = {page: firstPage, ...(hash !== undefined && {hash})};
    await homes.show(origin, {id: event.user, name: ''}, wish);
  });

  listen(actions.homeAgain, ({origin, user}) => homes.show(origin, user));
  for (const way of [actions.homeEarlier, actions.homeFurther])
    listen(way, ({origin, user}, value) => homes.show(origin, user, {page: parsePage(value)}));
  listen(actions.homePost, (request, team) => openForm(context, request, {mode: 'auto', team}));
  listen(actions.homeEdit, (request, standup) => openForm(context, request, {mode: 'edit', standup}));
  listen(actions.homeHistory, async (request) => request.respond(await showHistory(context, request)));
  listen(actions.openDashboard, async (request) => request.respond(await createSignInLink(context, request)));
  listen(actions.homeSettings, (request, team) => openTeamSettings(context, request, team));
  listen(actions.homeLeave, (request, team) => showOutcome(request, leaveTeam(context, request, team)));
  listen(actions.homeAway, (request) => showOutcome(request, startAbsence(context, request, undefined)));
  listen(actions.homeAwayUntil, (request, date) =>
    showOutcome(request, startAbsence(context, request, date || undefined)),
  );
  listen(actions.homeBack, (request) => showOutcome(request, endAbsence(context, request)));
  listen(actions.homeResolve, (request, blocker) =>
    homes.show(request.origin, request.user, {notice: changeBlocker(context, request, blocker, 'resolved')}),
  );

  function showOutcome(request: SlackRequest, change: Promise<string>): Promise<void> {
    const notice = change.catch(
      (error: unknown) => explainError(context, error, request.translation.texts).sentence,
    );
    return homes.show(request.origin, request.user, {notice});
  }

  function listen(name: string, act: (request: SlackRequest, text: string) => Promise<void>): void {
    listenToAction(context, name, ({request, text}) => act(request, text), 'view');
  }
}
