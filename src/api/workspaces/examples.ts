import {createSetup} from '../../domain/workspaces/setup.js';
import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

/** An example of a workspace as events show it. */
export const workspace = {
  id: exampleIds.workspace,
  object: 'workspace',
  slug: 'example',
  name: 'Example Inc',
  retention_days: null,
  leads_invite: true,
  away_emoji: [':palm_tree:', ':face_with_thermometer:', ':no_entry:'],
  revision: 2,
  created_at: '2026-01-05T09:00:00.500Z',
  updated_at: '2026-11-23T09:00:00.000Z',
};

const shown = {
  ...workspace,
  slack: {connected: true},
  storage: {used_bytes: 12_582_912, limit_bytes: 1_073_741_824},
};

export const workspaceExamples: Examples = {
  getWorkspace: {answer: shown},
  changeWorkspace: {body: {name: workspace.name}, answer: shown},
  getSetup: {
    answer: createSetup({
      team: 'done',
      workspace: 'done',
      you: 'done',
      timezone: 'done',
      sign_in: 'off',
      invite: 'open',
      schedule: 'open',
      questions: 'open',
      first_standup: 'open',
      slack: 'off',
      webhook: 'open',
    }),
  },
};
