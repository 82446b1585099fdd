import {z} from 'zod';
import {type Infer, open} from '../core/schemas.js';

/** The steps by which a team gets going, in order, each as an act. True: the step is optional. */
const steps = {
  team: {act: 'create your team', optional: false},
  workspace: {act: 'name your workspace', optional: false},
  you: {act: 'say who you are', optional: false},
  timezone: {act: 'set your time zone', optional: false},
  sign_in: {act: 'make sure you can sign in again', optional: false},
  invite: {act: 'invite your team', optional: false},
  schedule: {act: 'choose a schedule', optional: false},
  questions: {act: 'choose your questions', optional: true},
  first_standup: {act: 'post the first update', optional: false},
  slack: {act: 'connect Slack', optional: true},
  webhook: {act: 'send updates to your tools', optional: true},
} as const;

export type SetupStep = keyof typeof steps;

/** `done`, `open`, or `off`: this installation does not offer it. */
export type SetupState = 'done' | 'open' | 'off';

export const setupSchema = z
  .object({
    object: z.literal('setup'),
    next: open<SetupStep>({
      description: 'The first open step that is not optional. Null: there is none.',
    }).nullable(),
    steps: z.array(
      z.object({
        step: open<SetupStep>({
          examples: ['invite'],
          description: `The step: ${Object.keys(steps)
            .map((step) => `\`${step}\``)
            .join(', ')}. More values may be added.`,
        }),
        state: open<SetupState>({
          description:
            'The state: `done`, `open`, or `off` if this installation does not offer it. More values may be added.',
        }),
        optional: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'Setup',
    description: 'The steps by which a team gets going, in order, as the data of the workspace has them now.',
  });

export type Setup = Infer<typeof setupSchema>;

/** The name of the owner that the first start creates. */
export const firstOwnerName = 'Owner';

/** Creates the list of steps from their states. A step without a state does not concern the caller. */
export function createSetup(states: Partial<Readonly<Record<SetupStep, SetupState>>>): Setup {
  const all = (Object.keys(steps) as SetupStep[]).flatMap((step) => {
    const state = states[step];
    return state === undefined ? [] : [{step, state, optional: steps[step].optional}];
  });
  const next = all.find(({state, optional}) => state === 'open' && !optional)?.step ?? null;
  return {object: 'setup', next, steps: all};
}

/** Returns the next step as an act, with the progress; undefined if nothing is left to do. */
export function describeNextStep({next, steps: all}: Setup): string | undefined {
  if (next === null) return undefined;
  const needed = all.filter(({state, optional}) => state !== 'off' && !optional);
  const done = needed.filter(({state}) => state === 'done').length;
  return `${steps[next].act} (${done} of ${needed.length} done)`;
}
