import type {BlockAction, ButtonAction, DatepickerAction, StaticSelectAction} from '@slack/bolt';
import {LRUCache} from 'lru-cache';
import {changeBlocker} from '../blockers/change-blocker.js';
import {makeLink} from '../commands/web.js';
import {openForm} from '../form/open-form.js';
import {showHistory} from '../history/show-history.js';
import {type Kit, originOf, type Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {respondByView} from '../door/respond-by-view.js';
import {openTeamSettings} from '../setup/open-settings.js';
import type {SlackUser} from '../door/visitors.js';
import {firstPage, parsePage} from './home-view.js';
import type {Homes} from './homes.js';
import {leaveTeam} from './leave-team.js';
import {goAway, returnHome} from './switch-away.js';

/** Events seen: Slack sends one again that it thinks was not taken. */
const maxEvents = 5_000;

/** The Home tab: opened, and everything on it. */
export function listenToHome(kit: Kit, homes: Homes): void {
  const {bolt, visitors, log, drawReference} = kit;
  const seen = new LRUCache<string, true>({max: maxEvents, ttl: 3_600_000});

  bolt.event('app_home_opened', async ({event, body}) => {
    if (event.tab !== 'home' || seen.has(body.event_id)) return;
    seen.set(body.event_id, true);
    const origin = originOf(body);
    const {hash} = (event.view ?? {}) as {readonly hash?: string};
    await inBackground(() =>
      homes.show(origin, {id: event.user, name: ''}, {page: firstPage, ...(hash !== undefined && {hash})}),
    );
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

  /** What has become of it is told at the top of the Home, which is read again. */
  function tellOf(visit: Visit, change: Promise<string>): Promise<void> {
    const notice = change.catch(
      (error: unknown) => explain(error, log, drawReference(), visit.reader.words).sentence,
    );
    return homes.show(visit.origin, visit.user, {notice});
  }

  /** A button, the choice of a menu, or a day: acknowledged at once, for what follows is a view. */
  function onAction(id: string, act: (visit: Visit, value: string) => Promise<void>): void {
    bolt.action<BlockAction<ButtonAction | StaticSelectAction | DatepickerAction>>(
      {type: 'block_actions', action_id: id},
      async ({body, action, ack}) => {
        await kit.answering(ack, undefined, async (answer) => {
          await answer();
          const origin = originOf(body);
          const user: SlackUser = {id: body.user.id, name: body.user.name ?? body.user.username};
          const visit: Visit = {
            origin,
            user,
            channel: '',
            triggerId: body.trigger_id,
            reader: visitors.readerOf(origin, user),
            byView: true,
            respond: respondByView(kit, {origin, user, triggerId: body.trigger_id}),
          };
          await act(visit, valueOf(action) ?? '');
        });
      },
    );
  }

  async function inBackground(work: () => Promise<void>): Promise<void> {
    await kit.answering(async () => {}, undefined, work);
  }
}

function valueOf(action: ButtonAction | StaticSelectAction | DatepickerAction): string | null | undefined {
  if ('selected_option' in action) return action.selected_option.value;
  return 'selected_date' in action ? action.selected_date : action.value;
}
