import type {SlackInstallations} from '../service/slack/slack-installations.js';
import type {Store} from '../store/store.js';
import {callDeadline} from './context.js';

/** The interval (ms) of the sign of life that events are read for Slack. */
const joinEveryMs = 10_000;

export type JoinSlack = (deadline: number) => Promise<void>;

/**
 * Keeps Slack a reader of the event log in each workspace with Slack, because maintenance removes a reader
 * that no process serves. Workspaces that have installed the bot share one sign of life, and each joins by
 * the commit that connects it. If there was none for a day, all of them join again. A workspace by a token
 * of the environment has its own sign of life.
 */
export function createSlackConsumer(
  {events, workspaces, slackInstallations, clock}: Store,
  {listWorkspaces, areInstalled}: Pick<SlackInstallations, 'listWorkspaces' | 'areInstalled'>,
): JoinSlack {
  let joinAt = 0;

  async function joinAll(): Promise<void> {
    for await (const page of listWorkspaces(callDeadline))
      await Promise.all(page.map((workspace) => events.addConsumer(workspace, 'slack', callDeadline())));
  }

  return async (deadline) => {
    // Maintenance decides by the same clock when it removes a reader, even if the clock jumps.
    const now = clock.now();
    if (now < joinAt && now >= joinAt - joinEveryMs) return;
    await workspaces.noteSlackServed(deadline);
    if (!areInstalled || !(await slackInstallations.areRead(now, deadline))) await joinAll();
    if (areInstalled) await slackInstallations.noteRead(now, callDeadline());
    joinAt = now + joinEveryMs;
  };
}
