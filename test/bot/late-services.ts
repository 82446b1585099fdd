import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';

/** Starts a bot whose requests learn their workspace only after `release`, as from a slow store. */
export async function startLateSlack(): Promise<{slow: SlackHarness; release: () => void}> {
  const {promise: gate, resolve: release} = Promise.withResolvers<void>();
  const slow = await startSlack({
    timeouts: standardTimeouts,
    services: (services) => ({
      ...services,
      workspaces: {
        ...services.workspaces,
        chooseWorkspace: async (...args) => {
          await gate;
          return services.workspaces.chooseWorkspace(...args);
        },
      },
    }),
  });
  return {slow, release};
}
