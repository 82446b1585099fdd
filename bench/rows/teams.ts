import {computeMedian} from '../figures.js';
import type {Arm} from '../method.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage, createDeadline} from '../stage.js';
import {asId} from '../../test/support/ids.js';

const teams = 500;
/** The member belongs to one in this many teams. */
const every = 25;

/** Measures the search for a member's teams, which the bot makes for each command and form. */
export const teamsOfMember: BenchRow = {
  service: createTeamSearchContender,
  figures: [
    {
      metric: 'ms',
      work: `\`listTeamsOf\` a member of ${teams / every} teams in a workspace of ${teams}`,
      unit: 'ms',
      aim: {atMost: 1},
    },
  ],
  method: {rounds: 3, warmUp: 300},
};

function createTeamSearchContender(bench: Bench, {name}: Build): Arm {
  return {
    name,
    async open(closings) {
      const {core, workspace, operator} = await openStage(bench, closings);
      const {teams: service, members, people} = core.services;
      const {id: member = ''} = await members.createMember(operator(), {name: 'Person'});
      for (let i = 0; i < teams - 1; i += 1) {
        const {id = ''} = await service.createTeam(operator(), {slug: `team-${i}`});
        if (i % every === 0)
          await people.joinTeam(operator(), {id: asId(id), slug: `team-${i}`}, asId(member));
      }
      const directory = await core.store.teams.fresh(workspace, createDeadline());
      return {
        async measure() {
          const times: number[] = [];
          while (times.length < 100) {
            const from = performance.now();
            await people.listTeamsOf({workspace, deadline: createDeadline()}, asId(member), directory.teams);
            times.push(performance.now() - from);
          }
          return {events: times.length, ms: computeMedian(times)};
        },
      };
    },
  };
}
