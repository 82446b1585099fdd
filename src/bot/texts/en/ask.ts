import {createPlural} from '../plural.js';

const plural = createPlural('en');

/** The request for a standup when it opens, and before it closes. */
export const ask = {
  opened: (teams: number) =>
    plural(teams, {
      one: 'Time for your standup.',
      other: 'Time for your standups.',
    }),
  moved: 'Moved to the message below.',
  edit: 'Edit',
  editFor: (team: string) => `Edit ${team}`,
  when: 'When to ask me',
  whenHint: 'You get one message for all your teams.',
  times: {
    team: 'Same as each team',
    opening: 'When a standup opens',
    before_closing: 'Before it closes',
    both: 'When it opens, and again before it closes',
  },
};
