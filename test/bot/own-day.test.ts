import {expect, it} from '@jest/globals';
import {createZones} from '../../src/calendar/zones.js';
import {findRequester} from '../../src/bot/slack/away/away.js';

const zones = createZones();
/** The 24th in Auckland, the 23rd in Los Angeles. */
const now = Date.parse('2026-11-23T18:00:00Z');

async function dayOf(own: string | null, teams: readonly string[]): Promise<string> {
  const parts = {
    identities: {
      answerBy: () => 0,
      findSlackWorkspace: async () => ({}),
      admit: async () => ({principal: {id: 'mem_ada'}}),
      listTeams: async () => teams.map((timezone) => ({timezone})),
    },
    services: {
      members: {findMember: async () => ({timezone: own})},
      teams: {narrowDirectory: async () => undefined},
    },
    calendar: zones,
    now: () => now,
  };
  return (await findRequester(parts as never, {} as never)).today;
}

it.each([
  ['by their own clock, wherever their team is', 'Pacific/Auckland', ['America/Los_Angeles'], '2026-11-24'],
  ['by the clock of their first team where they have none', null, ['Pacific/Auckland', 'UTC'], '2026-11-24'],
  ['in UTC where they are in no team either', null, [], '2026-11-23'],
])('the day of an absence that a person enters is counted %s', async (_, own, teams, day) => {
  expect(await dayOf(own, teams)).toBe(day);
});
