import {spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {addPerson} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {seedRun} from '../support/seed-runs.js';
import type {Json, TestService, TestWorkspace} from '../support/service.js';
import type {Machine, RunOptions} from './machine.js';
import {packCommand} from './pack-command.js';
import {serveDailybot, serveGeekbot, type StandIn} from './vendors.js';

export interface Stage {
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  readonly machine: Machine;
}

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 20)));

/** Describes `standup import` with the real API. The stage is that of the running test. */
export function describeImports(stage: () => Stage): void {
  const standIns: StandIn[] = [];

  afterEach(async () => {
    for (const standIn of standIns.splice(0)) await standIn.close();
  });

  const run = (args: readonly string[], options: RunOptions = {}) =>
    stage().machine.run(args, {input: '', sleep: realSleep, ...options});
  const list = async (): Promise<Json[]> =>
    (await stage().workspace.request('GET', '/v1/standups?limit=100')).body.data;
  const listImports = async (): Promise<Json[]> =>
    (await stage().workspace.request('GET', '/v1/imports')).body.data.filter(
      ({dry_run: isDry}: Json) => !isDry,
    );

  function write(name: string, lines: readonly string[]): string {
    writeFileSync(path.join(stage().machine.home, name), `${lines.join('\n')}\n`);
    return name;
  }

  const head = 'id,date,name,email,team,update';
  const lineOf = (id: number, more = 'Ada,ada@example.com,Platform') =>
    `${id},2024-03-${String((id % 28) + 1).padStart(2, '0')},${more},Did number ${id}.`;
  const writeRows = (count: number, name = 'history.csv') =>
    write(name, [head, ...Array.from({length: count}, (_, id) => lineOf(id))]);
  const stateFiles = () => {
    const {state} = stage().machine;
    return existsSync(state) ? readdirSync(state).filter((name) => name.startsWith('import')) : [];
  };

  describe('standup import', () => {
    beforeEach(async () => {
      const {machine, service, workspace} = stage();
      await machine.run(['login', service.url, '--with-token'], {input: workspace.token});
    });

    it('shows what a file would give, and imports nothing without a terminal and without --yes', async () => {
      const file = write('history.csv', [
        head,
        lineOf(1),
        lineOf(2, 'Bob,,platform'),
        lineOf(3, 'Cleo,,Research'),
        '4,,Ada,ada@example.com,Platform,No date.',
        '5,1999-12-31,Ada,ada@example.com,Platform,Too old.',
        lineOf(1),
      ]);
      const {code, stdout, stderr} = await run(['import', 'csv', file]);
      expect({code, stderr}).toEqual({code: 0, stderr: 'Nothing was imported. Add --yes to import.\n'});
      expect(stdout).toMatch(
        /^TEAM THERE +TEAM HERE +STANDUPS +FROM +UNTIL\nPlatform +platform +3 +1999-12-31 +2024-03-02\n/,
      );
      expect(stdout).toMatch(/\nResearch +\(left out\) +1 +2024-03-04 +2024-03-04\n/);
      for (const text of [
        'The first: 2024-03-02, Platform, Ada: Did number 1.',
        'Columns: id → external_id, date → date, name → author_name, email → author_email, team → team, update → update',
        'LEFT OUT  WHY\n1         without a date (line 5)\n1         of Research, for which no team here is chosen (--team "Research=TEAM" chooses one)\n1         there a second time, with the same id\n1         with a date before 2000 or after tomorrow\n',
        'Members here (1):\n  Ada, ada@example.com: 2',
        'No members here, so they become former members (1). To change that: --people FILE\n  Bob: 1',
        '2 standups would be created.',
      ]) {
        expect(stdout).toContain(text);
      }
      expect(await list()).toEqual([]);
      expect(await listImports()).toEqual([]);
      expect(stateFiles()).toEqual([]);
    });

    it('imports each standup of a file once, with one event, and nothing in a second run', async () => {
      const file = writeRows(250);
      const before = (await eventsOf(stage().workspace)).length;
      const first = await run(['import', 'csv', file, '--yes']);
      expect(first).toMatchObject({code: 0, stderr: ''});
      expect(first.stdout).toMatch(
        /\n250 standups imported\.\nTake it back within 30 days: standup import undo imp_\w+\n$/,
      );
      expect(await listImports()).toMatchObject([
        {state: 'completed', source: 'csv', counts: {created: 250}},
      ]);
      const events = (await eventsOf(stage().workspace)).slice(before);
      expect(events.map(({type}) => type)).toEqual(['import.completed']);
      const second = await run(['import', 'csv', file, '--yes']);
      expect(second.stdout).toMatch(
        /\n250 +imported before\n\n0 standups would be created\.\n\nThere is nothing to import\.\n$/,
      );
      expect(await listImports()).toHaveLength(1);
      expect(stateFiles()).toEqual([]);
      const status = await run(['import', 'status']);
      expect(status.stdout).toMatch(
        /^IMPORT +SOURCE +STATE +BEGUN +CREATED +TAKEN BACK\nimp_\w+ +csv +completed +\S+ +250 +0\n$/,
      );
    });

    it('asks for the team of a team there, and before it imports', async () => {
      const file = write('history.csv', [head, lineOf(1, 'Ada,,Research'), lineOf(2, 'Ada,,Old=Team')]);
      const answers = ['platform', '', 'no'];
      const refused = await run(['import', 'csv', file], {answers, isInteractive: true});
      expect(refused.stderr).toBe(
        'Which team here is Research (1 standup)? platform, or nothing to leave it out: \nWhich team here is Old=Team (1 standup)? platform, or nothing to leave it out: \nImport 1 standup? [y/N] \nNothing was imported.\n',
      );
      expect(await list()).toEqual([]);
      const given = ['--team', 'Old=Team=platform', '--team', 'Research='];
      const done = await run(['import', 'csv', file, ...given], {answers: ['y'], isInteractive: true});
      expect(done.code).toBe(0);
      expect(await list()).toMatchObject([{update: 'Did number 2.', team: 'platform'}]);
      expect(await run(['import', 'csv', file, '--team', 'Research=nowhere'])).toMatchObject({
        code: 3,
        stderr: 'There is no team nowhere. Teams: platform\n',
      });
      expect(await run(['import', 'csv', file, '--team', 'Reserch=platform'])).toMatchObject({
        code: 2,
        stderr: 'The source has no team Reserch. It has: Research, Old=Team\n',
      });
    });

    it('takes who is who from a file of people', async () => {
      const {service, workspace} = stage();
      const grace = await addPerson(service, workspace, {name: 'Grace', email: 'grace@example.com'});
      const rows = [
        `${head},user id`,
        `${lineOf(1, 'Gracie,,Platform')},U7`,
        `${lineOf(2, 'Ada,ada@example.com,Platform')},`,
        `${lineOf(3, 'Eve,eve@example.com,Platform')},`,
        `${lineOf(4, 'Twin,,Platform')},U8`,
        `${lineOf(5, 'Twin,,Platform')},U9`,
      ];
      const file = write('history.csv', rows);
      const people = ['person,member', 'U7,Grace@Example.com', 'ada@example.com,former', 'Eve,leave out'];
      const done = await run(['import', 'csv', file, '--yes', '--people', write('people.csv', people)]);
      expect(done).toMatchObject({code: 0, stderr: ''});
      expect(done.stdout).toContain('Left out (1):\n  Eve, eve@example.com: 1\n');
      const found = await list();
      expect(found.map(({author}) => author.name).toSorted()).toEqual(['Ada', 'Grace', 'Twin', 'Twin']);
      const ids = Object.fromEntries(found.map(({author, update}) => [update, author.id]));
      expect(ids['Did number 1.']).toBe(grace.id);
      expect(ids['Did number 2.']).toMatch(/^mem_0000000000/);
      for (const [line, why] of [
        ['Nobody,former', 'Line 2 of people.csv: Nobody is no person of the source.'],
        ['Twin,former', 'Line 2 of people.csv: 2 people are named Twin: give an address or id.'],
        ['U7,gone@example.com', 'gone@example.com is not the address or the id of a member here'],
        ['"U7', 'people.csv cannot be used. A quote in line 2 is not closed.'],
      ] as const) {
        const wrong = await run([
          'import',
          'csv',
          file,
          '--people',
          write('people.csv', ['person,member', line]),
        ]);
        expect(wrong).toMatchObject({code: 2, stderr: expect.stringContaining(why)});
      }
    });

    it('imports from Geekbot, and records days off that are not over once it is asked to', async () => {
      const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
      const report = {
        standup_id: 1,
        standup_name: 'Platform',
        user_id: 'U1',
        posted_at: '2024-03-14T23:30:00Z',
        is_anonymous: false,
        is_confidential: false,
        answers: [{id: 1, question_id: 1, question: 'What did you do?', answer: 'Shipped it.'}],
      };
      const standIn = await serveGeekbot({
        standups: [
          {
            id: 1,
            name: 'Platform',
            timezone: 'Europe/Berlin',
            members: [{id: 'U1', email: 'ADA@example.com', realname: 'Ada L.'}],
          },
        ],
        reports: [
          {...report, id: 1},
          {...report, id: 2, is_confidential: true},
        ],
        ooo: [{id: 1, user_id: 'U1', start_date: until, end_date: until}],
      });
      standIns.push(standIn);
      const env = {GEEKBOT_URL: standIn.url, GEEKBOT_API_KEY: 'geekbot-key'};
      const done = await run(['import', 'geekbot', '--yes'], {env});
      expect(done).toMatchObject({code: 0, stderr: ''});
      expect(done.stdout).toContain('1         confidential (--confidential takes them)\n');
      expect(done.stdout).toContain('Posted within two hours of midnight: 1.');
      expect(done.stdout).toContain(
        `Days off that are not over:\n  Ada L.: ${until} to ${until}\nTo record them here: --absences\n`,
      );
      expect(await list()).toMatchObject([
        {date: '2024-03-15', author: {name: 'Ada'}, imported: {source: 'geekbot', external_id: '1'}},
      ]);
      const listAbsences = async () => (await stage().workspace.request('GET', '/v1/absences')).body.data;
      expect(await listAbsences()).toEqual([]);
      for (const recorded of [1, 0]) {
        const again = await run(['import', 'geekbot', '--yes', '--absences'], {env});
        expect(again.stdout).toContain(`${recorded} of them are recorded.\n`);
        expect(await listAbsences()).toMatchObject([{from: until, until, member: {name: 'Ada'}}]);
      }
      const {home} = stage().machine;
      const kept = readdirSync(home, {recursive: true, withFileTypes: true}).filter((entry) =>
        entry.isFile(),
      );
      for (const entry of kept)
        expect(readFileSync(path.join(entry.parentPath, entry.name), 'utf8')).not.toContain('geekbot-key');
    });

    it('imports from DailyBot, with the key that a person types', async () => {
      const response = {
        response_date: '2024-03-14',
        created_at: '2024-03-14T07:30:00Z',
        user: {uuid: 'u-1', full_name: 'Ada', email: 'ada@example.com'},
      };
      const standIn = await serveDailybot({
        users: [{uuid: 'u-1', full_name: 'Ada', email: 'ada@example.com'}],
        checkins: [{uuid: 'c-1', name: 'Platform', questions: ['Yesterday?']}],
        responses: {'c-1': [{...response, uuid: 'r-1', responses: [{index: 0, response: 'Shipped it.'}]}]},
      });
      standIns.push(standIn);
      const options = {
        env: {DAILYBOT_URL: standIn.url},
        answers: ['dailybot-key', 'yes'],
        isInteractive: true,
      };
      const done = await run(['import', 'dailybot'], options);
      expect(done.stdout).toContain('DailyBot shows responses of 1 of 1 people to this key.');
      expect(done.stderr).not.toContain('dailybot-key');
      expect(await list()).toMatchObject([{update: 'Yesterday? Shipped it.', author: {name: 'Ada'}}]);
    });

    it('names the days of runs here, and rows with errors', async () => {
      const {service, workspace} = stage();
      await seedRun(service, workspace, {date: '2024-03-02', closes_at: '2024-03-02T11:00:00.000Z'});
      const file = write('history.ndjson', [
        JSON.stringify({
          external_id: '1',
          team: 'platform',
          date: '2024-03-02',
          author: {name: 'Ada'},
          update: 'x',
        }),
        JSON.stringify({
          external_id: '2',
          team: 'platform',
          date: '2024-13-01',
          author: {name: 'Ada'},
          update: 'x',
        }),
        JSON.stringify({
          external_id: '3',
          team: 'platform',
          posted_at: 'then',
          author: {name: 'Ada'},
          update: 'x',
        }),
        JSON.stringify({
          external_id: '4',
          team: 'platform',
          posted_at: '2024-03-03T08:00:00Z',
          timezone: 'Mars/Olympus',
          author: {name: 'Ada'},
          update: 'x',
        }),
        'nothing',
      ]);
      const {code, stdout, stderr} = await run(['import', 'csv', file, '--yes']);
      expect({code, stderr}).toEqual({code: 0, stderr: ''});
      expect(stdout).toContain('1         not a row of an import (line 5)\n');
      expect(stdout).toContain('1         on days on which the team had a run here\n');
      expect(stdout).toMatch(
        /\nError in 2 of Ada: date: .*\nError in 3 of Ada: posted_at: .*\nError in 4 of Ada: timezone: /,
      );
      expect(stdout).toContain('There is nothing to import.\n');
    });

    it('goes on after the service was away, from the request that had no answer', async () => {
      const file = writeRows(450);
      let isAway = false;
      let sent = 0;
      const send = async (request: Request) => {
        const isRows = new URL(request.url).pathname.endsWith('/rows');
        // The first five requests are the dry run's.
        if (isRows && ++sent > 7) isAway = true;
        if (isAway && sent > 8) throw new TypeError('fetch failed');
        const response = await fetch(request);
        if (!isAway) return response;
        sent += 1;
        throw new TypeError('fetch failed');
      };
      const failed = await run(['import', 'csv', file, '--yes'], {send});
      expect(failed.code).toBe(6);
      expect(failed.stderr).toContain(
        'Sent were 200 of 450 standups.\nTo go on: standup import resume\nTo take it back: standup import undo\n',
      );
      const {state} = stage().machine;
      expect(stateFiles()).toHaveLength(2);
      for (const name of stateFiles()) expect(statSync(path.join(state, name)).mode & 0o777).toBe(0o600);
      const other = await run(['import', 'csv', file, '--yes']);
      expect(other).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('An import of csv was interrupted after 200 of 450 standups.'),
      });
      expect((await run(['import', 'status'])).stdout).toContain('200 of 450 standups. To go on:');
      // A kill may leave such a file.
      writeFileSync(path.join(state, 'import-earlier.ndjson'), '[]', {mode: 0o600});
      const resumed = await run(['import', 'resume']);
      expect(resumed).toMatchObject({code: 0, stdout: expect.stringMatching(/^450 standups imported\.\n/)});
      expect(await listImports()).toMatchObject([{counts: {created: 450, existing: 0}, state: 'completed'}]);
      expect(stateFiles()).toEqual([]);
      expect(await run(['import', 'resume'])).toMatchObject({code: 3});
    });

    it('waits for the quota as long as it takes', async () => {
      let refusals = 8;
      const waits: number[] = [];
      const send = async (request: Request) => {
        if (!request.url.endsWith('/rows') || refusals-- <= 0) return fetch(request);
        return new Response('{}', {status: 429, headers: {'retry-after': '45'}});
      };
      const sleep = async (ms: number) => void waits.push(ms);
      const done = await run(['import', 'csv', writeRows(3), '--yes'], {send, sleep});
      expect(done.code).toBe(0);
      expect(waits).toEqual(Array(8).fill(45_000));
      expect(await list()).toHaveLength(3);
    });

    it('takes back an import, and leaves what was edited here', async () => {
      const file = writeRows(30);
      await run(['import', 'csv', file, '--yes']);
      const [{id: edited}] = await list();
      await stage().workspace.request('PATCH', `/v1/standups/${edited}`, {body: {update: 'Edited here.'}});
      const [{id}] = await listImports();
      expect(await run(['import', 'undo'])).toMatchObject({
        code: 0,
        stderr: `Nothing was taken back. Add --yes to take back ${id}.\n`,
      });
      expect(await list()).toHaveLength(30);
      const done = await run(['import', 'undo'], {answers: ['y'], isInteractive: true});
      expect(done.stdout).toBe('29 standups taken back. 1 stay, because they were edited here.\n');
      expect(await list()).toMatchObject([{update: 'Edited here.'}]);
      expect(await run(['import', 'undo', '--yes'])).toMatchObject({code: 3});
      const again = await run(['import', 'csv', file, '--yes', '--json']);
      expect(JSON.parse(again.stdout)).toMatchObject({object: 'import', counts: {created: 29}});
    });

    it('takes back an import that was interrupted, and forgets it', async () => {
      const file = writeRows(150);
      let sent = 0;
      const send = async (request: Request) => {
        if (request.url.endsWith('/rows') && ++sent > 3) throw new TypeError('fetch failed');
        return fetch(request);
      };
      expect(await run(['import', 'csv', file, '--yes'], {send})).toMatchObject({code: 6});
      expect(await list()).toHaveLength(100);
      const undone = await run(['import', 'undo', '--yes']);
      expect(undone).toMatchObject({code: 0, stdout: '100 standups taken back.\n'});
      expect(stateFiles()).toEqual([]);
      expect(await list()).toEqual([]);
    });

    it('says so when an interrupted import was ended elsewhere, and can begin again', async () => {
      const file = writeRows(150);
      let sent = 0;
      const send = async (request: Request) => {
        if (request.url.endsWith('/rows') && ++sent > 3) throw new TypeError('fetch failed');
        return fetch(request);
      };
      await run(['import', 'csv', file, '--yes'], {send});
      const [{id}] = await listImports();
      await stage().workspace.request('DELETE', `/v1/imports/${id}`);
      expect(await run(['import', 'resume'])).toMatchObject({
        code: 1,
        stderr:
          'The import is cancelled, and takes no more rows. Begin again: what is here already is not created twice.\n',
      });
      expect((await run(['import', 'csv', file, '--yes'])).stdout).toContain('50 standups imported.\n');
      expect(await list()).toHaveLength(100);
      expect(
        (await stage().workspace.request('GET', '/v1/standups?limit=100&order=asc')).body.data,
      ).toHaveLength(100);
    });

    it('does not go on with the import of another sign-in', async () => {
      const {machine, service, workspace} = stage();
      const file = writeRows(150);
      const send = async (request: Request) => {
        if (request.url.endsWith('/finish') && stateFiles().length > 0) throw new TypeError('fetch failed');
        return fetch(request);
      };
      expect(await run(['import', 'csv', file, '--yes'], {send})).toMatchObject({code: 6});
      const other = await addPerson(service, workspace, {name: 'Eve', role: 'admin'});
      await machine.run(['login', service.url, '--with-token'], {input: other.token});
      expect(await run(['import', 'resume'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('another sign-in'),
      });
    });

    it('prints the answer of the API alone with --json', async () => {
      const file = writeRows(2);
      const dry = await run(['import', 'csv', file, '--json', '--dry-run']);
      expect(JSON.parse(dry.stdout)).toMatchObject({object: 'import', dry_run: true, counts: {created: 2}});
      expect(dry.stderr).toContain('2 standups would be created.');
      const done = await run(['import', 'csv', file, '--json', '--yes']);
      expect(JSON.parse(done.stdout)).toMatchObject({dry_run: false, state: 'completed'});
    });

    it('is refused with 5 and the way to the right without it, and with 2 or 3 for what cannot be read', async () => {
      const {service, workspace} = stage();
      const file = writeRows(1);
      const scopes = ['standups:read', 'standups:write', 'teams:read', 'members:read'] as const;
      const {token} = await addPerson(service, workspace, {name: 'Gus', scopes});
      const env = {STANDUP_URL: service.url, STANDUP_TOKEN: token};
      expect(await run(['import', 'csv', file, '--yes'], {env})).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(
          `it lacks standups:write_any. An owner or admin signs in with: standup login ${service.url} --for-import`,
        ),
      });
      for (const [args, code, says] of [
        [['nothing.csv'], 3, 'There is no file nothing.csv.'],
        [['.'], 2, '. is not a file.'],
        [['/dev/zero'], 2, '/dev/zero is not a file.'],
        [[write('empty.csv', [''])], 2, 'empty.csv is empty.'],
        [[write('open.csv', [head, '1,"x'])], 2, 'A quote in line 2 of open.csv is not closed.'],
        [[write('other.csv', ['a,b', '1,2'])], 2, 'No column is the date. No column is the author.'],
        [[file, '--column', 'date=Day'], 2, 'No column is named Day.'],
        [[file, '--timezone', 'Berlin'], 2, '--timezone takes a zone such as Europe/Berlin, not Berlin.'],
        [[file, '--since', '1 March'], 2, '--since takes a day such as 2024-03-14, not 1 March.'],
      ] as const) {
        const refused = await run(['import', 'csv', ...args, '--yes']);
        expect(refused).toMatchObject({code, stderr: expect.stringContaining(says)});
      }
      const env2 = {GEEKBOT_URL: 'http://127.0.0.1:1', GEEKBOT_API_KEY: 'x'};
      expect(await run(['import', 'geekbot', '--yes'], {env: env2})).toMatchObject({code: 6});
      expect(await list()).toEqual([]);
    });

    it('reads the columns, the days and the team that options name', async () => {
      const file = write('history.csv', [
        'Wann;Wer;Was;Noch was;Rest',
        '03/04/24;Ada;First.;Second.;x',
        '05/04/24;Ada;Third.;;x',
      ]);
      const options = ['--column', 'date=Wann', '--column', 'author_name=Wer', '--column', 'update=Was'];
      const all = [...options, '--column', 'update=Noch was', '--two-digit-years', '--team', 'platform'];
      const unclear = await run(['import', 'csv', file, ...all, '--yes']);
      expect(unclear.stdout).toContain(
        'the date may have the day or the month first: add --date-order day-first or month-first (lines 2, 3)',
      );
      expect(unclear.stdout).not.toContain('There are no standups.');
      const asked = await run(['import', 'csv', file, ...all], {answers: ['day', 'y'], isInteractive: true});
      expect(asked.stderr).toContain('Which comes first in dates such as 03/04/24: day or month?');
      expect(await list()).toMatchObject([
        {date: '2024-04-05', update: 'Third.'},
        {date: '2024-04-03', update: 'First.\n\nSecond.'},
      ]);
      const since = await run([
        'import',
        'csv',
        file,
        ...all,
        '--date-order',
        'month-first',
        '--since',
        '2024-06-01',
        '--yes',
      ]);
      expect(since.stdout).toContain('There is nothing to import.');
    });

    it('passes no control sequence of a file to the terminal', async () => {
      const evil = '\u001b]0;title\u0007\u001b[2J\u009b1m\u202e';
      const file = write('history.csv', [
        `id,date,name,email,team,update,${evil}`,
        `1,2024-03-14,Ada${evil},${evil}@example.com,Platform,Hello ${evil}.,x`,
        `${evil},2024-03-14,${evil}Eve,,Research${evil},Hello ${evil}.,x`,
        `3,${evil},Ada,,Platform,x,x`,
      ]);
      const given = ['--team', `Research=platform`];
      for (const args of [
        ['--dry-run'],
        ['--dry-run', '--json'],
        ['--team', `${evil}=platform`],
        given,
        ['--column', `date=${evil}${evil}`],
      ]) {
        const {stdout, stderr} = await run(['import', 'csv', file, ...args], {
          isInteractive: true,
          answers: ['', 'n'],
        });
        // oxlint-disable-next-line no-control-regex
        expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      }
      await run(['import', 'csv', file, '--yes']);
      expect(await list()).toHaveLength(1);
    });

    it('asks for the right to import with login --for-import', async () => {
      const bodies: Json[] = [];
      const send = async (request: Request) => {
        if (new URL(request.url).pathname !== '/app/device') return fetch(request);
        bodies.push(await request.json());
        return Response.json({detail: 'Not now.'}, {status: 403});
      };
      await stage().machine.run(['login', stage().service.url, '--for-import'], {send});
      await stage().machine.run(['login', stage().service.url], {send});
      expect(bodies.map(({scopes}) => scopes.includes('standups:write_any'))).toEqual([true, false]);
    });

    it('completes its commands', async () => {
      const {stdout} = await run(['complete', '--', 'import', '']);
      const names = stdout.split('\n').map((one) => one.split('\t')[0]);
      expect(names).toEqual(['geekbot', 'dailybot', 'csv', 'resume', 'status', 'undo', '']);
      expect((await run(['complete', '--', 'import', 'csv', '--date'])).stdout).toContain('--date-order\t');
    });
  });

  describe('the packed command, killed between the requests of an import,', () => {
    let program = '';

    beforeAll(async () => {
      program = await packCommand();
    });

    it('loses no standup and doubles none', async () => {
      const {service, workspace, machine} = stage();
      const file = path.join(machine.home, writeRows(700));
      const proxy = await openProxy(service.url);
      const env = {
        PATH: process.env['PATH'],
        HOME: machine.home,
        STANDUP_URL: proxy.url,
        STANDUP_TOKEN: workspace.token,
      };
      const start = (...args: string[]) => spawn(process.execPath, [program, 'import', ...args], {env});
      try {
        // Killed in the dry run, in creating the import, before and after requests of rows, and in finishing.
        const strikes = [
          {of: '/rows', at: 3, isAnswered: true},
          {of: '/v1/imports', at: 2, isAnswered: true},
          {of: '/rows', at: 1, isAnswered: false},
          {of: '/rows', at: 1, isAnswered: true},
          {of: '/rows', at: 3, isAnswered: true},
          {of: '/finish', at: 1, isAnswered: true},
        ];
        for (const strike of strikes) {
          const child = start(
            ...(stateFiles().includes('import.json') ? ['resume'] : ['csv', file, '--yes']),
          );
          const ended = new Promise((resolve) => child.once('close', resolve));
          proxy.arm(strike, () => child.kill('SIGKILL'));
          await ended;
          expect(child.signalCode).toBe('SIGKILL');
        }
        const last = start('resume');
        let stdout = '';
        last.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
        expect(await new Promise((resolve) => last.once('close', resolve))).toBe(0);
        expect(stdout).toMatch(/^700 standups imported\./);
      } finally {
        await proxy.close();
      }
      expect(await listImports()).toMatchObject([{state: 'completed', counts: {created: 700, existing: 0}}]);
      const events = await eventsOf(workspace);
      expect(events.filter(({type}) => type === 'import.completed')).toHaveLength(1);
      const {text} = await workspace.request('GET', '/v1/export?format=ndjson');
      const ids = text
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one).imported.external_id as string);
      expect(ids.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({length: 700}, (_, id) => id));
      expect(stateFiles()).toEqual([]);
    });

    it('says how to go on when the user interrupts it', async () => {
      const {service, workspace, machine} = stage();
      const file = path.join(machine.home, writeRows(300));
      const proxy = await openProxy(service.url);
      const env = {HOME: machine.home, STANDUP_URL: proxy.url, STANDUP_TOKEN: workspace.token};
      try {
        const child = spawn(process.execPath, [program, 'import', 'csv', file, '--yes'], {env});
        let stderr = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
        const ended = new Promise((resolve) => child.once('close', resolve));
        proxy.arm({of: '/rows', at: 5, isAnswered: false}, () => child.kill('SIGINT'));
        expect(await ended).toBe(130);
        expect(stderr).toBe(
          '\nInterrupted after 100 of 300 standups.\nTo go on: standup import resume\nTo take it back: standup import undo\n',
        );
      } finally {
        await proxy.close();
      }
    });
  });
}

interface Strike {
  /** The end of the path of the request. */
  readonly of: string;
  /** The number of such a request since the strike was armed. */
  readonly at: number;
  /** Whether the service gets the request before the command is killed. */
  readonly isAnswered: boolean;
}

/** Passes requests to the service, and calls `strike` at one of them. The struck request gets no answer. */
async function openProxy(target: string) {
  let armed: {strike: Strike; count: number; act: () => void} | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const isHit =
        armed !== undefined &&
        request.method === 'POST' &&
        (request.url ?? '').endsWith(armed.strike.of) &&
        ++armed.count === armed.strike.at;
      const hit = isHit ? armed : undefined;
      if (hit !== undefined && !hit.strike.isAnswered) return hit.act();
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
      );
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length > 0 && {body: Buffer.concat(chunks)}),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (hit !== undefined) return hit.act();
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
      });
      response.end(body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (strike: Strike, act: () => void) => void (armed = {strike, count: 0, act}),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
