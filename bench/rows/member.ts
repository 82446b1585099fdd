import {createServiceContender} from '../arms.js';
import {type Post, update} from '../posts.js';
import type {BenchRow} from '../row.js';
import type {BenchStage} from '../stage.js';
import {asId} from '../../test/support/ids.js';

const people = 20;
const half = update.length / 2;

/** The answers of a member to the questions of a team, together as long as the text of a typical post. */
const body = JSON.stringify({
  team: 'engineering',
  answers: [
    {question: 'yesterday', value: update.slice(0, half)},
    {question: 'today', value: update.slice(half)},
    {question: 'blockers', value: 'None'},
  ],
});

/** Compares posts of members during an open run of their team with posts of a service account. */
export const member: BenchRow = {
  service: (bench, build) => createServiceContender(bench, build, {prepare: prepareTeam}),
  peers: (bench) => [createServiceContender(bench, bench.build, {name: 'by a service account'})],
  figures: [
    {
      metric: 'cpu',
      work: 'POST by a member of a team with schedule and questions, CPU of the process',
      unit: 'µs',
      against: 'by a service account',
      aim: {atMost: 1.4},
    },
    {
      metric: 'redisCpu',
      work: 'the same, CPU of Redis',
      unit: 'µs',
      against: 'by a service account',
    },
  ],
};

async function prepareTeam({core, operator}: BenchStage): Promise<() => Post> {
  const {teams, members, people: accounts, tokens, runs} = core.services;
  await teams.createTeam(operator(), {
    slug: 'engineering',
    schedule: {
      frequency: 'weekly',
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      opens: '09:00',
      closes: '17:00',
    },
    questions: [
      {key: 'yesterday', label: 'What did you do?', type: 'text', required: true},
      {key: 'today', label: 'What is next?', type: 'text', required: true},
      {key: 'blockers', label: 'What is in your way?', type: 'text', raises_blocker: true},
    ],
  });
  const team = await teams.findTeam(operator(), 'engineering');
  const posts: Post[] = [];
  for (let i = 0; i < people; i += 1) {
    const {id = ''} = await members.createMember(operator(), {name: `Person ${i}`});
    await accounts.joinTeam(operator(), team, asId(id));
    const holder = {type: 'member', id: asId(id), name: `Person ${i}`} as const;
    const {value: token} = await tokens.issueToken(operator(), {
      name: 'bench',
      holder,
      scopes: ['standups:write'],
    });
    posts.push({token, body});
  }

  await runs.openRun(operator(), 'engineering', {minutes: 600});
  let next = 0;
  return () => posts[next++ % people] ?? {token: '', body};
}
