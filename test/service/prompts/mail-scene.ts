import {expect} from '@jest/globals';
import {createIdSource} from '../../../src/api/http/request-id.js';
import {type Id, suffixOf} from '../../../src/domain/core/ids.js';
import type {Mail} from '../../../src/domain/mail/mail.js';
import type {ServiceContext} from '../../../src/service/core/context.js';
import {createServices, type Services} from '../../../src/service/services.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {
  type ChangedDependencies,
  createTestContext,
  createTestEnvironment,
} from '../../support/service-context.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {asId} from '../../support/ids.js';
import {until} from '../../support/until.js';

export const minute = 60_000;
export const monday = '2026-11-23';
export const at = (time: string, day = monday) => Date.parse(`${day}T${time}:00Z`);

/** A workspace without Slack and with mail, whose clock and background work the test moves. */
export interface MailScene {
  readonly clock: TestClock;
  readonly service: TestService;
  readonly context: ServiceContext;
  /** Services with mail; those of `service` have none. */
  readonly services: Services;
  workspace: TestWorkspace;
  /** Services that share the store, with other dependencies. */
  createServices(changed: ChangedDependencies): Services;
  /** Starts with an empty workspace, at 6:00 on Monday. */
  begin(): Promise<void>;
  addMember(member?: object, team?: string): Promise<Id<'member'>>;
  /** Moves the clock, opens and closes runs, and looks at all due reminders. */
  moveTo(time: number): Promise<void>;
  /** The queued mails, oldest first. */
  listMails(): Promise<Mail[]>;
  close(): Promise<void>;
}

export async function startMailScene(): Promise<MailScene> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, at('06:00'));
  const service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  const always = {mail: 'kept', generateSuffix: createIdSource()} as const;
  const context = createTestContext(service.core, always);
  const compose = (changed: ChangedDependencies) =>
    createServices(createTestEnvironment(service.core, {...always, ...changed}));
  const services = compose({});
  /** Sends a request that must succeed. A busy machine may answer 503 to the first ones. */
  async function ask(method: string, path: string, body?: object): Promise<Json> {
    const answer = await until(
      async () => {
        const found = await scene.workspace.request(method, path, {...(body !== undefined && {body})});
        return found.status === 503 ? undefined : found;
      },
      {what: `${method} ${path} is answered`},
    );
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  }
  const scene: MailScene = {
    clock,
    service,
    context,
    services,
    workspace: await service.addWorkspace(),
    createServices: compose,
    async begin() {
      await clock.set(at('06:00'));
      scene.workspace = await service.addWorkspace();
      const schedule = {frequency: 'weekly', days: ['mon', 'tue'], opens: '09:00', closes: '11:00'};
      const body = {schedule: {...schedule, reminders: [30]}, prompt_at: 'both'};
      await ask('PATCH', '/v1/teams/platform', body);
    },
    async addMember(member = {}, team = 'platform') {
      const body = {name: 'Ada', timezone: 'UTC', ...member};
      const {id} = await ask('POST', '/v1/members', body);
      await ask('PUT', `/v1/teams/${team}/members/${id}`);
      return asId(id);
    },
    async moveTo(time) {
      const call = () => scene.workspace.operator();
      await clock.set(time);
      const {teams} = await context.teams.all(call());
      for (const {id} of teams) while (await services.runs.advanceRuns(call(), suffixOf(id)));
      while (await services.remindByMail(call()));
    },
    async listMails() {
      const {id} = scene.workspace;
      const {mails} = await context.mails.list(id, {limit: 100}, performance.now() + 5_000);
      return mails.toReversed();
    },
    async close() {
      await service.close();
      await clock.close();
    },
  };
  return scene;
}
