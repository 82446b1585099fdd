import {createPlural} from '../plural.js';

const plural = createPlural('en');

/** The request for a standup when it opens, and before it closes. */
export const ask = {
  opened: (teams: number) =>
    plural(teams, {
      one: 'Your standup is open.',
      other: 'Your standups are open.',
    }),
  moved: 'Asked again below.',
  edit: 'Edit',
  editFor: (team: string) => `Edit ${team}`,
  when: 'When I am asked',
  whenHint: 'Each time you get one message for all your teams.',
  times: {
    team: 'As each of my teams says',
    opening: 'When a standup opens',
    before_closing: 'Before it closes',
    both: 'When it opens, and again before it closes',
  },
};
